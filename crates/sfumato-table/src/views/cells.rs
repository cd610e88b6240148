//! Record sets of several views put together: each record of the table is in exactly one member of
//! each view, which is one of the rows that it shows, or the records that it isn't of.

use std::collections::BTreeSet;

use sfumato_core::{Error, Result};

use super::atoms::{Atoms, Records, meeting, place};
use super::sql::View;

/// The record sets of one view.
pub struct Family {
    /// For each row that is shown, the records that it may be of. There is at least one.
    pub rows: Vec<Vec<Records>>,
    /// The records that the view isn't of. There may be none.
    rest: Vec<Records>,
}

/// How many record sets may be looked at for one row: more take too long.
const MOST: u64 = 2_000_000;

/// The record sets of views. `shown` has the rows of each, without repetitions.
pub fn families(
    views: &[View],
    shown: &[Vec<Vec<String>>],
    atoms: &[Atoms],
) -> Result<Vec<Family>> {
    let family = |(view, rows): (&View, &Vec<Vec<String>>)| -> Result<Family> {
        let meets = meeting(&view.condition, false, atoms)?;
        let of_row = |row: &Vec<String>| -> Result<Vec<Records>> {
            let mut records = Records::all(atoms);
            for (column, text) in view.columns.iter().zip(row) {
                let at = place(column, atoms)?;
                let own = atoms[at].of_text(text);
                records.0[at] = (0..atoms[at].len()).map(|atom| Some(atom) == own).collect();
            }
            Ok(meets.iter().filter_map(|condition| condition.and(&records)).collect())
        };
        Ok(Family {
            rows: rows.iter().map(of_row).collect::<Result<_>>()?,
            rest: meeting(&view.condition, true, atoms)?,
        })
    };
    views.iter().zip(shown).map(family).collect()
}

/// What a row can be about: pairs of a person and a sensitive value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cover {
    /// The pairs, as atoms of the two columns.
    pub pairs: BTreeSet<(usize, usize)>,
    /// Whether anybody, or any value, can be meant besides.
    pub is_open: bool,
}

/// The pairs that a row of a view can be about, by some of the views.
pub fn cover(
    families: &[Family],
    (view, row): (usize, usize),
    others: &[usize],
    atoms: &[Atoms],
    (who, what): (Option<usize>, Option<usize>),
) -> Result<Cover> {
    let (Some(who), Some(what)) = (who, what) else {
        return Ok(Cover { is_open: true, ..Cover::default() });
    };
    let mut found = Cover::default();
    let mut steps = 0u64;
    // What is left to put together: record sets, and the next view.
    let mut left: Vec<(Records, usize)> =
        families[view].rows[row].iter().map(|records| (records.clone(), 0)).collect();
    while let Some((records, next)) = left.pop() {
        steps += 1;
        if steps > MOST {
            return Err(Error::resources(
                "the views put together have too many record sets to look at",
            )
            .hint("check fewer views at a time, or views with fewer rows"));
        }
        let Some(&other) = others.get(next) else {
            add(&mut found, &records, atoms, (who, what));
            continue;
        };
        let family = &families[other];
        for member in family.rows.iter().flatten().chain(&family.rest) {
            left.extend(records.and(member).map(|both| (both, next + 1)));
        }
    }
    Ok(found)
}

fn add(found: &mut Cover, records: &Records, atoms: &[Atoms], (who, what): (usize, usize)) {
    let possible = |column: usize| {
        let all = records.0[column].iter().enumerate();
        all.filter(|(_, may)| **may).map(|(atom, _)| atom).collect::<Vec<_>>()
    };
    for person in possible(who) {
        for value in possible(what) {
            match atoms[who].is_value(person) && atoms[what].is_value(value) {
                true => _ = found.pairs.insert((person, value)),
                false => found.is_open = true,
            }
        }
    }
}
