//! Tables for tests: the ones of the book, and random ones with random recodings that cover them.

use proptest::prelude::*;
use sfumato_core::FastMap;
use sfumato_core::column::Codes;
use sfumato_core::dataset::{
    Column, Domain, Hierarchy, LevelTable, Missing, Role, Table, ValueKind,
};
use sfumato_core::recoding::{Boxes, BoxesBuilder, Recoding, SUPPRESSED, Value};
use sfumato_core::traits::View;

/// A table and a decision about it.
#[derive(Debug)]
pub(crate) struct Sample {
    pub table: Table,
    pub boxes: Boxes,
}

impl Sample {
    /// Publish each cell as a function says; records with equal values form a class.
    pub fn by_cell(
        quasi: Vec<Column>,
        others: Vec<Column>,
        value: impl Fn(usize, usize) -> Value,
    ) -> Self {
        let (n_rows, n_columns) = (quasi[0].codes.len(), quasi.len());
        let mut builder = BoxesBuilder::new(n_columns);
        let mut classes: FastMap<Vec<Value>, u32> = FastMap::default();
        let mut class_of_row = Vec::new();
        for row in 0..n_rows {
            let region: Vec<Value> = (0..n_columns).map(|j| value(row, j)).collect();
            let class = match classes.get(&region) {
                Some(class) => *class,
                None => builder.push(&region).unwrap(),
            };
            classes.insert(region, class);
            class_of_row.push(class);
        }
        let columns = quasi.into_iter().chain(others).collect();
        Sample {
            table: Table { n_rows, columns, subject: None },
            boxes: builder.finish(class_of_row),
        }
    }

    /// The same table, published without any change.
    pub fn identity(&self) -> Sample {
        let exact = |row: usize, column: &Column| {
            let code = column.codes.get(row);
            let missing = code == column.domain.missing();
            let hi = if missing { code } else { code + 1 };
            Value::covering(column, code, hi, missing)
        };
        let columns = |of: fn(&Column) -> bool| {
            self.table.columns.iter().filter(|c| of(c)).cloned().collect()
        };
        let quasi: Vec<Column> = columns(|column| column.role == Role::Quasi);
        let copy = quasi.clone();
        Sample::by_cell(quasi, columns(|column| column.role != Role::Quasi), |row, j| {
            exact(row, &copy[j])
        })
    }

    /// Suppress every record.
    pub fn suppress_all(&mut self) {
        let n_columns = self.table.quasi().len();
        self.boxes = BoxesBuilder::new(n_columns).finish(vec![SUPPRESSED; self.table.n_rows]);
    }

    pub fn view(&self, k: Option<u64>) -> View<'_> {
        View::new(&self.table, &self.boxes, k)
    }

    /// The published values of each record, `None` where it is suppressed.
    pub fn published(&self) -> Vec<Option<Vec<Value>>> {
        let n_columns = self.table.quasi().len();
        let row = |class: &u32| {
            (*class != SUPPRESSED)
                .then(|| (0..n_columns).map(|j| self.boxes.value(*class, j)).collect())
        };
        self.boxes.class_of_row().iter().map(row).collect()
    }

    /// The mean over records of a cost in one column; a suppressed record publishes [`Value::Any`].
    pub fn mean(&self, quasi: usize, cost: impl Fn(usize, Value) -> f64) -> f64 {
        let rows = self.published().into_iter().enumerate();
        let costs =
            rows.map(|(row, values)| cost(row, values.map_or(Value::Any, |values| values[quasi])));
        costs.sum::<f64>() / self.table.n_rows as f64
    }
}

/// Whether two numbers are equal up to rounding.
pub(crate) fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

fn column(name: &str, codes: Vec<u32>, domain: Domain, hierarchy: Option<Hierarchy>) -> Column {
    Column {
        name: name.to_string(),
        role: Role::Quasi,
        codes: Codes::from_iter(domain.len() + 1, codes.into_iter()),
        domain,
        hierarchy,
        weight: 1.0,
        missing: Missing::Value,
        missing_text: "?".to_string(),
        native_type: None,
    }
}

/// A quasi column with a hierarchy, from rows `leaf;parent;...`.
pub(crate) fn tree(name: &str, levels: &[&str], texts: &[&str]) -> Column {
    let rows: Vec<Vec<&str>> = levels.iter().map(|row| row.split(';').collect()).collect();
    let (hierarchy, code_of) = Hierarchy::from_levels(&LevelTable::from_rows(&rows)).unwrap();
    let mut leaves = vec![""; rows.len()];
    rows.iter().zip(&code_of).for_each(|(row, code)| leaves[*code as usize] = row[0]);
    let code =
        |text: &&str| leaves.iter().position(|leaf| leaf == text).unwrap_or(leaves.len()) as u32;
    let codes = texts.iter().map(code).collect();
    column(name, codes, Domain::of_texts(&leaves), Some(hierarchy))
}

