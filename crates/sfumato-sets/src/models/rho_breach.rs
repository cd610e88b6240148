//! No rho1-to-rho2 breach: what is published of a record makes nothing that was unlikely about it
//! likely.

use sfumato_core::facts::{Fact, Facts, Hiding, cannot_state};
use sfumato_core::group::Guarantee;
use sfumato_core::registry::{About, Disclosure, Info, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Direction, Measure};
use sfumato_core::{Error, Result};

use crate::algorithms::randomization::papers::BREACHES;
use crate::traits::{SetModel, SetRequirement};

/// The model.
pub struct RhoBreach;

static INFO: Info = Info {
    name: "rho1-rho2-breach",
    summary: "whatever was true of a record with probability at most rho1 before the release is \
        with probability below rho2 after it",
    papers: &[BREACHES],
    params: &[
        ParamSpec::required(
            "rho1",
            ParamKind::Number { min: 0.0, above: true, max: 0.9 },
            "what is unlikely: at most this probability, for whoever doesn't see the release",
        ),
        ParamSpec::required(
            "rho2",
            ParamKind::Number { min: 0.0, above: true, max: 0.999 },
            "what would be a breach: at least this probability, for whoever sees it",
        ),
    ],
    doc: "\
## What it promises

A record is random to whoever doesn't know it: with some probability it has a property, such as an \
item, a combination of items, or that it is one of a list of sets. If
that probability was at most `rho1`, then it is below `rho2` for whoever has seen what is \
published of the record. That holds for every property and for every
prior probability of sets, and whatever is published of other records.

It follows from the amplification of the operator that drew the sets: if no record makes something \
likelier than another record of the same size by a factor of
`rho2 (1 - rho1) / (rho1 (1 - rho2))` or more, there is no such breach.

## Against whom it does not hold

- Somebody to whom the property was likelier than `rho1` before.
- Somebody who sees several releases of the same records: each has its own factor, and they \
multiply.
- Nobody learns from it who is in the data, or how many items a record has: sizes are published, \
and so are the names of all items that any record has.

## Checking

Of a mechanism, not of a file: no row can be said to be right or wrong. A run computes the \
amplification of the operator that it used, and compares with it how many items were
kept and added in all records; an audit computes it from the operator that the manifest tells.
",
    about: About { asks: &[Fact::Amplification], limits: &[Disclosure::Attribute] },
    ..Info::DEFAULT
};

/// The model with its parameters.
struct Requirement {
    bound: f64,
    text: String,
}

impl SetModel for RhoBreach {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<Box<dyn SetRequirement>> {
        let (rho1, rho2) = (params.number("rho1"), params.number("rho2"));
        if rho1 >= rho2 {
            return Err(Error::params("rho1-rho2-breach: rho1 must be smaller than rho2")
                .hint("what was unlikely must not become likely, as with rho1=0.05, rho2=0.5"));
        }
        let bound = rho2 * (1.0 - rho1) / (rho1 * (1.0 - rho2));
        Ok(Box::new(Requirement { bound, text: params.describe() }))
    }
}

impl SetRequirement for Requirement {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    /// No count of records says anything about a mechanism.
    fn asks(&self) -> Vec<(Hiding, u64)> {
        Vec::new()
    }
    fn amplification(&self) -> Option<f64> {
        Some(self.bound)
    }
    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>> {
        let Some(found) = facts.amplification() else {
            return Err(cannot_state(INFO.name, Fact::Amplification.describe(), facts));
        };
        // A breach is a probability of at least rho2, so that the bound itself is too much.
        let holds = found < self.bound;
        Ok(vec![Guarantee {
            model: INFO.name,
            requirement: self.describe(),
            scope: "mechanism",
            measure: Measure {
                name: "amplification",
                required: self.bound,
                direction: Direction::Below,
            },
            achieved: found,
            holds,
            violations: u64::from(!holds),
        }])
    }
}
