//! BCF-anonymity: releases to which records are only added, read together, still hide everybody
//! among k records.

use sfumato_core::chain::Chain;
use sfumato_core::facts::{Fact, Least};
use sfumato_core::group::{Guarantee, Sampling, Summary};
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, Scope};
use sfumato_core::{Error, Result};
use sfumato_kernels::correspondence::{Targets, attack};

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

## What it does not stop

- Learning a sensitive value: what is left of a class may have one alone.
- More than two releases read together: each two are judged, not what three say that no two do.
- Publishing anything about these people outside the chain. Records that were deleted, or whose \
values changed: for these
  there is m-invariance.

## Parameters

`k` is the least number of records that are left. `targets = any` takes every pair of classes \
whose quasi values can be one
person's, as the paper defines it; there `FA` is 0 as soon as two such classes share no sensitive \
value, although nobody can be in both.
`targets = possible` leaves out pairs, and classes, in which no target can be.

## Cost

Each pair of classes is compared once. Where columns are recoded as trees, counts of groups say \
the crack sizes; where regions
overlap otherwise, as those of `mondrian` and `peel` do, flows say them exactly.

## Deviations

The formulas of the paper hold for cuts of trees. Here it is looked at, group by group, whether \
they hold, and where they don't, flows
take their place. `BA` isn't asked where no record is new.

## Monotonicity

Generalizing the new release never cracks more: `FA`, `CA` and `BA` never fall.
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
        Ok(vec![
            Box::new(Together { k, targets, is_alone: true, text: text.clone() }),
            Box::new(Together { k, targets, is_alone: false, text }),
        ])
    }
}

/// `k` people in each class of the release alone, or beside what was published before.
struct Together {
    k: u64,
    targets: Targets,
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

    fn judge_chain(&self, chain: &Chain) -> Result<Vec<Guarantee>> {
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
        Ok(named.filter_map(|(name, found)| Some(self.guarantee(name, found?))).collect())
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
