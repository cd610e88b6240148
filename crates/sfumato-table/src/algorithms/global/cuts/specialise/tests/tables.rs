//! Small tables of words, and requirements without the real models.

use sfumato_core::column::Codes;
use sfumato_core::dataset::{
    Column, Domain, Hierarchy, LevelTable, Missing, Role, Table, ValueKind,
};
use sfumato_core::group::Summary;
use sfumato_core::recoding::Cut;
use sfumato_core::traits::{Direction, Measure, Requirement, Scope};

use crate::algorithms::global::cuts::specialise::search::Search;

/// A requirement of a number of rows in each group, and a bounded share of one value of the first
/// sensitive column.
pub struct Groups {
    pub k: u64,
    pub share: Option<(u32, f64)>,
    pub scope: Scope,
}

impl Requirement for Groups {
    fn describe(&self) -> String {
        format!("at least {}", self.k)
    }
    fn model(&self) -> &'static str {
        "groups"
    }
    fn scope(&self) -> Scope {
        self.scope.clone()
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn is_absorbing(&self) -> bool {
        self.share.is_none()
    }
    fn histograms(&self) -> Vec<usize> {
        self.share.iter().map(|_| 0).collect()
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        let within = |(code, most): (u32, f64)| {
            group.histograms[0].count(code) as f64 <= most * group.rows as f64
        };
        group.people >= self.k && self.share.is_none_or(within)
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "k", required: self.k as f64, direction: Direction::AtLeast }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![group.people as f64]
    }
    fn min_people(&self) -> u64 {
        self.k
    }
    fn is_count_only(&self) -> bool {
        self.share.is_none()
    }
}

pub fn at_least(k: u64, scope: Scope) -> Box<dyn Requirement> {
    Box::new(Groups { k, share: None, scope })
}

/// A column of words with a tree, given as lines from leaf to root, or without one.
pub fn words(name: &str, role: Role, lines: &[&str], values: &[&str]) -> Column {
    let rows: Vec<Vec<&str>> = lines.iter().map(|line| line.split('/').collect()).collect();
    let with_tree = rows.iter().any(|row| row.len() > 1);
    let (hierarchy, code_of) = match with_tree {
        true => {
            let (tree, codes) = Hierarchy::from_levels(&LevelTable::from_rows(&rows)).unwrap();
            (Some(tree), codes)
        }
        false => (None, (0..rows.len() as u32).collect()),
    };
    let mut labels = vec![""; rows.len()];
    rows.iter().zip(&code_of).for_each(|(row, &code)| labels[code as usize] = row[0]);
    let code = |value: &&str| labels.iter().position(|label| label == value).unwrap() as u32;
    column(
        name,
        role,
        Domain::of_texts(labels.iter()),
        hierarchy,
        values.iter().map(code).collect(),
    )
}

pub fn numbers(name: &str, values: &[i64]) -> Column {
    let mut keys = values.to_vec();
    keys.sort_unstable();
    keys.dedup();
    let codes = values.iter().map(|v| keys.iter().position(|k| k == v).unwrap() as u32).collect();
    let labels = keys.iter().map(|key| key.to_string()).collect();
    column(name, Role::Quasi, Domain { kind: ValueKind::Integer, labels, keys }, None, codes)
}

fn column(
    name: &str,
    role: Role,
    domain: Domain,
    hierarchy: Option<Hierarchy>,
    codes: Vec<u32>,
) -> Column {
    let codes = Codes::from_iter(domain.len() + 1, codes.into_iter());
    let (missing, missing_text) = (Missing::Value, "?".to_string());
    Column {
        name: name.into(),
        role,
        codes,
        domain,
        hierarchy,
        weight: 1.0,
        missing,
        missing_text,
        native_type: None,
    }
}

pub fn table(columns: Vec<Column>) -> Table {
    Table { n_rows: columns[0].codes.len(), columns, subject: None }
}

/// The published values of a search, column by column, as sorted texts.
pub fn published(table: &Table, search: &Search<'_>) -> Vec<Vec<String>> {
    let texts = |(column, cut): (&&Column, Cut)| {
        let occurring = (0..column.domain.len() as u32).map(|code| cut.value(code).render(column));
        let mut texts: Vec<String> = occurring.collect();
        texts.sort();
        texts.dedup();
        texts
    };
    table.quasi().iter().zip(search.cuts()).map(texts).collect()
}
