//! Tests the parts of peel on random tables that are so small that everything can be tried.

// Helpers of tests aren't seen as tests, and a panic is how a test fails.
#![allow(clippy::unwrap_used)]

mod cells;
mod lattice;
mod release;
mod search;
mod walk;

use std::collections::BTreeMap;
use std::ops::Range;

use sfumato_core::column::Codes;
use sfumato_core::dataset::{
    Column, Domain, Hierarchy, LevelTable, Missing, Role, Table, ValueKind,
};
use sfumato_core::registry::Params;
use sfumato_core::traits::{Effort, Join, Objective, Requirements, Task};

use super::lattice::{Lattice, Levels};
use super::records::Records;
use super::walk::{Walk, Walked};
use super::{INFO, Run};
use crate::algorithms::shared::clusters::Judge;
use crate::algorithms::shared::mix::Stream;
use crate::algorithms::shared::progress::Progress;
use crate::algorithms::shared::space::Space;
use crate::algorithms::shared::testing::People;

/// A quasi column with up to a number of values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Ordered, with uneven gaps and no hierarchy.
    Ordered(usize),
    /// A tree of one level.
    Flat(usize),
    /// A tree of pairs, fours and eights.
    Tree(usize),
    /// A tree in which odd pairs are named like their fours, so that some nodes have only one
    /// child.
    Chains(usize),
}

pub const TREES: &[Kind] = &[Kind::Flat(4), Kind::Tree(16), Kind::Chains(12)];
pub const ALL: &[Kind] =
    &[Kind::Flat(4), Kind::Tree(16), Kind::Chains(12), Kind::Ordered(6), Kind::Ordered(30)];

/// A random table and how its cells are joined.
pub struct Sample {
    pub seed: u64,
    pub table: Table,
    pub join: Join,
}

impl Sample {
    pub fn new(seed: u64, rows: Range<usize>, columns: Range<usize>, kinds: &[Kind]) -> Self {
        let mut random = Stream::new(seed);
        let n_rows = rows.start + random.below(rows.len());
        let n_columns = columns.start + random.below(columns.len());
        let columns =
            (0..n_columns).map(|_| column(n_rows, kinds[random.below(kinds.len())], &mut random));
        let table = Table { n_rows, columns: columns.collect(), subject: None };
        Sample { seed, table, join: if seed % 4 == 3 { Join::Product } else { Join::Sum } }
    }

    pub fn objective(&self) -> Objective<'_> {
        let quasi = self.table.quasi();
        match self.join {
            Join::Sum => Objective::ncp(&self.table),
            Join::Product => {
                Objective::of_cells("volume", Join::Product, quasi.len(), move |place, value| {
                    1.0 + f64::from(value.leaves(quasi[place]))
                })
            }
        }
    }

    /// Run a function under k-anonymity.
    pub fn with<T>(&self, k: usize, run: impl FnOnce(&Setting<'_>) -> T) -> T {
        let (requirements, objective) =
            (Requirements::new(vec![Box::new(People(k as u64))]), self.objective());
        let task = Task {
            seed: self.seed,
            effort: Effort::ALL[self.seed as usize % 3],
            ..Task::new(&self.table, &requirements, &objective)
        };
        let space = Space::new(&task, INFO.name).unwrap();
        let judge = Judge::new(&task);
        let records = Records::new(&space, self.table.n_rows, true);
        let ladders = records.ladders(&space);
        let lattice = Lattice::new(&records, &ladders, objective.join());
        let params = Params::check(&INFO, &Default::default()).unwrap();
        let peel =
            Run { task: &task, asked: &objective, space: &space, judge: &judge, params: &params };
        run(&Setting {
            k,
            task: &task,
            run: &peel,
            space: &space,
            records: &records,
            lattice: &lattice,
        })
    }
}

/// Everything that the parts of peel are made of.
pub struct Setting<'a> {
    pub k: usize,
    pub task: &'a Task<'a>,
    pub run: &'a Run<'a>,
    pub space: &'a Space<'a>,
    pub records: &'a Records,
    pub lattice: &'a Lattice<'a>,
}

