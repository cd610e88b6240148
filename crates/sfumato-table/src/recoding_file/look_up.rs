//! Publishes new rows by the cuts of a saved recoding: each column is looked up on its own.

use sfumato_core::column::Code;
use sfumato_core::dataset::Column;
use sfumato_core::recoding::{Cut, Cuts, SUPPRESSED, Value};
use sfumato_core::traits::Task;
use sfumato_core::{Error, Result, with_codes};

use super::Unseen;
use super::satisfy::keep_satisfying;
use crate::data::class_index::ClassIndex;

/// The number of rows that are grouped at a time.
const BLOCK: usize = 1 << 16;

/// Publish the rows of a task by saved values, one list per column.
pub fn look_up(
    unseen: Unseen,
    quasi: &[&Column],
    values: &[Vec<Option<Value>>],
    task: &Task<'_>,
) -> Result<Cuts> {
    let n_rows = task.table.n_rows;
    let mut is_unseen = vec![false; n_rows];
    let mut cuts = Vec::with_capacity(quasi.len());
    for (column, values) in quasi.iter().zip(values) {
        let known: Vec<Value> = values.iter().flatten().copied().collect();
        let of_code = Cut::smallest_of(column, &known);
        let occurs = column.codes.counts(of_code.len());
        let uncovered: Vec<bool> =
            of_code.iter().zip(&occurs).map(|(value, n)| value.is_none() && *n > 0).collect();
        if unseen != Unseen::Extend && uncovered.contains(&true) {
            with_codes!(&column.codes, codes =>
                is_unseen.iter_mut().zip(codes).for_each(|(is_unseen, code)| {
                *is_unseen |= uncovered[code.widen() as usize];
            }));
        }
        let of_code = match unseen {
            Unseen::Extend => extend(column, known, of_code, &uncovered),
            Unseen::Refuse | Unseen::Drop => of_code,
        };
        // A missing value is published as the job says; what no row has, or no row keeps, stands
        // for nothing.
        let published = |value: Option<Value>| match value {
            Some(Value::Missing) => Value::covering(column, 0, 0, true),
            value => value.unwrap_or(Value::Any),
        };
        cuts.push(Cut::new(of_code.into_iter().map(published)));
    }
    let n_unseen = is_unseen.iter().filter(|is_unseen| **is_unseen).count();
    if unseen == Unseen::Refuse && n_unseen > 0 {
        let first = is_unseen.iter().position(|is_unseen| *is_unseen).unwrap_or(0);
        return Err(Error::infeasible(format!(
            "{n_unseen} rows have a value that the recoding doesn't cover, the first is row {}",
            first + 1
        ))
        .hint(
            "--unseen extend publishes it in the nearest range or as *, --unseen drop suppresses \
                such rows",
        ));
    }

    let (keys, mut class_of_row) = group(quasi, &cuts, n_rows);
    let n_classes = keys.first().map_or(0, Vec::len);
    let unseen_rows = class_of_row.iter_mut().zip(is_unseen).filter(|(_, is_unseen)| *is_unseen);
    unseen_rows.for_each(|(class, _)| *class = SUPPRESSED);
    let mut class_of_row = keep_satisfying(task, &keys, n_classes, class_of_row)?;
    let of_class = compact(keys, n_classes, &mut class_of_row);
    Cuts::new(cuts, of_class, class_of_row)
}

/// Extend values to codes that none covers: in ordered columns the nearest range grows, and in
/// others only `*` is true.
fn extend(
    column: &Column,
    mut known: Vec<Value>,
    of_code: Vec<Option<Value>>,
    uncovered: &[bool],
) -> Vec<Option<Value>> {
    let missing = column.domain.missing();
    let codes: Vec<u32> = (0..missing).filter(|code| uncovered[*code as usize]).collect();
    // Each code is placed against the saved ranges, not against those already grown: the order must
    // not matter.
    let saved = known.clone();
    for code in codes {
        let nearest = (0..saved.len())
            .filter_map(|place| Some((distance(column, saved[place], code)?, place)))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        if let Some((_, place)) = nearest
            && let Value::Range { lo, hi } = &mut known[place]
        {
            (*lo, *hi) = ((*lo).min(code), (*hi).max(code + 1));
        }
    }
    let mut extended = Cut::smallest_of(column, &known);
    for (code, value) in
        extended.iter_mut().enumerate().filter(|(code, _)| of_code[*code].is_none())
    {
        let own = if code as u32 == missing { Value::Missing } else { Value::Any };
        value.get_or_insert(own);
    }
    extended
}

/// How far a code lies outside a range; `None` for a value that isn't a range.
fn distance(column: &Column, value: Value, code: u32) -> Option<f64> {
    let Value::Range { lo, hi } = value else { return None };
    let (near, far) = if code < lo { (code, lo) } else { (hi - 1, code) };
    let number = |code| column.domain.number(code).unwrap_or(f64::NAN);
    let apart = number(far) - number(near);
    // The width of the largest floats isn't a number: then ranks count.
    Some(if apart.is_finite() { apart } else { f64::from(far - near) })
}

/// Group rows by their published values: for each column the value of each class, and the class of
/// each row.
fn group(quasi: &[&Column], cuts: &[Cut], n_rows: usize) -> (Vec<Vec<u32>>, Vec<u32>) {
    let mut index = ClassIndex::new(quasi.len());
    let mut class_of_row = Vec::with_capacity(n_rows);
    for first in (0..n_rows).step_by(BLOCK) {
        let rows = first..(first + BLOCK).min(n_rows);
        let published = |(column, cut): (&&Column, &Cut)| -> Vec<u32> {
            with_codes!(&column.codes, codes => {
                codes[rows.clone()].iter().map(|code| cut.of_code()[code.widen() as usize])
                    .collect()
            })
        };
        let columns: Vec<Vec<u32>> = quasi.iter().zip(cuts).map(published).collect();
        let slices: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
        index.add(&slices, rows.len(), Some(&mut class_of_row));
    }
    (index.into_class_table(None).keys, class_of_row)
}

/// Remove classes without rows, and renumber the rest.
fn compact(mut keys: Vec<Vec<u32>>, n_classes: usize, class_of_row: &mut [u32]) -> Vec<Vec<u32>> {
    let mut new_of_old = vec![SUPPRESSED; n_classes];
    class_of_row
        .iter()
        .filter(|class| **class != SUPPRESSED)
        .for_each(|class| new_of_old[*class as usize] = 0);
    let has_rows: Vec<bool> = new_of_old.iter().map(|new| *new == 0).collect();
    new_of_old.iter_mut().filter(|new| **new == 0).zip(0..).for_each(|(new, number)| *new = number);
    for class in class_of_row.iter_mut().filter(|class| **class != SUPPRESSED) {
        *class = new_of_old[*class as usize];
    }
    for column in &mut keys {
        let mut has_rows = has_rows.iter();
        column.retain(|_| has_rows.next() == Some(&true));
    }
    keys
}
