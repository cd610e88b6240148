//! m-invariance: whoever stays in the data is always published among the same m sensitive values.

use sfumato_core::chain::{Chain, ChainRelease, PublishedClass};
use sfumato_core::facts::{Fact, Least};
use sfumato_core::group::{Guarantee, Summary};
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, Scope};
use sfumato_core::{Error, FastMap, Result};

use crate::models::bound;

/// The model `m-invariance`, an entry of the registry.
pub struct MInvariance;

static INFO: Info = Info {
    name: "m-invariance",
    summary: "whoever stays in the data is always published among the same m sensitive values",
    papers: &[Paper {
        authors: "X. Xiao, Y. Tao",
        title: "m-Invariance: towards privacy preserving re-publication of dynamic datasets",
        venue: "SIGMOD",
        year: 2007,
    }],
    params: &[
        ParamSpec::required(
            "m",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the least number of different sensitive values of a group",
        ),
        bound::ON,
    ],
    doc: "\
## What it promises

A table is published again and again, with records inserted and deleted in between. Somebody knows \
a person's quasi values and
in which releases the person is, and reads all of them. The person's group has at least `m` \
sensitive values in each release, each of them as often as
the others, and always the same ones (the signature). So each of these values is the person's with \
probability 1/`m`, whatever was deleted.

A value that nobody has any more is kept in its group by a made-up record. The published table is \
then not true record by record. The
algorithm `m-invariant` makes such releases, beside a ledger and with a subject column, and \
`--made-up FILE` counts them by class.

## What it does not stop

- A person who leaves and comes back is a new one to the model. `m-invariant` gives such a person \
the old signature again.
- Values that change.
- Learning that somebody is in the data at all.

## Parameters

`m` is the number of values. `on` is the sensitive column; several without it are one value \
together.

## Cost

One look at the group of each person in each two releases that follow each other.

## Deviations

A group whose values all occur `c` times is as good as `c` groups with the same region, and is \
taken for these.

Who is who is only known to the holder, who says it with a subject column; made-up records need \
subjects of their own. Of released files alone the promise
is judged where that suffices: it fails if a group has fewer than `m` values, or some more often \
than others, and holds if all groups that somebody can be
in have the same signature in each two releases that follow each other. Anything else is said to \
be unknown.

## Monotonicity

Not monotone: two groups with different signatures make one in which values don't occur alike.
",
    about: About {
        asks: &[Fact::SensitiveValues, Fact::Earlier],
        limits: &[Disclosure::Attribute],
    },
    ..Info::DEFAULT
};

impl Model for MInvariance {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let (m, text) = (params.count("m"), params.describe());
        let columns = bind.on(params, &INFO)?;
        if columns.len() > 1 {
            return Err(Error::params("m-invariance is about one sensitive column")
                .hint("name it with on=COLUMN"));
        }
        let unique = columns.into_iter().map(|column| {
            Box::new(Unique { m, column, text: text.clone() }) as Box<dyn Requirement>
        });
        let same: Box<dyn Requirement> = Box::new(Invariant { m, text: text.clone() });
        Ok(unique.chain([same]).collect())
    }
}

/// The number of different values, or 0 where some occur more often than others.
fn alike(counts: impl Iterator<Item = u64> + Clone) -> u64 {
    let most = counts.clone().max().unwrap_or(0);
    match counts.clone().all(|count| count == most) {
        true => counts.count() as u64,
        false => 0,
    }
}

/// Every group has `m` values, all equally often.
struct Unique {
    m: u64,
    column: usize,
    text: String,
}

impl Unique {
    fn values(&self, group: &Summary) -> u64 {
        let entries = bound::histogram(group, self.column).entries();
        alike(entries.iter().map(|(_, count)| *count)).min(group.people)
    }
}

