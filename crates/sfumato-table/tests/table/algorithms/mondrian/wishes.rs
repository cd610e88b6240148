//! Random workloads over random tables.

use proptest::prelude::*;
use sfumato_core::dataset::{Role, Table};
use sfumato_core::workload::{Selection, Target, TargetKind, Workload};

use crate::algorithms::tables::ordered;

/// What a workload may contain.
#[derive(Debug, Clone)]
pub struct Wishes {
    classes: bool,
    numbers: bool,
    other_features: bool,
    /// A quasi column that models don't look at.
    unused: Option<usize>,
    /// Quasi column, first code, number of codes, weight.
    selections: Vec<(usize, u32, u32, f64)>,
    pub min_gain: f64,
    pub significant: bool,
    n_classes: u64,
}

pub fn wishes() -> impl Strategy<Value = Wishes> {
    let selection = (0usize..4, 0u32..12, 1u32..12, prop::sample::select(vec![0.5, 1.0, 3.0]));
    (
        any::<[bool; 3]>(),
        prop::option::of(0usize..4),
        prop::collection::vec(selection, 0..3),
        prop::sample::select(vec![0.0, 0.05]),
        any::<bool>(),
        prop::sample::select(vec![1, 2, 4]),
    )
        .prop_map(
            |(
                [classes, numbers, other_features],
                unused,
                selections,
                min_gain,
                significant,
                n_classes,
            )| {
                Wishes {
                    classes: classes || (!numbers && selections.is_empty()),
                    numbers,
                    other_features,
                    unused,
                    selections,
                    min_gain,
                    significant,
                    n_classes,
                }
            },
        )
}

/// Add a class, a number and another feature to a table, all from noise and somewhat dependent on
/// the first quasi column.
pub fn add_workload(table: &mut Table, wishes: &Wishes, noise: u64) -> Workload {
    let n = table.n_rows;
    let quasi: Vec<usize> =
        (0..table.columns.len()).filter(|c| table.columns[*c].role == Role::Quasi).collect();
    let first = table.columns[quasi[0]].codes.clone();
    let draw = |row: usize, salt: u64| {
        (noise ^ salt)
            .wrapping_add(row as u64 + 1)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29)
            >> 40
    };
    let mut add = |name: &str, size: u64, salt: u64| {
        let code =
            |row: usize| ((u64::from(first.get(row)) + draw(row, salt) % 3) % (size + 1)) as u32;
        let spec = ordered((0..n).map(code).collect(), size as usize);
        table.columns.push(crate::algorithms::tables::column(name, Role::Keep, &spec));
        table.columns.len() - 1
    };
    let (class, number, other) =
        (add("class", wishes.n_classes, 1), add("number", 9, 2), add("other", 3, 3));
    let unused = wishes.unused.and_then(|place| quasi.get(place)).filter(|_| quasi.len() > 1);
    let mut features: Vec<usize> = quasi.iter().copied().filter(|f| Some(f) != unused).collect();
    if wishes.other_features {
        features.push(other);
    }
    let mut workload = Workload::default();
    if wishes.classes {
        let target = Target {
            column: class,
            kind: TargetKind::Classes,
            features: features.clone(),
            weight: 1.0,
        };
        workload.targets.push(target);
    }
    if wishes.numbers {
        workload.targets.push(Target {
            column: number,
            kind: TargetKind::Numbers,
            features,
            weight: 2.0,
        });
    }
    for (column, start, length, weight) in &wishes.selections {
        let mut intervals = vec![None; quasi.len()];
        intervals[column % quasi.len()] = Some(*start..start + length);
        workload.selections.push(Selection { text: String::new(), intervals, weight: *weight });
    }
    workload
}
