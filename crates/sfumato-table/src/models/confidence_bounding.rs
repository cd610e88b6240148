//! Confidence bounding: at most a share h of the people of any class has the same sensitive value.

use sfumato_core::Result;
use sfumato_core::group::Summary;
use sfumato_core::registry::{About, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement};

use crate::models::bound;
use crate::models::confidence::{self, Watched};
use crate::models::exact::Ratio;

/// The model `confidence-bounding`, an entry of the registry.
pub struct ConfidenceBounding;

static INFO: Info = Info {
    name: "confidence-bounding",
    summary: "in every class at most a share h of the people has any one sensitive value",
    papers: &[
        Paper {
            authors: "K. Wang, B. C. M. Fung, P. S. Yu",
            title: "Template-based privacy preservation in classification problems",
            venue: "IEEE International Conference on Data Mining (ICDM)",
            year: 2005,
        },
        Paper {
            authors: "K. Wang, B. C. M. Fung, P. S. Yu",
            title: "Handicapping attacker's confidence: an alternative to k-anonymization",
            venue: "Knowledge and Information Systems 11(3)",
            year: 2007,
        },
    ],
    params: &[
        ParamSpec::required(
            "h",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "the largest share of a class's people with the same value",
        ),
        bound::ON,
        confidence::VALUES,
    ],
    doc: "\
## What it promises

Whoever knows a person's quasi values can conclude a guarded value of that person with a \
confidence of at most
`h`: the privacy template `<quasi columns -> value, h>` for each guarded value.

## What it does not stop

Finding a person's record. If only some values are guarded, a class may be a single person with \
another value.
Add k-anonymity, or use (alpha,k)-anonymity, which has both. Values that mean nearly the same are \
bounded one
by one, not together.

## Parameters

`h` is read as an exact decimal. `values` lists the values to guard; without it all values of the \
column are
guarded, a missing value included. `on` names the sensitive column. Ask the model several times \
for values
with different bounds.

## Cost

One histogram per class. Compared in whole numbers: a share of exactly `h` passes.

## Deviations

With a subject column a share is the people who have the value over the people of the class.

## Monotonicity

Monotone with one record per person: the share in a union lies between the shares in its parts. \
Not monotone
with a subject column: two classes of the same two people, one ill in each, merge to a class where \
both are.
",
    about: About::SENSITIVE_VALUES,
    ..Info::DEFAULT
};

impl Model for ConfidenceBounding {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let h = Ratio::of_param(&INFO, params, "h")?;
        bound::per_column(&INFO, params, bind, |column, text| {
            let watched = Watched::of_params(&INFO, params, bind, column)?;
            Ok(Box::new(AtMostConfident { h, watched, column, text }))
        })
    }
}

struct AtMostConfident {
    h: Ratio,
    watched: Watched,
    column: usize,
    text: String,
}

impl AtMostConfident {
    fn max_count(&self, group: &Summary) -> u64 {
        self.watched.max_count(bound::histogram(group, self.column))
    }
}

impl Requirement for AtMostConfident {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn histograms(&self) -> Vec<usize> {
        vec![self.column]
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        confidence::within(self.max_count(group), group.people, self.h)
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "h", required: self.h.to_f64(), direction: Direction::AtMost }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![confidence::confidence(self.max_count(group), group.people)]
    }
    fn min_people(&self) -> u64 {
        self.watched.min_people(self.h)
    }
}
