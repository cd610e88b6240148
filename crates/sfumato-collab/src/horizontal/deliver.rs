//! What holders of other people deliver: each verifies its own rows against its own table, and all
//! rows go through the mix, so that the last holder hands them out and nobody knows whose they are.

use sfumato_core::column::{Codes, Dictionary, RawColumn};
use sfumato_core::recoding::{BoxesBuilder, Recoding, Value};
use sfumato_core::traits::Task;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::random::shuffle;
use sfumato_table::sealed::cell;
use sha2::{Digest, Sha256};

use super::boxes::Boxes;
use super::count::Counting;
use crate::holder::{Cells, Holding, Part, Stand, verified};
use crate::ledger::Traffic;
use crate::protocol::{Message, Wire, WireExt};
use crate::secure::Secrets;
use crate::secure::mix::{MixKey, seal};

/// Rows are padded to a multiple of so many bytes, so that their length says little.
const PAD: usize = 128;

/// Verify one's own rows, and send all through the mix.
pub fn deliver(
    wire: &mut dyn Wire,
    counting: &Counting,
    boxes: &Boxes,
    holding: &Holding,
    secrets: &Secrets,
) -> Result<Part> {
    let (columns, rows) = own_rows(counting, boxes, holding)?;
    let hash = hash(boxes);
    let own = Message::Digest { steps: boxes.splits, hash };
    let all = wire.exchange(&own, "digest", |message| match message {
        Message::Digest { hash, .. } => Ok(hash),
        other => Err(other),
    })?;
    if let Some(other) = all.iter().position(|theirs| *theirs != hash) {
        return Err(Error::input(format!(
            "{} and {} came to different boxes",
            wire.name(wire.seat()),
            wire.name(other)
        ))
        .hint("nothing was released"));
    }
    let rows = mixed(wire, &columns, rows, secrets)?;
    let mut remarks = Vec::new();
    if let Some(exposed) = boxes.exposed {
        remarks.push(format!(
            "in {exposed} of {} classes a holder that takes its own rows out sees fewer than k of \
             others",
            boxes.bounds.len()
        ));
    }
    Ok(Part {
        holder: holding.job.holder.name.clone(),
        columns,
        rows,
        hash,
        steps: boxes.steps.clone(),
        traffic: Traffic::new(),
        remarks,
        verified: true,
    })
}

fn hash(boxes: &Boxes) -> [u8; 32] {
    let mut hash = Sha256::new();
    for bounds in &boxes.bounds {
        for (lo, hi) in bounds {
            hash.update(lo.to_le_bytes());
            hash.update(hi.to_le_bytes());
        }
    }
    hash.finalize().into()
}

/// One's own rows as the verifier let them pass. Two made-up rows for each box, its corners, let
/// the verifier know numbers that only other holders have; they are dropped afterwards.
fn own_rows(counting: &Counting, boxes: &Boxes, holding: &Holding) -> Result<Cells> {
    let own = &counting.own;
    let n = own.n_rows;
    let used: Vec<usize> =
        (0..boxes.bounds.len()).filter(|region| !counting.rows_of[*region].is_empty()).collect();
    let rows: Vec<u32> = (0..n as u32).collect();
    let corner = |place: usize, region: usize, last: bool| {
        let (lo, hi) = boxes.bounds[region][place];
        let number = if last { hi } else { lo };
        match &own.quasi[place].leaves {
            Some(leaves) => leaves.get(number as usize).cloned().unwrap_or_default(),
            None => number.to_string(),
        }
    };
    let extended = |column: &RawColumn| {
        let place = own.quasi.iter().position(|quasi| quasi.name == column.name);
        let Some(place) = place else {
            // Other columns take any value of their own.
            let some: Vec<u32> =
                rows.iter().copied().chain(used.iter().flat_map(|_| [0, 0])).collect();
            return RawColumn { codes: column.codes.gather(&some), ..column.clone() };
        };
        let mut texts: Vec<String> =
            (0..n).map(|row| cell(column, row).unwrap_or_default().trim().to_string()).collect();
        for &region in &used {
            texts.extend([corner(place, region, false), corner(place, region, true)]);
        }
        let mut index: FastMap<&str, u32> = FastMap::default();
        let mut values = Dictionary::new();
        let codes: Vec<u32> = texts
            .iter()
            .map(|text| {
                let next = index.len() as u32;
                let code = *index.entry(text.as_str()).or_insert(next);
                if code == next {
                    values.push(text);
                }
                code
            })
            .collect();
        let codes = Codes::from_iter(values.len(), codes.into_iter());
        RawColumn { codes, values, null: None, ..column.clone() }
    };
    let raw: Vec<RawColumn> = holding.gather(&rows).iter().map(extended).collect();
    let names: Vec<&str> = own.quasi.iter().map(|quasi| quasi.name.as_str()).collect();
    let decided = Stand(|task: &Task<'_>| {
        let quasi = task.table.quasi();
        let mut builder = BoxesBuilder::new(quasi.len());
        let mut class_of = vec![0u32; task.table.n_rows];
        for (place, &region) in used.iter().enumerate() {
            let corners = [n + 2 * place, n + 2 * place + 1];
            let value = |column: &&sfumato_core::dataset::Column| {
                let [lo, hi] = corners.map(|row| column.codes.get(row));
                Value::covering(column, lo, hi + 1, false)
            };
            let region_values: Vec<Value> = quasi.iter().map(value).collect();
            let class = builder.push(&region_values)?;
            corners.iter().for_each(|row| class_of[*row] = class);
            counting.rows_of[region].iter().for_each(|row| class_of[*row as usize] = class);
        }
        Ok(Box::new(builder.finish(class_of)) as Box<dyn Recoding>)
    });
    let is_published = |_: &str, role: sfumato_core::dataset::Role| role.is_published();
    let models = vec!["k-anonymity(k=1)".to_string()];
    let total = n + 2 * used.len();
    let (columns, mut rows) = verified(holding, &raw, total, is_published, models, &decided)?;
    if names.iter().any(|name| !columns.iter().any(|column| column.name == *name)) {
        return Err(Error::internal("a quasi column was lost"));
    }
    rows.truncate(n);
    Ok((columns, rows))
}

