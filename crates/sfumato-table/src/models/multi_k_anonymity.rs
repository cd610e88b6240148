//! k-anonymity on several quasi-identifiers, each with its own k.

use sfumato_core::facts::Fact;
use sfumato_core::group::Summary;
use sfumato_core::registry::{
    About, Argument, Disclosure, Info, Paper, ParamKind, ParamSpec, Params,
};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, Scope};
use sfumato_core::{Error, Result};

use crate::models::bound;

/// The model `multi-k-anonymity`, an entry of the registry.
pub struct MultiKAnonymity;

static INFO: Info = Info {
    name: "multi-k-anonymity",
    summary: "on each of several quasi-identifiers at least k people agree",
    papers: &[
        Paper {
            authors: "B. C. M. Fung, K. Wang, P. S. Yu",
            title: "Anonymizing classification data for privacy preservation",
            venue: "IEEE Transactions on Knowledge and Data Engineering 19(5)",
            year: 2007,
        },
        Paper {
            authors: "B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu",
            title: "Introduction to Privacy-Preserving Data Publishing: Concepts and Techniques",
            venue: "Chapman & Hall/CRC",
            year: 2010,
        },
    ],
    params: &[
        ParamSpec::required(
            "qids",
            ParamKind::List,
            "the quasi-identifiers, each its columns joined by +, as [age+zip, zip+job]",
        ),
        ParamSpec::required(
            "k",
            ParamKind::List,
            "one k for all, or one per quasi-identifier, as [4, 11]",
        ),
    ],
    doc: "\
## What it promises

Different attackers know different columns. For each quasi-identifier named, whoever knows all of \
its values
finds at least its `k` people who agree on them.

## What it does not stop

An attacker who knows columns of two quasi-identifiers together: `k` on `a+b` and on `c+d` says \
nothing about
`a+b+c+d`, while the reverse holds. It doesn't stop learning a sensitive value either.

## Parameters

`qids` lists the quasi-identifiers. Each joins names of quasi columns by `+`: \
`qids=[education+gender,
gender+age]`. A name that contains a `+` itself is found too. `k` is one number for all, or a list \
with one
number for each, in the same order.

A quasi-identifier that is covered by another (all its columns are in the other, and its `k` is \
not larger) is
implied and dropped. Two that are the same count once. Each one left becomes a requirement of its \
own in the
report.

## Cost

One grouping of the classes per quasi-identifier. No histogram is counted.

## Deviations

None with one record per person; with a subject column distinct people are counted.

## Monotonicity

Monotone, with or without a subject column.
",
    about: About { asks: &[Fact::Projections], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

impl Model for MultiKAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let qids = params.list("qids").unwrap_or_default();
        if qids.is_empty() {
            return Err(Error::params(format!("{}: qids names no quasi-identifier", INFO.name))
                .hint("write the columns of each joined by +, as qids=[age+zip, zip+job]"));
        }
        let ks = sizes(&params.list("k").unwrap_or_default(), qids.len())?;
        let asked: Vec<Qid> = qids
            .iter()
            .zip(ks)
            .map(|(text, k)| Ok(Qid { columns: columns_of(text, bind)?, k }))
            .collect::<Result<_>>()?;
        let requirement = |qid: Qid| {
            let names: Vec<&str> = qid.columns.iter().map(|&column| bind.quasi[column]).collect();
            let resolved = [
                ("k", Argument::List(vec![qid.k.to_string()])),
                ("qids", Argument::List(vec![names.join("+")])),
            ];
            let text = bound::describe(&INFO, params, resolved);
            Box::new(AtLeastKOn { qid, text }) as Box<dyn Requirement>
        };
        Ok(uncovered(asked).into_iter().map(requirement).collect())
    }
}

/// One entry of the requirement: these columns, sorted, need groups of this size.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Qid {
    columns: Vec<usize>,
    k: u64,
}

fn sizes(texts: &[String], n: usize) -> Result<Vec<u64>> {
    let wrong = |text: &str| {
        Error::params(format!("{}: k must be whole numbers of at least 1, not '{text}'", INFO.name))
    };
    let parse = |text: &String| text.parse().ok().filter(|k| *k >= 1).ok_or_else(|| wrong(text));
    let ks: Vec<u64> = texts.iter().map(parse).collect::<Result<_>>()?;
    match ks.as_slice() {
        [k] => Ok(vec![*k; n]),
        _ if ks.len() == n => Ok(ks),
        _ => Err(Error::params(format!(
            "{}: there are {n} quasi-identifiers and {} values of k",
            INFO.name,
            ks.len()
        ))
        .hint("give one k for all or one for each")),
    }
}