impl Setting<'_> {
    pub fn everybody(&self) -> Vec<u32> {
        (0..self.records.len() as u32).collect()
    }

    /// All nodes, listed by this test.
    pub fn nodes(&self) -> Vec<Levels> {
        self.lattice.ladders.iter().fold(vec![Vec::new()], |nodes: Vec<Levels>, ladder| {
            let above = |node: Levels| {
                (0..ladder.rungs.len() as u8).map(move |level| [node.as_slice(), &[level]].concat())
            };
            nodes.into_iter().flat_map(above).collect()
        })
    }

    /// The groups of records at a node, separated column by column.
    pub fn groups(&self, levels: &[u8], among: &[u32]) -> Vec<Vec<u32>> {
        let mut groups: BTreeMap<Vec<u64>, Vec<u32>> = BTreeMap::new();
        for &record in among {
            let cells = self.lattice.ladders.iter().zip(levels).zip(self.records.codes(record));
            let key = cells
                .map(|((ladder, &level), &code)| ladder.rungs[level as usize].key[code as usize]);
            groups.entry(key.collect()).or_default().push(record);
        }
        groups.into_values().collect()
    }

    pub fn n_rows(&self, records: &[u32]) -> usize {
        records.iter().map(|&record| self.records.weight[record as usize] as usize).sum()
    }

    pub fn walk(&self, quantiles: usize, budget: &mut u64) -> Walked {
        let walk = Walk {
            records: self.records,
            lattice: self.lattice,
            judge: self.run.judge,
            admit: None,
            parts: None,
            hurry: false,
        };
        let mut visits = self.lattice.visits(self.records, quantiles);
        walk.run(&mut visits, self.everybody(), budget, &mut Progress::begin(self.task)).unwrap()
    }

    /// The classes of a walk, with the remaining records joined to the last.
    pub fn start(&self) -> Vec<Vec<u32>> {
        let walked = self.walk(3, &mut u64::MAX.clone());
        let mut classes = walked.classes;
        classes.last_mut().unwrap().extend(walked.left);
        classes
    }

    /// The cost of classes of rows as the smallest regions around them.
    pub fn total(&self, clusters: &[Vec<u32>]) -> f64 {
        clusters
            .iter()
            .map(|rows| self.space.price(&self.space.around(rows)) * rows.len() as f64)
            .sum()
    }

    /// Check that every row is in one class, and every class is large enough.
    pub fn check_classes(&self, clusters: &[Vec<u32>]) {
        assert!(
            clusters.iter().all(|rows| rows.len() >= self.k),
            "seed {}: too small",
            self.task.seed
        );
        let mut rows = clusters.concat();
        rows.sort_unstable();
        assert_eq!(
            rows,
            (0..self.task.table.n_rows as u32).collect::<Vec<_>>(),
            "seed {}",
            self.task.seed
        );
    }
}

fn column(n_rows: usize, kind: Kind, random: &mut Stream) -> Column {
    let (Kind::Ordered(most) | Kind::Flat(most) | Kind::Tree(most) | Kind::Chains(most)) = kind;
    let n = 1 + random.below(most);
    let labels: Vec<String> = (0..n).map(|code| format!("{code:03}")).collect();
    let above = |code: usize| match kind {
        Kind::Tree(_) => {
            vec![format!("2-{}", code / 2), format!("4-{}", code / 4), format!("8-{}", code / 8)]
        }
        Kind::Chains(_) if code / 4 % 2 == 1 => {
            vec![format!("a{}", code / 4), format!("b{}", code / 4)]
        }
        Kind::Chains(_) => vec![format!("a{}", code / 2), format!("c{}", code / 4)],
        _ => Vec::new(),
    };
    let rows: Vec<Vec<String>> =
        (0..n).map(|code| [vec![labels[code].clone()], above(code)].concat()).collect();
    let (kind, hierarchy, keys) = match kind {
        Kind::Ordered(_) => {
            (ValueKind::Integer, None, (0..n as i64).map(|x| x * x / 2 + x).collect())
        }
        _ => (
            ValueKind::Text,
            Some(Hierarchy::from_levels(&LevelTable::from_rows(&rows)).unwrap().0),
            vec![],
        ),
    };
    let with_missing = random.below(3) == 0;
    let cell = |random: &mut Stream| match with_missing && random.below(5) == 0 {
        true => n as u32,
        // Small codes are more frequent.
        false => (random.unit() * random.unit().sqrt() * n as f64) as u32,
    };
    let codes: Vec<u32> = (0..n_rows).map(|_| cell(random)).collect();
    Column {
        name: "quasi".into(),
        role: Role::Quasi,
        codes: Codes::from_iter(n + 1, codes.into_iter()),
        domain: Domain { kind, labels: labels.iter().collect(), keys },
        hierarchy,
        weight: [1.0, 1.0, 0.5, 3.0][random.below(4)],
        missing: if random.below(2) == 0 { Missing::Value } else { Missing::Suppressed },
        missing_text: String::new(),
        native_type: None,
    }
}

/// Whether two numbers are equal up to rounding.
pub fn about(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}

/// Whether a number isn't above another, up to rounding.
pub fn at_most(a: f64, b: f64) -> bool {
    a <= b || about(a, b)
}
