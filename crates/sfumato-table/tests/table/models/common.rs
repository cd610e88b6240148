//! Small tables for the tests: texts in, classes and guarantees out.
#![allow(dead_code)] // Each test file uses its part.

use std::collections::BTreeMap;

use sfumato_core::Result;
use sfumato_core::column::Codes;
use sfumato_core::dataset::{Domain, Hierarchy, LevelTable, ValueKind};
use sfumato_core::group::{ClassTable, Guarantee, Tally, evaluate};
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::{Bind, Requirement, Requirements, SensitiveColumn};

/// A sensitive column; an empty text is missing.
pub struct Sensitive {
    pub name: &'static str,
    pub domain: Domain,
    pub hierarchy: Option<Hierarchy>,
    pub is_guard: bool,
    pub codes: Vec<u32>,
}

impl Sensitive {
    /// Values in the order of their kind.
    pub fn new(name: &'static str, texts: &[&str]) -> Self {
        let known: Vec<&str> = texts.iter().copied().filter(|text| !text.is_empty()).collect();
        Self::of_kind(name, texts, ValueKind::infer(known.iter().copied()))
    }

    /// Values read as a stated kind.
    pub fn of_kind(name: &'static str, texts: &[&str], kind: ValueKind) -> Self {
        let mut labels: Vec<&str> = texts.iter().copied().filter(|text| !text.is_empty()).collect();
        let key = |text: &str| kind.parse(text).unwrap_or(0);
        labels.sort_by_key(|text| (key(text), *text));
        labels.dedup();
        let keys = if kind.is_ordered() {
            labels.iter().map(|text| key(text)).collect()
        } else {
            Vec::new()
        };
        let codes = codes(texts, &labels);
        let domain = Domain { kind, labels: labels.into_iter().collect(), keys };
        Sensitive { name, domain, hierarchy: None, is_guard: false, codes }
    }

    /// A column with what people asked to keep from being learnt.
    pub fn guard(name: &'static str, texts: &[&str]) -> Self {
        Sensitive { is_guard: true, ..Self::of_kind(name, texts, ValueKind::Text) }
    }

    /// Words with a tree; each row of it goes from a value to the top.
    pub fn with_tree(name: &'static str, texts: &[&str], rows: &[&str]) -> Self {
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.split(';').collect()).collect();
        let (tree, code_of) =
            Hierarchy::from_levels(&LevelTable::from_rows(&rows)).expect("a valid tree");
        let mut labels = vec![""; rows.len()];
        rows.iter().zip(code_of).for_each(|(row, code)| labels[code as usize] = row[0]);
        let codes = codes(texts, &labels);
        Sensitive {
            name,
            domain: Domain::of_texts(labels),
            hierarchy: Some(tree),
            is_guard: false,
            codes,
        }
    }
}

fn codes(texts: &[&str], labels: &[&str]) -> Vec<u32> {
    let code =
        |text: &&str| labels.iter().position(|label| label == text).unwrap_or(labels.len()) as u32;
    texts.iter().map(code).collect()
}

/// A table whose quasi columns are published as they stand.
pub struct Table {
    pub quasi: Vec<&'static str>,
    /// One tuple of texts per row.
    pub rows: Vec<Vec<String>>,
    pub sensitive: Vec<Sensitive>,
    pub subject: Option<Vec<u32>>,
}

impl Table {
    pub fn new(quasi: &[&'static str], rows: &[&str], sensitive: Vec<Sensitive>) -> Self {
        let rows = rows.iter().map(|row| row.split(',').map(str::to_string).collect()).collect();
        Table { quasi: quasi.to_vec(), rows, sensitive, subject: None }
    }

    pub fn bind(&self) -> Bind<'_> {
        Bind {
            quasi: self.quasi.clone(),
            sensitive: self
                .sensitive
                .iter()
                .map(|s| SensitiveColumn {
                    name: s.name,
                    domain: &s.domain,
                    hierarchy: s.hierarchy.as_ref(),
                    is_guard: s.is_guard,
                })
                .collect(),
        }
    }

    /// The requirements that a call stands for.
    pub fn requirements(&self, call: &str) -> Result<Vec<Box<dyn Requirement>>> {
        let call: Call = call.parse()?;
        let model = sfumato_table::models::find(&call.name)?;
        model.bind(&Params::check(model.info(), &call.args)?, &self.bind())
    }

