//! Writes random sets to a draft, in random order, and reads them back: each row must be what was
//! drawn for its record, beside the size of the record's own set.

use sfumato_core::Result;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::transactions::Transactions;
use sfumato_engine::draft::Draft;
use sfumato_engine::form::Written;
use sfumato_engine::random::shuffle;
use sfumato_engine::verify::{cant_read_back, failed_verification};
use sfumato_io::{
    BasketLayout, BasketOptions, BasketWriteOptions, Keyed, RecordSource as _, Separator,
    read_baskets, write_baskets,
};

use super::Randomized;
use super::drawn::{Drawn, check_drawn};
use crate::data::read::Loaded;
use crate::forms::subsets::publish::write_options;
use crate::forms::subsets::read_back::read_options;
use crate::job::Job;
use crate::kind::Baskets;

/// What is needed to read a draft back.
pub struct Witness {
    options: BasketWriteOptions,
    /// Which record each row is made from.
    pub order: Vec<u32>,
}

/// What the bytes of a draft say.
pub struct RandomRead {
    /// The random sets, in the codes of the original.
    pub rows: Transactions,
    /// The size of the original set of each row.
    pub sizes: Vec<u32>,
    /// The SHA-256 hash of the file.
    pub sha256: String,
    /// The size of the file in bytes.
    pub bytes: u64,
}

/// The layout of a release: lines that begin with the size of the original set.
pub(super) fn layout_of(layout: &BasketLayout) -> BasketLayout {
    match layout {
        BasketLayout::Lines { separator, .. } => {
            BasketLayout::Lines { separator: *separator, key: true }
        }
        _ => BasketLayout::Lines { separator: Separator::Char(','), key: true },
    }
}

/// Write the random sets.
pub fn publish(
    job: &Job,
    loaded: &Loaded,
    drawn: &Drawn,
    observer: &dyn Observer,
) -> Result<(Draft, Witness)> {
    let mut order: Vec<u32> = (0..drawn.sets.len() as u32).collect();
    shuffle(&mut order, &mut drawn.order());
    let layout = layout_of(&loaded.release_layout);
    let (options, destination) = write_options(job, loaded, &layout)?;
    let quasi = &loaded.baskets.quasi;
    let keys: Vec<u32> = order.iter().map(|record| quasi.size(*record as usize) as u32).collect();
    let rows = |row: usize, codes: &mut Vec<u32>| drawn.sets.append(order[row] as usize, codes);
    let records = Keyed { records: &rows, keys: &keys };
    let names = &loaded.baskets.items.names;
    let mut draft = Draft::file(&destination)?;
    draft.write(|file| {
        write_baskets(file, &layout, names, order.len(), &records, &options, observer)
    })?;
    Ok((draft, Witness { options, order }))
}

/// Read a draft back and compare it with what was drawn.
pub fn read_back(
    written: &Written<'_, Baskets, Randomized>,
    draft: &Draft,
    observer: &dyn Observer,
) -> Result<RandomRead> {
    let Written { data: loaded, witness, .. } = written;
    let drawn = written.decision();
    let layout = layout_of(&loaded.release_layout);
    let options = BasketOptions { keep_keys: true, ..read_options(&layout, &witness.options) };
    let observer = Renamed { step: "verify", inner: observer };
    let path = draft.path()?.display().to_string();
    let read = read_baskets(&path, &layout, &options, &observer).map_err(cant_read_back)?;
    let (sha256, bytes) = (read.source.sha256.clone(), read.source.bytes);
    let lost = || failed_verification("a row doesn't say the size of its record");
    let keys = read.keys.as_ref().ok_or_else(lost)?;
    let sizes: Vec<u32> =
        keys.iter().map(|key| key.parse().map_err(|_| lost())).collect::<Result<_>>()?;
    let rows = read
        .with_names(&loaded.baskets.items.names)
        .map_err(|_| failed_verification("a row has an item that no record has"))?;
    let quasi = &loaded.baskets.quasi;
    if rows.len() != witness.order.len() || sizes.len() != rows.len() || rows.len() != quasi.len() {
        return Err(failed_verification("there aren't as many rows as records"));
    }
    for (row, record) in witness.order.iter().enumerate() {
        let record = *record as usize;
        if rows.set(row) != drawn.sets.set(record) {
            let what = format!("row {} isn't what was drawn for its record", row + 1);
            return Err(failed_verification(&what));
        }
        if sizes[row] as usize != quasi.size(record) {
            let what = format!("row {} says another size than its record has", row + 1);
            return Err(failed_verification(&what));
        }
    }
    check_drawn(&drawn.operator, quasi, &rows, &witness.order)?;
    Ok(RandomRead { rows, sizes, sha256, bytes })
}