impl Requirement for Unique {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn is_monotone(&self) -> bool {
        false
    }
    fn histograms(&self) -> Vec<usize> {
        vec![self.column]
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        self.values(group) >= self.m
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "m", required: self.m as f64, direction: Direction::AtLeast }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![self.values(group) as f64]
    }
    fn min_people(&self) -> u64 {
        self.m
    }
}

/// Everybody keeps a signature.
struct Invariant {
    m: u64,
    text: String,
}

impl Requirement for Invariant {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn scope(&self) -> Scope {
        Scope::Earlier
    }
    fn asks_who_is_who(&self) -> bool {
        true
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn is_absorbing(&self) -> bool {
        true
    }
    fn holds(&self, _: &Summary, _: &Summary) -> bool {
        true
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "m", required: self.m as f64, direction: Direction::AtLeast }]
    }
    fn measure(&self, _: &Summary, _: &Summary) -> Vec<f64> {
        vec![f64::INFINITY]
    }
    fn is_count_only(&self) -> bool {
        true
    }

    fn judge_chain(&self, chain: &Chain) -> Result<Vec<Guarantee>> {
        chain.check_alike(INFO.name)?;
        let unique = self.unique(chain);
        let mut broken = 0;
        for at in chain.judged.max(1)..chain.releases.len() {
            let (before, now) = (&chain.releases[at - 1], &chain.releases[at]);
            broken += match (&before.people, &now.people) {
                (Some(_), Some(_)) => broken_signatures(before, now),
                // It fails already: who is who makes no difference.
                _ if !unique.holds => 0,
                _ if all_alike(chain, before, now) => 0,
                _ => return Err(who_is_who()),
            };
        }
        let measure =
            Measure { name: "broken signatures", required: 0.0, direction: Direction::AtMost };
        let same = Guarantee {
            model: INFO.name,
            requirement: self.text.clone(),
            scope: Scope::Earlier.name(),
            measure,
            achieved: broken as f64,
            holds: broken == 0,
            violations: broken,
        };
        Ok(vec![unique, same])
    }
}

impl Invariant {
    /// Whether all groups of the releases that weren't judged before have `m` values alike.
    fn unique(&self, chain: &Chain) -> Guarantee {
        let mut found = Least { least: u64::MAX, violations: 0 };
        let new = chain.releases[chain.judged.min(chain.releases.len())..].iter();
        for class in new.flat_map(|release| &release.classes) {
            let values = alike(class.values.iter().map(|(_, count)| *count));
            found.least = found.least.min(values);
            found.violations += u64::from(values < self.m);
        }
        let asked = (INFO.name, self.text.clone());
        Guarantee::at_least(asked, ("m", Scope::Earlier.name()), self.m, found)
    }
}

fn signature(class: &PublishedClass) -> Vec<u32> {
    class.values.iter().map(|(value, _)| *value).collect()
}

/// How many people of two releases have different signatures.
fn broken_signatures(before: &ChainRelease, now: &ChainRelease) -> u64 {
    let classes: FastMap<u32, u32> = before.people.iter().flatten().copied().collect();
    let is_broken = |(who, class): &&(u32, u32)| {
        classes.get(who).is_some_and(|old| {
            signature(&before.classes[*old as usize]) != signature(&now.classes[*class as usize])
        })
    };
    now.people.iter().flatten().filter(is_broken).count() as u64
}

/// Whether groups of two releases that somebody can be in both of have the same signature, whoever
/// that is.
fn all_alike(chain: &Chain, before: &ChainRelease, now: &ChainRelease) -> bool {
    before.classes.iter().all(|old| {
        let others = now.classes.iter().filter(|class| chain.comparable(old, class));
        others.into_iter().all(|class| signature(old) == signature(class))
    })
}

fn who_is_who() -> Error {
    Error::params(
        "m-invariance can't be judged on these files alone: groups that one person can be in have \
         different sensitive values, and the files don't say who is in which",
    )
    .hint(
        "the holder says who is who with --subject COLUMN (made-up records need subjects of their \
         own), or names the ledger",
    )
}
