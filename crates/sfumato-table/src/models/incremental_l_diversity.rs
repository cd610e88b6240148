//! Incremental l-diversity: what two releases of a growing table leave of a class still has l
//! sensitive values.

use sfumato_core::Result;
use sfumato_core::chain::{Chain, PublishedClass};
use sfumato_core::facts::{Fact, Least};
use sfumato_core::group::{Guarantee, Summary};
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, Scope};

use crate::models::bound;

/// The model `incremental-l-diversity`, an entry of the registry.
pub struct IncrementalLDiversity;

static INFO: Info = Info {
    name: "incremental-l-diversity",
    summary: "what any two releases of a growing table leave of a class has l sensitive values",
    papers: &[Paper {
        authors: "J.-W. Byun, Y. Sohn, E. Bertino, N. Li",
        title: "Secure anonymization for incremental datasets",
        venue: "Secure Data Management (SDM)",
        year: 2006,
    }],
    params: &[
        ParamSpec::required(
            "l",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the least number of different sensitive values",
        ),
        bound::ON,
    ],
    doc: "\
## What it promises

Each release has all records of the one before it and new ones. Every class has at least `l` \
different sensitive values. Somebody who knows whether a person was in an earlier release compares \
each two classes that the person can be in:

- of a person of both, the values are left that both classes have (`l of both`);
- of a person of the later release alone, the records are left that the later class has beyond \
the earlier one (`l of new`).

Of these there are at least `l` different ones, too, unless no record is left, because then there \
is no such person.

## What it does not stop

- Frequencies: of `l` values one may be nearly everybody's. `bcf-anonymity` counts records, and \
bounds the share of a value with `confidence`.
- Three and more releases read together; each two are compared.

## Parameters

`l` is the number of values. `on` is the sensitive column; several without it are one value \
together.

## Cost

Each pair of classes is compared once.

## Deviations

Where a class of the later release is smaller than an earlier one that it can meet, nothing is \
left \
of the difference, and the paper's check would call that a violation; here nobody is looked for \
there.

## Monotonicity

A union of classes has the values of each, and more are left of a person of both. What is left of \
new people may have fewer as classes merge, so a search may miss a release that there is.
",
    about: About {
        asks: &[Fact::SensitiveValues, Fact::Earlier],
        limits: &[Disclosure::Attribute],
    },
    ..Info::DEFAULT
};

impl Model for IncrementalLDiversity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let (l, text) = (params.count("l"), params.describe());
        let columns = bind.on(params, &INFO)?;
        let distinct = columns.into_iter().map(|column| {
            Box::new(Incremental { l, of: Some(column), text: text.clone() })
                as Box<dyn Requirement>
        });
        let between: Box<dyn Requirement> =
            Box::new(Incremental { l, of: None, text: text.clone() });
        Ok(distinct.chain([between]).collect())
    }
}

/// `l` values of a sensitive column in each class, or in what each two releases leave.
struct Incremental {
    l: u64,
    of: Option<usize>,
    text: String,
}

impl Incremental {
    fn values(&self, group: &Summary) -> u64 {
        match self.of {
            Some(column) => {
                (bound::histogram(group, column).entries().len() as u64).min(group.people)
            }
            None => u64::MAX,
        }
    }
}

impl Requirement for Incremental {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn scope(&self) -> Scope {
        if self.of.is_some() { Scope::Class } else { Scope::Earlier }
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn is_absorbing(&self) -> bool {
        true
    }
    fn histograms(&self) -> Vec<usize> {
        self.of.into_iter().collect()
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        self.values(group) >= self.l
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "l", required: self.l as f64, direction: Direction::AtLeast }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        match self.of {
            Some(_) => vec![self.values(group) as f64],
            None => vec![f64::INFINITY],
        }
    }
    fn min_people(&self) -> u64 {
        if self.of.is_some() { self.l } else { 1 }
    }
    fn is_count_only(&self) -> bool {
        self.of.is_none()
    }

    fn judge_chain(&self, chain: &Chain) -> Result<Vec<Guarantee>> {
        chain.check_alike(INFO.name)?;
        let none = Least { least: u64::MAX, violations: 0 };
        let (mut both, mut new) = (none, none);
        let add = |least: &mut Least, found: u64| {
            least.least = least.least.min(found);
            least.violations += u64::from(found < self.l);
        };
        for (at, later) in chain.releases.iter().enumerate().skip(chain.judged.max(1)) {
            for earlier in &chain.releases[..at] {
                let grew = later.rows() > earlier.rows();
                for old in &earlier.classes {
                    for class in later.classes.iter().filter(|class| chain.comparable(old, class)) {
                        let (common, rest) = compared(old, class);
                        // Without a value in common nobody is in both.
                        if common > 0 {
                            add(&mut both, common);
                        }
                        if grew && rest > 0 {
                            add(&mut new, rest);
                        }
                    }
                }
            }
        }
        let found = [("l of both", both), ("l of new", new)];
        let judged = found.into_iter().filter(|(_, found)| found.least < u64::MAX);
        let guarantee = |(measure, found)| {
            let asked = (INFO.name, self.text.clone());
            Guarantee::at_least(asked, (measure, Scope::Earlier.name()), self.l, found)
        };
        Ok(judged.map(guarantee).collect())
    }
}

/// How many different values two classes share, and how many are left of the second once the
/// records of the first are taken away.
fn compared(first: &PublishedClass, second: &PublishedClass) -> (u64, u64) {
    let (mut common, mut rest) = (0, 0);
    for (value, n) in &second.values {
        let place = first.values.binary_search_by_key(value, |(value, _)| *value);
        let before = place.map_or(0, |place| first.values[place].1);
        common += u64::from(before > 0);
        rest += u64::from(*n > before);
    }
    (common, rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn class(values: &[(u32, u64)]) -> PublishedClass {
        PublishedClass { cells: Vec::new(), values: values.to_vec() }
    }

    proptest! {
        /// Beside records that are taken away one by one.
        #[test]
        fn what_is_left_is_counted(
            first in prop::collection::vec(0u32..4, 0..8),
            second in prop::collection::vec(0u32..4, 0..8),
        ) {
            let of = |records: &[u32]| {
                let count = |value: u32| records.iter().filter(|one| **one == value).count() as u64;
                let all: Vec<(u32, u64)> = (0..4).map(|value| (value, count(value))).collect();
                class(&all.into_iter().filter(|(_, n)| *n > 0).collect::<Vec<_>>())
            };
            let mut rest = second.clone();
            for one in &first {
                if let Some(at) = rest.iter().position(|other| other == one) {
                    rest.remove(at);
                }
            }
            let different = |mut records: Vec<u32>| {
                records.sort_unstable();
                records.dedup();
                records.len() as u64
            };
            let common: Vec<u32> =
                second.iter().copied().filter(|one| first.contains(one)).collect();
            prop_assert_eq!(
                compared(&of(&first), &of(&second)),
                (different(common), different(rest))
            );
        }
    }
}
