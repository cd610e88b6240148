//! (X,Y)-linkability: of the people who agree on X at most a share h have one value of Y.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::group::Summary;
use sfumato_core::registry::{About, Disclosure, Info, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, Scope};

use crate::models::confidence::{self, Watched};
use crate::models::exact::Ratio;
use crate::models::{bound, xy};

/// The model `xy-linkability`, an entry of the registry.
pub struct XyLinkability;

static INFO: Info = Info {
    name: "xy-linkability",
    summary: "of the people who agree on the columns X at most a share h have one value of Y",
    papers: &[xy::WANG_FUNG],
    params: &[
        xy::X,
        ParamSpec::required(
            "h",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "the largest share of a group's people with the same value",
        ),
        bound::ON,
        confidence::VALUES,
    ],
    doc: "\
## What it promises

Whoever knows a person's values in the columns `x` concludes a guarded value of Y with a \
confidence of at
most `h`.

## What it does not stop

Finding out who a record is of: a group may be small. (X,Y)-privacy asks for `k` as well.

## Parameters

`x` lists quasi columns; without it all of them, and then this is confidence bounding. `on` is Y, \
`values` are
those of its values to guard; without it all are. `h` is read as an exact decimal.

Algorithms that recode every column on its own serve it, as `full-domain` does; those that make \
classes one by
one don't see groups that several classes make.

## Cost

One grouping of the classes, and one histogram per group.

## Deviations

None; the definition's bound is a share, which one edition calls k.

## Monotonicity

Monotone with one record per person.
",
    about: About { asks: &[Fact::Projections], limits: &[Disclosure::Attribute] },
    ..Info::DEFAULT
};

impl Model for XyLinkability {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let (h, scope) = (Ratio::of_param(&INFO, params, "h")?, xy::scope(&INFO, params, bind)?);
        bound::per_column(&INFO, params, bind, |column, text| {
            let watched = Watched::of_params(&INFO, params, bind, column)?;
            Ok(Box::new(Bounded { h, scope: scope.clone(), watched, column, text }))
        })
    }
}

struct Bounded {
    h: Ratio,
    scope: Scope,
    watched: Watched,
    column: usize,
    text: String,
}

impl Bounded {
    fn max_count(&self, group: &Summary) -> u64 {
        self.watched.max_count(bound::histogram(group, self.column))
    }
}

impl Requirement for Bounded {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn scope(&self) -> Scope {
        self.scope.clone()
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
