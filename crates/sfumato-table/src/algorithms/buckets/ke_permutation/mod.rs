//! (k,e) permutation (Zhang, Koudas, Srivastava and Yu): groups of neighbours in the order of a
//! numeric sensitive column, each with k different numbers over a range of e, such that the sum of
//! ranges is minimal.

mod distance;
mod divide;

use sfumato_core::dataset::{Column, ValueKind};
use sfumato_core::facts::Fact;
use sfumato_core::recoding::{Buckets, Finding, Recoding};
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::{Error, Result};

use super::sensitive;
use crate::algorithms::shared::clusters::Judge;
use crate::algorithms::shared::infeasible::infeasible;
use crate::algorithms::shared::progress::Progress;
use distance::AtLeast;
use divide::{Cut, divide};
use sfumato_kernels::seeded::Seeded;

/// The algorithm `ke-permutation`, an entry of the registry.
pub struct KePermutation;

static INFO: Info = Info {
    name: "ke-permutation",
    summary: "groups neighbours in the order of a number so that ranges add up to least; quasi \
        values are published as they are",
    papers: &[Paper {
        authors: "Q. Zhang, N. Koudas, D. Srivastava, T. Yu",
        title: "Aggregate query answering on anonymized tables",
        venue: "IEEE International Conference on Data Engineering (ICDE)",
        year: 2007,
    }],
    params: &[
        ParamSpec::optional(
            "k",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the least number of different numbers in a group; without it that of the model \
                k-e-anonymity",
        ),
        ParamSpec::optional(
            "e",
            ParamKind::Number { min: 0.0, above: false, max: f64::MAX },
            "the least range of a group; without it that of the model k-e-anonymity",
        ),
        sensitive::ON,
    ],
    doc: include_str!("page.md"),
    capabilities: Capabilities {
        serves: Fact::OF_CLASSES,
        makes_buckets: true,
        ignores: &["max_suppression", "metric"],
        needs_all_records: false,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for KePermutation {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        let column = sensitive::column(INFO.name, params, task.table)?;
        let kind = column.domain.kind;
        if !kind.is_ordered() || column.domain.keys.len() != column.domain.len() {
            return Err(Error::unsupported(format!(
                "{} needs numbers, dates or times; column '{}' holds {}",
                INFO.name,
                column.name,
                kind.name()
            ))
            .hint("anatomize makes groups by values of any kind"));
        }
        let (k, e) = asked(params, task)?;
        let mut progress = Progress::begin(task);
        let numbers = Numbers::new(column, task.seed);
        let at_least = AtLeast::new(kind, &e);
        let reaches =
            |low: usize, high: usize| at_least.holds(numbers.keys[low], numbers.keys[high]);
        let several: Vec<bool> = numbers.rows.iter().map(|rows| rows.len() > 1).collect();
        let key = |place: usize| numbers.keys[place];
        let cuts = match kind {
            ValueKind::Float => divide(
                &several,
                k,
                reaches,
                |at| kind.number(key(at)) - kind.number(key(at - 1)),
                0.0,
            ),
            _ => {
                divide(&several, k, reaches, |at| i128::from(key(at)) - i128::from(key(at - 1)), 0)
            }
        };
        let cuts = cuts.ok_or_else(|| numbers.too_narrow(kind, k, &e, &column.name))?;
        progress.reach(task.table.n_rows / 2)?;
        let groups = satisfying(task, numbers.groups(&cuts, task.seed))?;
        let range = |group: &Vec<u32>| {
            let keys = group
                .iter()
                .filter_map(|row| column.domain.number(column.codes.get(*row as usize)));
            let (low, high) = keys.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                (low.min(x), high.max(x))
            });
            high - low
        };
        let ranges = groups
            .iter()
            .map(range)
            .filter(|range| range.is_finite())
            .fold(0.0, |sum, range| sum + range);
        progress.reach(task.table.n_rows)?;
        let findings = vec![Finding { name: "sum_of_ranges", value: ranges }];
        Ok(Box::new(Buckets::of_groups(task.table.n_rows, &groups).with_findings(findings)))
    }
}

