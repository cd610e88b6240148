//! A stand-in for the book's Blood data, which can't be had: its shape (10,000 records, 62
//! attributes of which 41 are quasi, 8 blood groups as class, 15 diagnoses that are guarded) and
//! about its errors (BE = 22.1 and UE = 44.1 %). What depends on what is ours.

use sfumato_core::Result;
use sfumato_core::dataset::Role;
use sfumato_core::workload::TargetKind;

use super::measure::Data;
use crate::bench::{RandomStream, Sheet, Study, column, tree};
use crate::figure::Settings;

/// Quasi columns: numbers, then words with trees.
const NUMBERS: usize = 6;
const WORDS: usize = 35;
/// Columns that are neither quasi nor sensitive nor the class.
const OTHERS: usize = 19;
/// The blood groups, of 100 people.
const GROUPS: [(&str, usize); 8] =
    [("O+", 36), ("A+", 33), ("B+", 9), ("O-", 7), ("A-", 7), ("AB+", 4), ("B-", 3), ("AB-", 1)];
/// Of 100 records, in how many a column that tells about the group tells it: of quasi columns, and
/// of others; and how many such columns there are.
const TELLS: [(usize, usize); 2] = [(52, 9), (38, 2)];

/// Eight values in two halves of two pairs.
const TREE: &str = r#"{"*": {
    "low": {"v0-v1": ["v0", "v1"], "v2-v3": ["v2", "v3"]},
    "high": {"v4-v5": ["v4", "v5"], "v6-v7": ["v6", "v7"]}}}"#;

/// The records.
pub fn blood(settings: &Settings<'_>, n_rows: usize) -> Result<Data> {
    let mut random = RandomStream::new(settings.seed_of(&[610]));
    let quasi: Vec<String> = (0..NUMBERS)
        .map(|i| format!("number{i}"))
        .chain((0..WORDS).map(|i| format!("word{i}")))
        .collect();
    let others: Vec<String> = (0..OTHERS).map(|i| format!("other{i}")).collect();
    let mut names = [quasi.clone(), others].concat();
    names.extend(["diagnosis", "group"].map(String::from));
    let row = |_| {
        let group = group_of(random.below(100));
        let mut told = |tells: usize| match random.below(100) < tells {
            true => group,
            false => random.below(8),
        };
        // A number tells by its eighth of the range.
        let mut cells: Vec<String> = Vec::with_capacity(names.len());
        for i in 0..NUMBERS {
            let eighth = told(if i < 2 { TELLS[0].0 } else { 0 });
            cells.push((eighth * 12 + told(0) + 1).to_string());
        }
        for i in 0..WORDS {
            let tells = if i + 2 < TELLS[0].1 { TELLS[0].0 } else { 0 };
            cells.push(format!("v{}", told(tells)));
        }
        for i in 0..OTHERS {
            let tells = if i < TELLS[1].1 { TELLS[1].0 } else { 0 };
            cells.push(format!("w{}", told(tells)));
        }
        cells.push(format!("d{}", (2 * told(0) + told(0) / 4).min(14)));
        cells.push(GROUPS[group].0.to_string());
        cells
    };
    let rows = (0..n_rows).map(row).collect();
    let sheet = Sheet { names: names.clone(), rows };
    let columns = names.iter().map(|name| match name.as_str() {
        "diagnosis" => column(name, Role::Sensitive),
        "group" => column(name, Role::Target),
        name if name.starts_with("word") => tree(name, TREE),
        name if name.starts_with("number") => column(name, Role::Quasi),
        name => column(name, Role::Keep),
    });
    let study = Study::new(&sheet, columns.collect())?;
    let truth = study.truth("group", TargetKind::Classes)?;
    let guarded = (0..15).map(|i| format!("d{i}")).collect();
    Ok(Data { name: "Blood stand-in", study, truth, sensitive: "diagnosis", guarded })
}

fn group_of(percent: usize) -> usize {
    let mut up_to = 0;
    GROUPS
        .iter()
        .position(|(_, share)| {
            up_to += share;
            percent < up_to
        })
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_core::observer::Unobserved;

    #[test]
    fn the_shape_is_that_of_the_book() {
        assert_eq!(GROUPS.iter().map(|(_, share)| share).sum::<usize>(), 100);
        assert_eq!((group_of(0), group_of(36), group_of(99)), (0, 1, 7));
        let settings = Settings {
            size: crate::figure::Size::Tiny,
            seed: 1,
            rows: None,
            data: "nowhere".into(),
            observer: &Unobserved,
        };
        let data = blood(&settings, 900).unwrap();
        assert_eq!(data.study.dataset.raw.columns.len(), 62);
        let of = |role| data.study.job.columns.0.iter().filter(move |(_, spec)| spec.role == role);
        assert_eq!((of(Role::Quasi).count(), of(Role::Keep).count()), (41, 19));
        assert_eq!(data.guarded.len(), 15);
    }
}
