//! Flow size: every count of a matrix of origins and destinations that is published is of at least
//! k
//! people.

use sfumato_core::Result;
use sfumato_core::facts::{Fact, Facts, Hiding, cannot_state};
use sfumato_core::group::Guarantee;
use sfumato_core::registry::{About, Disclosure, Info, ParamKind, ParamSpec, Params};

use super::{PathModel, PathRequirement};

/// The model.
pub struct FlowSize;

static INFO: Info = Info {
    name: "flow-size",
    summary: "every published count of people who went from one place to another is at least k",
    params: &[ParamSpec::required(
        "k",
        ParamKind::Integer { min: 1, max: i64::MAX },
        "the least number of people that is published",
    )],
    doc: "\
## What it promises

What is published is a matrix: how many people began at a place and ended at another. No count \
below \
`k` is in it, so that nobody is alone, or among few, on a way that is published.

## Against whom it does not hold

Somebody who knows the totals of a row or a column finds the sum of what is missing in it: no \
totals \
are published. Two matrices of almost the same people differ by those who came or went; ask for \
`geometric-flows` where that matters.
",
    about: About { asks: &[Fact::Hiding(Hiding::Copies)], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

struct Requirement {
    k: u64,
    text: String,
}

impl PathModel for FlowSize {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<Box<dyn PathRequirement>> {
        Ok(Box::new(Requirement { k: params.count("k"), text: params.describe() }))
    }
}

impl PathRequirement for Requirement {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn words(&self) -> String {
        format!("at least {} people in every published count", self.k)
    }
    fn flows(&self) -> Option<u64> {
        Some(self.k)
    }
    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>> {
        let found = facts
            .least(Hiding::Copies, self.k)?
            .ok_or_else(|| cannot_state(INFO.name, "how many people each count is of", facts))?;
        Ok(vec![Guarantee::at_least((INFO.name, self.describe()), ("k", "count"), self.k, found)])
    }
}