/// The quasi columns of `a+b`, sorted, each once. At each `+` the longest possible name of a column
/// wins.
fn columns_of(text: &str, bind: &Bind<'_>) -> Result<Vec<usize>> {
    let parts: Vec<&str> = text.split('+').map(str::trim).collect();
    let place = |name: &str| bind.quasi.iter().position(|quasi| *quasi == name);
    let mut columns = Vec::new();
    let mut start = 0;
    while start < parts.len() {
        let longest = (start + 1..=parts.len())
            .rev()
            .find_map(|end| Some((place(&parts[start..end].join("+"))?, end)));
        let (column, end) = match longest {
            Some(found) => found,
            // No column starts here: let core word the error about the single name.
            None => (bind.quasi_named(&[parts[start].to_string()], &INFO)?[0], start + 1),
        };
        columns.push(column);
        start = end;
    }
    columns.sort_unstable();
    columns.dedup();
    Ok(columns)
}

/// Remove entries that another entry implies. Of two equal entries the first stays.
fn uncovered(asked: Vec<Qid>) -> Vec<Qid> {
    let covers = |i: usize, j: usize| {
        let (large, small) = (&asked[i], &asked[j]);
        small.k <= large.k
            && small.columns.iter().all(|column| large.columns.binary_search(column).is_ok())
            && (i < j || large != small)
    };
    let kept = |j: &usize| !(0..asked.len()).any(|i| i != *j && covers(i, *j));
    (0..asked.len()).filter(kept).map(|j| asked[j].clone()).collect()
}

struct AtLeastKOn {
    qid: Qid,
    text: String,
}

impl Requirement for AtLeastKOn {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn scope(&self) -> Scope {
        Scope::Projection(vec![self.qid.columns.clone()])
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn is_absorbing(&self) -> bool {
        true
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        group.people >= self.qid.k
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "k", required: self.qid.k as f64, direction: Direction::AtLeast }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![group.people as f64]
    }
    fn min_people(&self) -> u64 {
        self.qid.k
    }
    fn is_count_only(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bind(quasi: &[&str], text: &str) -> Result<Vec<String>> {
        let call: sfumato_core::registry::Call = text.parse()?;
        let params = Params::check(&INFO, &call.args)?;
        let bind = Bind { quasi: quasi.to_vec(), sensitive: Vec::new() };
        Ok(MultiKAnonymity.bind(&params, &bind)?.iter().map(|r| r.describe()).collect())
    }

    #[test]
    fn covered_entries_are_dropped_and_equal_ones_kept_once() {
        let ask =
            |text: &str| bind(&["a", "b", "c"], &format!("multi-k-anonymity({text})")).unwrap();
        assert_eq!(ask("qids=[a+b, b], k=4"), ["multi-k-anonymity(k=[4], qids=[a+b])"]);
        assert_eq!(ask("qids=[b, a+b], k=[3, 4]"), ["multi-k-anonymity(k=[4], qids=[a+b])"]);
        assert_eq!(
            ask("qids=[b, a+b], k=[5, 4]"),
            ["multi-k-anonymity(k=[5], qids=[b])", "multi-k-anonymity(k=[4], qids=[a+b])"]
        );
        assert_eq!(ask("qids=[a+b, b+a, a+b+a], k=4"), ["multi-k-anonymity(k=[4], qids=[a+b])"]);
        assert_eq!(ask("qids=[a+b, b+a], k=[2, 9]"), ["multi-k-anonymity(k=[9], qids=[a+b])"]);
        assert_eq!(ask("qids=a, k=2"), ["multi-k-anonymity(k=[2], qids=[a])"]);
    }

    #[test]
    fn names_with_a_plus_are_found() {
        let ask = |text: &str| bind(&["a+b", "a", "c"], &format!("multi-k-anonymity({text}, k=2)"));
        assert_eq!(ask("qids=[a+b+c]").unwrap(), ["multi-k-anonymity(k=[2], qids=[a+b+c])"]);
        assert_eq!(ask("qids=[a+c]").unwrap(), ["multi-k-anonymity(k=[2], qids=[a+c])"]);
        assert_eq!(
            ask("qids=[a+x]").unwrap_err().to_string(),
            "multi-k-anonymity: 'x' is not a quasi column"
        );
    }

    #[test]
    fn wrong_sizes_are_named() {
        let message = |text: &str| bind(&["a", "b", "c"], text).unwrap_err().to_string();
        assert_eq!(
            message("multi-k-anonymity(qids=[a, b, c], k=[1, 2])"),
            "multi-k-anonymity: there are 3 quasi-identifiers and 2 values of k"
        );
        assert_eq!(
            message("multi-k-anonymity(qids=[a], k=0)"),
            "multi-k-anonymity: k must be whole numbers of at least 1, not '0'"
        );
        assert_eq!(
            message("multi-k-anonymity(qids=[], k=2)"),
            "multi-k-anonymity: qids names no quasi-identifier"
        );
        assert_eq!(
            message("multi-k-anonymity(qids=[a, b], k=[])"),
            "multi-k-anonymity: there are 2 quasi-identifiers and 0 values of k"
        );
    }
}