/// A quasi column of words with nothing but a root above them.
pub(crate) fn words(name: &str, texts: &[&str]) -> Column {
    let mut leaves = texts.to_vec();
    leaves.sort_unstable();
    leaves.dedup();
    tree(name, &leaves, texts)
}

/// A quasi column of numbers without a hierarchy.
pub(crate) fn numbers(name: &str, values: &[Option<i64>]) -> Column {
    let mut keys: Vec<i64> = values.iter().copied().flatten().collect();
    keys.sort_unstable();
    keys.dedup();
    let labels = keys.iter().map(i64::to_string).collect();
    let code = |value: &Option<i64>| {
        value.map_or(keys.len(), |value| keys.binary_search(&value).unwrap()) as u32
    };
    let codes = values.iter().map(code).collect();
    column(name, codes, Domain { kind: ValueKind::Integer, labels, keys }, None)
}

/// The node with a label, the one nearest the root if there are several.
pub(crate) fn node(column: &Column, label: &str) -> Value {
    let tree = column.hierarchy.as_ref().unwrap();
    let nodes = 0..tree.n_nodes() as u32;
    Value::Node(nodes.into_iter().find(|node| tree.label(*node) == label).unwrap())
}

const JOBS: [&str; 4] = [
    "Engineer;Professional;ANY_Job",
    "Lawyer;Professional;ANY_Job",
    "Dancer;Artist;ANY_Job",
    "Writer;Artist;ANY_Job",
];

/// One column of jobs and what each is published as.
pub(crate) fn jobs(original: &[&str], published: &[&str]) -> Sample {
    let column = tree("Job", &JOBS, original);
    let copy = column.clone();
    Sample::by_cell(vec![column], Vec::new(), |row, _| node(&copy, published[row]))
}

/// Table 2.4: seven patients, 3-anonymous. Age has no hierarchy here, so its intervals are ranges
/// of the data.
pub(crate) fn table_2_4() -> Sample {
    let texts = ["Engineer", "Engineer", "Lawyer", "Writer", "Writer", "Dancer", "Dancer"];
    let job = tree("Job", &JOBS, &texts);
    let sex = words("Sex", &["Male", "Male", "Male", "Female", "Female", "Female", "Female"]);
    let age = numbers("Age", &[35, 38, 38, 30, 30, 30, 30].map(Some));
    let columns = vec![job.clone(), sex.clone(), age];
    Sample::by_cell(columns, Vec::new(), |row, j| match (j, row < 3) {
        (0, true) => node(&job, "Professional"),
        (0, false) => node(&job, "Artist"),
        (1, true) => node(&sex, "Male"),
        (1, false) => node(&sex, "Female"),
        (_, true) => Value::Range { lo: 1, hi: 3 },
        (_, false) => Value::Range { lo: 0, hi: 1 },
    })
}

/// Table 6.2: eleven transfused patients, LKC-private but not 2-anonymous.
pub(crate) fn table_6_2() -> Sample {
    let job = tree(
        "Job",
        &[
            "Janitor;Non-Technical;Blue-collar;ANY_Job",
            "Mover;Non-Technical;Blue-collar;ANY_Job",
            "Carpenter;Technical;Blue-collar;ANY_Job",
            "Technician;Technical;Blue-collar;ANY_Job",
            "Doctor;Professional;White-collar;ANY_Job",
            "Lawyer;Professional;White-collar;ANY_Job",
        ],
        &[
            "Janitor",
            "Doctor",
            "Mover",
            "Lawyer",
            "Mover",
            "Janitor",
            "Doctor",
            "Lawyer",
            "Doctor",
            "Carpenter",
            "Technician",
        ],
    );
    let sex = words("Sex", &["M", "M", "M", "M", "M", "M", "M", "F", "F", "F", "F"]);
    let age = tree(
        "Age",
        &[
            "24;[1-30);[1-60);[1-99)",
            "34;[30-60);[1-60);[1-99)",
            "44;[30-60);[1-60);[1-99)",
            "58;[30-60);[1-60);[1-99)",
            "63;[60-99);[60-99);[1-99)",
        ],
        &["34", "58", "34", "24", "58", "44", "24", "58", "44", "63", "63"],
    );
    let columns = vec![job, sex, age];
    let copies = columns.clone();
    // Job one step up, sex as it is, age one step up.
    Sample::by_cell(columns, Vec::new(), |row, j| {
        let tree = copies[j].hierarchy.as_ref().unwrap();
        Value::Node(tree.ancestor(copies[j].codes.get(row), usize::from(j != 1)))
    })
}

/// Reads choices from random numbers. Numbers shrink to 0, and so do the tables that are made from
/// them.
struct Tape {
    numbers: Vec<u16>,
    at: usize,
}