/// All rows, in the hands of the last holder; the others have none.
fn mixed(
    wire: &mut dyn Wire,
    columns: &[crate::protocol::ColumnNote],
    rows: Vec<Vec<Option<String>>>,
    secrets: &Secrets,
) -> Result<Vec<Vec<Option<String>>>> {
    let (seat, n) = (wire.seat(), wire.seats());
    let mut random = secrets.stream("mix rows", 0);
    let key = MixKey::new(&mut random);
    let layers = wire.exchange(&Message::Mix(key.public), "mix", |message| match message {
        Message::Mix(public) => Ok(public),
        other => Err(other),
    })?;
    // Columns stand in one order, whatever file they come from.
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by(|a, b| columns[*a].name.cmp(&columns[*b].name));
    let padded = |row: Vec<Option<String>>| {
        let row: Vec<&Option<String>> = order.iter().map(|place| &row[*place]).collect();
        let mut bytes = postcard::to_allocvec(&row)
            .map_err(|error| Error::internal(format!("a row can't be sealed: {error}")))?;
        bytes.resize(bytes.len().next_multiple_of(PAD), 0);
        Ok(bytes)
    };
    let plain: Vec<Vec<u8>> = rows.into_iter().map(padded).collect::<Result<_>>()?;
    let mut held = seal(plain, &layers, &mut random)?;
    let take = |message: Message| match message {
        Message::Sealed(rows) => Ok(rows),
        other => Err(other),
    };
    if seat == 0 {
        for other in wire.others() {
            held.extend(wire.expect(other, "sealed", take)?);
        }
    } else {
        wire.send(0, &Message::Sealed(held))?;
        held = wire.expect(seat - 1, "sealed", take)?;
    }
    let opened = key.open(&held)?;
    let mut places: Vec<u32> = (0..opened.len() as u32).collect();
    shuffle(&mut places, &mut random);
    let opened: Vec<Vec<u8>> = places.iter().map(|place| opened[*place as usize].clone()).collect();
    if seat + 1 < n {
        wire.send(seat + 1, &Message::Sealed(opened))?;
        return Ok(Vec::new());
    }
    let read = |bytes: &Vec<u8>| {
        let row: (Vec<Option<String>>, _) = postcard::take_from_bytes(bytes)
            .map_err(|_| Error::input("a row that came through the mix can't be read"))?;
        if row.0.len() != columns.len() {
            return Err(Error::input("a row that came through the mix has other columns"));
        }
        let mut cells = vec![None; columns.len()];
        order.iter().zip(row.0).for_each(|(place, cell)| cells[*place] = cell);
        Ok(cells)
    };
    opened.iter().map(read).collect()
}