    /// Rows that agree on all quasi columns, summarized.
    pub fn classes(&self) -> ClassTable {
        let mut values: Vec<Vec<&String>> = Vec::new();
        for column in 0..self.quasi.len() {
            let mut distinct: Vec<&String> = self.rows.iter().map(|row| &row[column]).collect();
            distinct.sort();
            distinct.dedup();
            values.push(distinct);
        }
        let key = |row: &Vec<String>| -> Vec<u32> {
            let code = |(column, text): (usize, &String)| {
                values[column]
                    .iter()
                    .position(|value| *value == text)
                    .expect("every text is listed") as u32
            };
            row.iter().enumerate().map(code).collect()
        };
        let mut groups: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
        self.rows
            .iter()
            .enumerate()
            .for_each(|(i, row)| groups.entry(key(row)).or_default().push(i as u32));
        let columns: Vec<Codes> =
            self.sensitive.iter().map(|s| Codes::U32(s.codes.clone())).collect();
        let subject = self.subject.clone().map(Codes::U32);
        let sensitive = columns
            .iter()
            .zip(&self.sensitive)
            .map(|(codes, s)| Some((codes, s.domain.len() + 1)))
            .collect();
        let tally = Tally { sensitive, subject: subject.as_ref() };
        let keys = (0..self.quasi.len())
            .map(|column| groups.keys().map(|key| key[column]).collect())
            .collect();
        ClassTable::new(keys, groups.values().map(|rows| tally.of_rows(rows)).collect())
    }

    /// The guarantees of a call on this table.
    pub fn ask(&self, call: &str) -> Vec<Guarantee> {
        let list = self.requirements(call).unwrap_or_else(|error| panic!("{call}: {error}"));
        evaluate(&Requirements::new(list), &self.classes())
    }

    /// Whether all that a call stands for holds.
    pub fn holds(&self, call: &str) -> bool {
        self.ask(call).iter().all(|guarantee| guarantee.holds)
    }

    /// The achieved value of a quantity, of a call with one requirement.
    pub fn achieved(&self, call: &str, measure: &str) -> f64 {
        self.ask(call)
            .iter()
            .find(|guarantee| guarantee.measure.name == measure)
            .unwrap_or_else(|| panic!("{call} has no measure {measure}"))
            .achieved
    }

    /// The message of the error that a call meets.
    pub fn error(&self, call: &str) -> String {
        match self.requirements(call) {
            Ok(_) => panic!("{call} should be refused"),
            Err(error) => error.to_string(),
        }
    }
}

/// The least cost of moving `supply` to `demand` (equal sums) by whole units, where moving one unit
/// from `i` to `j` costs `cost(i, j)`: successive cheapest paths by Bellman and Ford, written for
/// clarity.
pub fn cheapest_transport(
    supply: &[i64],
    demand: &[i64],
    cost: impl Fn(usize, usize) -> i64,
) -> i64 {
    let (mut supply, mut demand, n) = (supply.to_vec(), demand.to_vec(), supply.len());
    let mut flow = vec![vec![0i64; n]; n];
    let mut total = 0;
    while supply.iter().any(|s| *s > 0) {
        // Nodes 0..n are sources, n..2n sinks; edges forward are free to use, backward as far as
        // there is flow.
        let far = i64::MAX / 4;
        let mut distance = vec![far; 2 * n];
        let mut from = vec![usize::MAX; 2 * n];
        (0..n).filter(|i| supply[*i] > 0).for_each(|i| distance[i] = 0);
        for _ in 0..2 * n {
            for i in 0..n {
                for j in 0..n {
                    let c = cost(i, j);
                    if distance[i] < far && distance[i] + c < distance[n + j] {
                        distance[n + j] = distance[i] + c;
                        from[n + j] = i;
                    }
                    if flow[i][j] > 0 && distance[n + j] < far && distance[n + j] - c < distance[i]
                    {
                        distance[i] = distance[n + j] - c;
                        from[i] = n + j;
                    }
                }
            }
        }
        let end = (n..2 * n)
            .filter(|j| demand[j - n] > 0)
            .min_by_key(|j| distance[*j])
            .expect("demand is left");
        let mut path = vec![end];
        while from[*path.last().expect("not empty")] != usize::MAX {
            path.push(from[*path.last().expect("not empty")]);
        }
        let start = *path.last().expect("not empty");
        let mut amount = supply[start].min(demand[end - n]);
        for step in path.windows(2).filter(|step| step[0] < n) {
            amount = amount.min(flow[step[0]][step[1] - n]);
        }
        for step in path.windows(2) {
            if step[0] >= n {
                flow[step[1]][step[0] - n] += amount
            } else {
                flow[step[0]][step[1] - n] -= amount
            }
        }
        supply[start] -= amount;
        demand[end - n] -= amount;
        total += amount * distance[end];
    }
    total
}
