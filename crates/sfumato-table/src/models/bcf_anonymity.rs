//! BCF-anonymity: releases to which records are only added, read together, still hide everybody
//! among k records.

use sfumato_core::chain::Chain;
use sfumato_core::facts::{Fact, Least};
use sfumato_core::group::{Guarantee, Sampling, Summary};
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, Scope, TOLERANCE};
use sfumato_core::{Error, Result};
use sfumato_kernels::correspondence::{Targets, attack, together};

use crate::models::bound;

/// The model `bcf-anonymity`, an entry of the registry.
pub struct BcfAnonymity;

static INFO: Info = Info {
    name: "bcf-anonymity",
    summary: "releases to which records are only added hide everybody among k records together",
    papers: &[Paper {
        authors: "B. C. M. Fung, K. Wang, A. W.-C. Fu, J. Pei",
        title: "Anonymity for continuous data publishing",
        venue: "EDBT",
        year: 2008,
    }],
    params: &[
        bound::K,
        ParamSpec::with_default(
            "targets",
            ParamKind::Choice(&["any", "possible"]),
            "any",
            "the classes that a target may be in: all by the quasi values, or those that somebody \
             can be in by the sensitive values too",
        ),
        ParamSpec::optional(
            "attacks",
            ParamKind::Choice(&["together", "pairs"]),
            "whether three and more releases are attacked together, or each two of them alone",
        ),
        ParamSpec::optional(
            "l",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the least number of different sensitive values among the records that are left",
        ),
        ParamSpec::optional(
            "confidence",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "the largest share of one sensitive value among the records that are left",
        ),
    ],
    doc: "\
## What it promises

Each release has all records of the one before it and new ones. Somebody knows that, and the quasi \
values of a person and since
when the person is in the data. A record that can't be the person's, because then records of one \
release would have none of their own in the
other, is cracked. At least `k` records of the person's class are left in three attacks, between \
each two releases:

- F: a person of both releases is looked for in the first, beside the second (`FA` records are \
left);
- C: the same person is looked for in the second, beside the first (`CA`, which is always `FA`);
- B: a person of the second alone is looked for there, beside the first (`BA`).

Every class of a release has `k` people, too. The first release of a chain promises nothing else.

Three and more releases are read together besides: whoever knows since when a person is in the \
data knows the person's class in
every release from then on. A record that any two of these classes, or those who were there \
before, rule out is cracked for all of
them. `k` records are left for everybody that there can be.

## What it does not stop

- Learning a sensitive value, unless `l` or `confidence` is given: what is left of a class may \
have one alone.
- What only a search through all ways in which records can correspond would find: each group is \
left what no two releases rule out.
- Publishing anything about these people outside the chain. Records that were deleted, or whose \
values changed: for these
  there is m-invariance.

## Parameters

`k` is the least number of records that are left. `targets = any` takes every pair of classes \
whose quasi values can be one
person's, as the paper defines it; there `FA` is 0 as soon as two such classes share no sensitive \
value, although nobody can be in both.
`targets = possible` leaves out pairs, and classes, in which no target can be.

`l` and `confidence` are about what is left once cracked records are taken away: at least so many \
different sensitive values, and none
with a larger share. `attacks`, where it is `pairs`, leaves out what \
three and more releases say together.

## Cost

All releases together: each combination of classes that one person can be in is looked at, and \
more than 5,000,000 are refused.
Each pair of classes is compared once. Where columns are recoded as trees, counts of groups say \
the crack sizes; where regions
overlap otherwise, as those of `mondrian` and `peel` do, flows say them exactly.

## Deviations

The formulas of the paper hold for cuts of trees. Here it is looked at, group by group, whether \
they hold, and where they don't, flows
take their place. `BA` isn't asked where no record is new.

## Monotonicity

Generalizing the new release never cracks more: `FA`, `CA` and `BA` never fall. \
Shares among what is left may rise, so with `confidence` the search may miss a release that \
there is.
",
    about: About { asks: &[Fact::Classes, Fact::Earlier], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

impl Model for BcfAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, _: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let (k, text) = (params.count("k"), params.describe());
        let targets = match params.text("targets") {
            Some("possible") => Targets::Possible,
            Some("any") => Targets::Any,
            other => {
                let said = other.unwrap_or("nothing");
                return Err(Error::params(format!("targets are any or possible, not {said}")));
            }
        };
        let beyond = Beyond {
            by_pairs: params.text("attacks") == Some("pairs"),
            l: params.optional_integer("l").map(|l| l.unsigned_abs()),
            confidence: params.optional_number("confidence"),
        };
        Ok(vec![
            Box::new(Together { k, targets, beyond, is_alone: true, text: text.clone() }),
            Box::new(Together { k, targets, beyond, is_alone: false, text }),
        ])
    }
}

