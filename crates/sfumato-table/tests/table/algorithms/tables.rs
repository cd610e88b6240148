//! Random small tables: every kind of column, with missing cells, weights, a sensitive column and,
//! if asked, a subject.

use proptest::prelude::*;
use sfumato_core::column::Codes;
use sfumato_core::dataset::{
    Column, Domain, Hierarchy, LevelTable, Missing, Role, Table, ValueKind,
};

/// What a quasi column is like.
#[derive(Debug, Clone)]
pub struct Spec {
    pub kind: Kind,
    pub weight: f64,
    pub policy: Missing,
    pub codes: Vec<u32>,
}

/// The kinds of columns that split differently.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Ordered with uneven gaps, in one byte.
    Ordered(usize),
    /// Ordered, 1,000 values in two bytes.
    Wide,
    /// A tree of one level.
    Flat(usize),
    /// A tree of bands of three in bands of two, whose last band has one chain of single children.
    Tree(usize),
    /// A tree over 1,200 values.
    Large,
}

impl Kind {
    pub fn size(self) -> usize {
        match self {
            Kind::Ordered(n) | Kind::Flat(n) | Kind::Tree(n) => n,
            Kind::Wide => 1000,
            Kind::Large => 1200,
        }
    }
}

pub fn column(name: &str, role: Role, spec: &Spec) -> Column {
    let n = spec.kind.size();
    let labels: Vec<String> = (0..n).map(|code| format!("{name}{code:04}")).collect();
    let tree = |bands: &[usize]| {
        let row = |code: usize| -> Vec<String> {
            std::iter::once(labels[code].clone())
                .chain(bands.iter().map(|band| format!("{}", code / band)))
                .collect()
        };
        Hierarchy::from_levels(&LevelTable::from_rows(&(0..n).map(row).collect::<Vec<_>>()))
            .unwrap()
            .0
    };
    let (kind, hierarchy) = match spec.kind {
        Kind::Ordered(_) | Kind::Wide => (ValueKind::Integer, None),
        Kind::Flat(_) => (ValueKind::Text, Some(tree(&[]))),
        Kind::Tree(_) => (ValueKind::Text, Some(tree(&[3, 6, 6]))),
        Kind::Large => (ValueKind::Text, Some(tree(&[5, 100]))),
    };
    let key = |code: usize| (code * code / 2 + code) as i64;
    let keys = if kind == ValueKind::Text { Vec::new() } else { (0..n).map(key).collect() };
    Column {
        name: name.into(),
        role,
        codes: Codes::from_iter(n + 1, spec.codes.iter().copied()),
        domain: Domain { kind, labels: labels.iter().collect(), keys },
        hierarchy,
        weight: spec.weight,
        missing: spec.policy,
        missing_text: "?".into(),
        native_type: None,
    }
}

pub fn ordered(codes: Vec<u32>, size: usize) -> Spec {
    Spec { kind: Kind::Ordered(size), weight: 1.0, policy: Missing::Value, codes }
}

/// A table of quasi columns and one sensitive column.
pub fn table(quasi: &[Spec], sensitive: Vec<u32>, subject: Option<Vec<u32>>) -> Table {
    let n_rows = sensitive.len();
    let mut columns: Vec<Column> = quasi
        .iter()
        .enumerate()
        .map(|(i, spec)| column(&format!("q{i}-"), Role::Quasi, spec))
        .collect();
    columns.push(column(
        "s",
        Role::Sensitive,
        &Spec { kind: Kind::Flat(5), ..ordered(sensitive, 5) },
    ));
    Table {
        n_rows,
        columns,
        subject: subject.map(|codes| Codes::from_iter(n_rows.max(1), codes.into_iter())),
    }
}

fn spec(n_rows: usize) -> impl Strategy<Value = Spec> {
    let kind = prop_oneof![
        (1usize..12).prop_map(Kind::Ordered),
        (2usize..12).prop_map(Kind::Ordered),
        Just(Kind::Wide),
        (1usize..5).prop_map(Kind::Flat),
        (1usize..20).prop_map(Kind::Tree),
        Just(Kind::Large),
    ];
    (kind, prop::sample::select(vec![1.0, 1.0, 0.5, 3.0]), prop::bool::ANY, 0u32..3).prop_flat_map(
        move |(kind, weight, suppressed, missing)| {
            let size = kind.size() as u32;
            // A square makes small codes more frequent; a third of the columns has missing cells.
            let cell = (0.0f64..1.0, 0u32..10).prop_map(move |(x, luck)| match luck {
                0 if missing == 0 => size,
                _ => ((x * x * f64::from(size)) as u32).min(size - 1),
            });
            let policy = if suppressed { Missing::Suppressed } else { Missing::Value };
            prop::collection::vec(cell, n_rows).prop_map(move |codes| Spec {
                kind,
                weight,
                policy,
                codes,
            })
        },
    )
}

/// A table that prints as the columns it was made of.
pub struct Sample {
    pub table: Table,
    specs: Vec<Spec>,
}

impl std::fmt::Debug for Sample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (place, spec) in self.specs.iter().enumerate() {
            writeln!(
                f,
                "{place}: {:?} weight {} {:?} {:?}",
                spec.kind, spec.weight, spec.policy, spec.codes
            )?;
        }
        let sensitive =
            self.table.columns.last().map(|column| column.codes.iter().collect::<Vec<_>>());
        writeln!(f, "sensitive {sensitive:?}, subject {:?}", self.table.subject)
    }
}

/// Any small table.
pub fn any_table() -> impl Strategy<Value = Sample> {
    any_table_of(1..90)
}

/// Any table with a number of rows in a range.
pub fn any_table_of(rows: std::ops::Range<usize>) -> impl Strategy<Value = Sample> {
    (rows, 1usize..6, prop::bool::weighted(0.3)).prop_flat_map(
        |(n_rows, n_columns, with_subject)| {
            let quasi = prop::collection::vec(spec(n_rows), n_columns);
            let sensitive = prop::collection::vec(0u32..5, n_rows);
            let subject = prop::collection::vec(0..(n_rows as u32 / 2).max(1), n_rows);
            (quasi, sensitive, subject).prop_map(move |(specs, sensitive, subject)| Sample {
                table: table(&specs, sensitive, with_subject.then_some(subject)),
                specs,
            })
        },
    )
}
