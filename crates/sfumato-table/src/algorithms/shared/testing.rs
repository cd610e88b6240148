//! Small tables for the unit tests of algorithms that look for clusters.

use sfumato_core::column::Codes;
use sfumato_core::dataset::{
    Column, Domain, Hierarchy, LevelTable, Missing, Role, Table, ValueKind,
};
use sfumato_core::group::Summary;
use sfumato_core::traits::{Direction, Measure, Objective, Requirement, Requirements, Task};

use super::clusters::Judge;
use super::progress::Progress;
use super::space::Space;

/// k-anonymity, without the real models.
pub struct People(pub u64);

impl Requirement for People {
    fn describe(&self) -> String {
        format!("{} people", self.0)
    }
    fn model(&self) -> &'static str {
        "people"
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        group.people >= self.0
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "k", required: self.0 as f64, direction: Direction::AtLeast }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![group.people as f64]
    }
    fn min_people(&self) -> u64 {
        self.0
    }
    fn is_count_only(&self) -> bool {
        true
    }
}

/// A table of numbers from 0 to 100, or of a tree over them.
pub struct Numbers {
    table: Table,
}

impl Numbers {
    /// One column for each list.
    pub fn new(columns: &[&[u32]]) -> Self {
        let columns: Vec<Column> = columns.iter().map(|codes| column(codes, None)).collect();
        Numbers { table: Table { n_rows: columns[0].codes.len(), columns, subject: None } }
    }

    /// A table of one column with a tree whose bands have the given numbers of values, from the
    /// lowest level up.
    pub fn banded(codes: &[u32], bands: &[u32]) -> Self {
        let row = |code: u32| -> Vec<String> {
            let label = |band: &u32| format!("{band}:{}", code / band);
            std::iter::once(code.to_string()).chain(bands.iter().map(label)).collect()
        };
        let levels = LevelTable::from_rows(&(0..=100).map(row).collect::<Vec<_>>());
        let tree = Hierarchy::from_levels(&levels).expect("the values differ").0;
        Numbers {
            table: Table {
                n_rows: codes.len(),
                columns: vec![column(codes, Some(tree))],
                subject: None,
            },
        }
    }

    /// Run a function under k-anonymity.
    pub fn with<T>(
        &self,
        k: u64,
        max_suppressed: u64,
        run: impl FnOnce(&Task<'_>, &Space<'_>, &Judge<'_>, &mut Progress<'_>) -> T,
    ) -> T {
        let requirements = Requirements::new(vec![Box::new(People(k))]);
        let objective = Objective::ncp(&self.table);
        let task = Task { max_suppressed, ..Task::new(&self.table, &requirements, &objective) };
        let space = Space::new(&task, "test").expect("numbers have an order");
        run(&task, &space, &Judge::new(&task), &mut Progress::begin(&task))
    }
}

fn column(codes: &[u32], hierarchy: Option<Hierarchy>) -> Column {
    let labels: Vec<String> = (0..=100).map(|code| code.to_string()).collect();
    let kind = if hierarchy.is_some() { ValueKind::Text } else { ValueKind::Integer };
    let keys = if hierarchy.is_some() { Vec::new() } else { (0..=100).collect() };
    Column {
        name: "number".into(),
        role: Role::Quasi,
        codes: Codes::from_iter(102, codes.iter().copied()),
        domain: Domain { kind, labels: labels.iter().collect(), keys },
        hierarchy,
        weight: 1.0,
        missing: Missing::Value,
        missing_text: String::new(),
        native_type: None,
    }
}

/// Clusters in an order that doesn't depend on how they were found: rows are sorted, and empty
/// clusters left out.
pub fn in_order(clusters: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut clusters: Vec<Vec<u32>> =
        clusters.iter().filter(|rows| !rows.is_empty()).cloned().collect();
    clusters.iter_mut().for_each(|rows| rows.sort_unstable());
    clusters.sort();
    clusters
}