/// What is asked of all releases together.
#[derive(Clone, Copy)]
struct Beyond {
    by_pairs: bool,
    l: Option<u64>,
    confidence: Option<f64>,
}

/// The worst that is left of anybody's classes in all releases.
struct Worst {
    records: Least,
    values: Least,
    share: f64,
    shares_above: u64,
}

/// `k` people in each class of the release alone, or beside what was published before.
struct Together {
    k: u64,
    targets: Targets,
    beyond: Beyond,
    is_alone: bool,
    text: String,
}

impl Together {
    fn guarantee(&self, measure: &'static str, found: Least) -> Guarantee {
        let asked = (INFO.name, self.text.clone());
        Guarantee::at_least(asked, (measure, Scope::Earlier.name()), self.k, found)
    }
}

impl Requirement for Together {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn scope(&self) -> Scope {
        if self.is_alone { Scope::Class } else { Scope::Earlier }
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn is_absorbing(&self) -> bool {
        true
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        group.people >= self.k
    }
    fn likely(&self, sample: &Summary, _: &Summary, sampling: &Sampling, n_parts: usize) -> bool {
        sampling.enough(sample, self.k, n_parts)
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
        true
    }

    fn judges_first(&self) -> bool {
        !self.is_alone && (self.beyond.l.is_some() || self.beyond.confidence.is_some())
    }

    fn judge_chain(&self, chain: &Chain) -> Result<Vec<Guarantee>> {
        chain.check_alike(INFO.name)?;
        let mut worst: [Option<Least>; 3] = [None; 3];
        for (at, second) in chain.releases.iter().enumerate().skip(chain.judged.max(1)) {
            for first in &chain.releases[..at] {
                let found = attack(chain, (first, second), self.targets, self.k)?;
                let all = [Some(found.forward), Some(found.cross), found.backward];
                for (worst, found) in worst.iter_mut().zip(all) {
                    *worst = both(*worst, found);
                }
            }
        }
        let named = ["FA", "CA", "BA"].into_iter().zip(worst);
        let pairs = named.filter_map(|(name, found)| Some(self.guarantee(name, found?)));
        Ok(pairs.chain(self.judge_together(chain)?).collect())
    }
}

impl Together {
    /// What all releases together leave. Classes that nobody can be in leave nothing, and don't
    /// count.
    fn judge_together(&self, chain: &Chain) -> Result<Vec<Guarantee>> {
        let Beyond { by_pairs, l, confidence } = self.beyond;
        let is_more = chain.releases.len() > 2 && !by_pairs;
        if !is_more && l.is_none() && confidence.is_none() {
            return Ok(Vec::new());
        }
        let none = Least { least: u64::MAX, violations: 0 };
        let mut worst = Worst { records: none, values: none, share: 0.0, shares_above: 0 };
        together(chain, &mut |left| {
            let records: u64 = left.values.iter().map(|(_, n)| n).sum();
            if records == 0 {
                return;
            }
            let most = left.values.iter().map(|(_, n)| *n).max().unwrap_or(0);
            let share = most as f64 / records as f64;
            let values = left.values.len() as u64;
            for (least, found, asked) in
                [(&mut worst.records, records, self.k), (&mut worst.values, values, l.unwrap_or(0))]
            {
                least.least = least.least.min(found);
                least.violations += u64::from(found < asked);
            }
            worst.share = worst.share.max(share);
            worst.shares_above +=
                u64::from(confidence.is_some_and(|most| share > most + TOLERANCE));
        })?;
        let asked = |name, required, found| {
            let what = (INFO.name, self.text.clone());
            Guarantee::at_least(what, (name, Scope::Earlier.name()), required, found)
        };
        let records = is_more.then(|| asked("together", self.k, worst.records));
        let values = l.map(|l| asked("l together", l, worst.values));
        let shares = confidence.map(|required| Guarantee {
            model: INFO.name,
            requirement: self.text.clone(),
            scope: Scope::Earlier.name(),
            measure: Measure {
                name: "confidence together",
                required,
                direction: Direction::AtMost,
            },
            achieved: worst.share,
            holds: worst.shares_above == 0,
            violations: worst.shares_above,
        });
        Ok([records, values, shares].into_iter().flatten().collect())
    }
}

/// The less of two least counts.
fn both(one: Option<Least>, other: Option<Least>) -> Option<Least> {
    match (one, other) {
        (Some(one), Some(other)) => Some(Least {
            least: one.least.min(other.least),
            violations: one.violations + other.violations,
        }),
        (one, other) => one.or(other),
    }
}