/// The parameters k and e: as given, or else as the model requires.
fn asked(params: &Params, task: &Task<'_>) -> Result<(usize, String)> {
    let of_model = |name: &str| {
        let models =
            task.requirements.iter().filter(|requirement| requirement.model() == "k-e-anonymity");
        let required =
            models.flat_map(|model| model.measures()).filter(|measure| measure.name == name);
        required.map(|measure| measure.required).reduce(f64::max)
    };
    let k = params.optional_integer("k").map(|k| k as f64).or_else(|| of_model("k"));
    let e = params.text("e").map(String::from).or_else(|| of_model("e").map(|e| e.to_string()));
    match (k, e) {
        (Some(k), Some(e)) => Ok((k as usize, e)),
        _ => Err(Error::params(format!("{} needs k and e", INFO.name))
            .hint("give them, or ask for --model 'k-e-anonymity(k=5, e=1000)'")),
    }
}

/// The different numbers of a column in order, and the records of each in random order.
struct Numbers {
    keys: Vec<i64>,
    rows: Vec<Vec<u32>>,
    missing: Vec<u32>,
}

impl Numbers {
    fn new(column: &Column, seed: u64) -> Self {
        let mut of_code: Vec<Vec<u32>> = vec![Vec::new(); column.domain.len() + 1];
        column
            .codes
            .iter()
            .enumerate()
            .for_each(|(row, code)| of_code[code as usize].push(row as u32));
        let missing = of_code.pop().unwrap_or_default();
        let mut present: Vec<(i64, Vec<u32>)> = column
            .domain
            .keys
            .iter()
            .copied()
            .zip(of_code)
            .filter(|(_, rows)| !rows.is_empty())
            .collect();
        // Codes follow the order of numbers unless the column has a hierarchy.
        present.sort_by_key(|(key, _)| *key);
        let (mut keys, mut rows): (Vec<i64>, Vec<Vec<u32>>) = (Vec::new(), Vec::new());
        for (key, more) in present {
            match (keys.last() == Some(&key), rows.last_mut()) {
                (true, Some(last)) => last.extend(more),
                _ => {
                    keys.push(key);
                    rows.push(more);
                }
            }
        }
        let mut random = Seeded::new(seed);
        rows.iter_mut().for_each(|rows| random.shuffle(rows));
        Numbers { keys, rows, missing }
    }

    /// The groups between cuts. Records without a number are distributed over the groups.
    fn groups(&self, cuts: &[Cut], seed: u64) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = Vec::with_capacity(cuts.len());
        let (mut next, mut rest): (usize, &[u32]) = (0, &[]);
        for cut in cuts {
            let mut group = rest.to_vec();
            let (until, inside) = match cut {
                Cut::Before(place) => (*place, None),
                Cut::Inside(place) => (*place, Some(*place)),
            };
            (next..until).for_each(|place| group.extend(&self.rows[place]));
            next = next.max(until);
            rest = &[];
            if let Some(place) = inside {
                let (left, right) = self.rows[place].split_at(self.rows[place].len() / 2);
                group.extend(left);
                (next, rest) = (place + 1, right);
            }
            groups.push(group);
        }
        let mut place = Seeded::new(seed ^ 0x6B65).below(groups.len().max(1));
        for row in &self.missing {
            groups[place].push(*row);
            place = (place + 1) % groups.len();
        }
        groups
    }

    fn too_narrow(&self, kind: ValueKind, k: usize, e: &str, name: &str) -> Error {
        let range = match (self.keys.first(), self.keys.last()) {
            (Some(low), Some(high)) => kind.number(*high) - kind.number(*low),
            _ => 0.0,
        };
        Error::infeasible(format!(
            "no group can have {k} different numbers over a range of {e}: column '{name}' has {} \
                over a range of {range}",
            self.keys.len()
        ))
        .hint("ask for a smaller k or e")
    }
}

/// Join neighbouring groups until every group satisfies the requirements. If (k,e)-anonymity is the
/// only requirement, all groups do already.
fn satisfying(task: &Task<'_>, groups: Vec<Vec<u32>>) -> Result<Vec<Vec<u32>>> {
    let judge = Judge::new(task);
    let mut kept: Vec<Vec<u32>> = Vec::with_capacity(groups.len());
    let mut open: Vec<u32> = Vec::new();
    for group in groups {
        open.extend(group);
        if judge.holds(&open) {
            kept.push(std::mem::take(&mut open));
        }
    }
    while !open.is_empty() {
        let Some(last) = kept.pop() else { return Err(infeasible(task)) };
        open.extend(last);
        if judge.holds(&open) {
            kept.push(std::mem::take(&mut open));
        }
    }
    Ok(kept)
}