impl Tape {
    fn below(&mut self, n: usize) -> usize {
        self.at += 1;
        usize::from(self.numbers[self.at % self.numbers.len()]) % n
    }

    fn column(&mut self, name: &str, n_rows: usize) -> Column {
        let mut made =
            if self.below(2) == 0 { self.tree(name, n_rows) } else { self.ordered(name, n_rows) };
        made.missing = [Missing::Value, Missing::Suppressed][self.below(2)];
        made.weight = 0.5 + self.below(4) as f64;
        made
    }

    /// A random tree. Labels of upper levels repeat across levels and branches, as in real
    /// hierarchies.
    fn tree(&mut self, name: &str, n_rows: usize) -> Column {
        let (n_leaves, depth) = (1 + self.below(8), self.below(4));
        let labels: Vec<String> = (0..n_leaves)
            .map(|leaf| {
                (0..depth).fold(format!("v{leaf}"), |row, _| format!("{row};g{}", self.below(3)))
            })
            .collect();
        let mut levels: Vec<&str> = labels.iter().map(String::as_str).collect();
        levels.sort_unstable();
        let texts: Vec<String> =
            (0..n_rows).map(|_| format!("v{}", self.below(n_leaves + 2))).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        tree(name, &levels, &texts)
    }

    fn ordered(&mut self, name: &str, n_rows: usize) -> Column {
        let n = 1 + self.below(12);
        let value = |x: usize| (x < n).then(|| (x * x) as i64 - 20);
        let values: Vec<Option<i64>> = (0..n_rows).map(|_| value(self.below(n + 2))).collect();
        numbers(name, &values)
    }

    /// The smallest value that covers some codes, or a wider one.
    fn cover(&mut self, column: &Column, codes: &[u32]) -> Value {
        let missing = column.domain.missing();
        let present = || codes.iter().copied().filter(|code| *code != missing);
        let (lo, hi) =
            (present().min().unwrap_or(missing), present().max().map_or(missing, |code| code + 1));
        let tight = Value::covering(column, lo, hi, codes.contains(&missing));
        match (self.below(6), tight) {
            (0, _) => Value::Any,
            (1, Value::Node(node)) => Value::Node(column.hierarchy.as_ref().unwrap().parent(node)),
            (1, Value::Range { lo, hi }) => Value::Range {
                lo: self.below(lo as usize + 1) as u32,
                hi: (hi as usize + self.below((missing - hi) as usize + 1)) as u32,
            },
            (_, tight) => tight,
        }
    }

    fn sample(&mut self) -> Sample {
        let n_rows = 1 + self.below(30);
        let mut columns: Vec<Column> =
            (0..1 + self.below(4)).map(|j| self.column(&format!("q{j}"), n_rows)).collect();
        let mut target = self.column("target", n_rows);
        target.role = Role::Target;
        let boxes = self.recode(&columns, n_rows);
        columns.push(target);
        Sample { table: Table { n_rows, columns, subject: None }, boxes }
    }

    /// A random decision about some quasi columns that covers them.
    fn recode(&mut self, columns: &[Column], n_rows: usize) -> Boxes {
        let (n_classes, suppressed) = (1 + self.below(8), self.below(3));
        let class = |c: usize| if c < n_classes { c as u32 } else { SUPPRESSED };
        let class_of_row: Vec<u32> =
            (0..n_rows).map(|_| class(self.below(n_classes + suppressed))).collect();
        let mut regions = Vec::new();
        for class in 0..n_classes as u32 {
            let rows: Vec<usize> = (0..n_rows).filter(|row| class_of_row[*row] == class).collect();
            let region: Vec<Value> = columns
                .iter()
                .map(|column| {
                    let codes: Vec<u32> = rows.iter().map(|row| column.codes.get(*row)).collect();
                    self.cover(column, &codes)
                })
                .collect();
            regions.push(region);
        }
        Boxes::new(columns.len(), regions.into_iter(), class_of_row).unwrap()
    }
}

/// Random tables of one to four quasi columns and a target, with classes that may be empty, may be
/// published alike, and with suppressed records.
pub(crate) fn samples() -> impl Strategy<Value = Sample> {
    prop::collection::vec(any::<u16>(), 300).prop_map(|numbers| Tape { numbers, at: 0 }.sample())
}

/// A random table with two random decisions about it.
pub(crate) fn pairs() -> impl Strategy<Value = (Sample, Sample)> {
    prop::collection::vec(any::<u16>(), 450).prop_map(|numbers| {
        let mut tape = Tape { numbers, at: 0 };
        let first = tape.sample();
        let quasi: Vec<Column> = first.table.quasi().into_iter().cloned().collect();
        let boxes = tape.recode(&quasi, first.table.n_rows);
        let table = first.table.clone();
        (first, Sample { table, boxes })
    })
}
