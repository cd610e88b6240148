//! (X,Y)-anonymity: whoever agrees on X has at least k different values of Y.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::group::Summary;
use sfumato_core::registry::{About, Disclosure, Info, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, Scope};

use crate::models::{bound, xy};

/// The model `xy-anonymity`, an entry of the registry.
pub struct XyAnonymity;

static INFO: Info = Info {
    name: "xy-anonymity",
    summary: "people who agree on the columns X have at least k different values of Y",
    papers: &[xy::WANG_FUNG],
    params: &[xy::X, bound::K, bound::ON],
    doc: "\
## What it promises

Whoever knows a person's values in the columns `x` finds at least `k` different values of the \
sensitive column
Y, which `on` names. It says of Y what k-anonymity says of records: k records of one patient are \
one patient.

## What it does not stop

Guessing well: one value of Y may be that of nearly everybody. (X,Y)-linkability bounds that.

## Parameters

`x` lists quasi columns; without it all of them, and then this is distinct l-diversity with `l = \
k`. `on` is
Y. To count people rather than values, name the subject column instead: every model counts \
distinct people then.

Algorithms that recode every column on its own serve it, as `full-domain` does; those that make \
classes one by
one don't see groups that several classes make.

## Cost

One grouping of the classes, and one histogram per group.

## Deviations

X and Y are disjoint, since Y is a sensitive column. With a subject column a group must have at \
least `k` people
besides `k` values.

## Monotonicity

Monotone, with or without a subject column: merging loses neither values nor people.
",
    about: About {
        asks: &[Fact::Projections],
        limits: &[Disclosure::Identity, Disclosure::Attribute],
    },
    ..Info::DEFAULT
};

impl Model for XyAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let (k, scope) = (params.count("k"), xy::scope(&INFO, params, bind)?);
        bound::per_column(&INFO, params, bind, |column, text| {
            Ok(Box::new(Different { k, scope: scope.clone(), column, text }))
        })
    }
}

struct Different {
    k: u64,
    scope: Scope,
    column: usize,
    text: String,
}

impl Different {
    fn values(&self, group: &Summary) -> u64 {
        (bound::histogram(group, self.column).distinct() as u64).min(group.people)
    }
}

impl Requirement for Different {
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
    fn is_absorbing(&self) -> bool {
        true
    }
    fn histograms(&self) -> Vec<usize> {
        vec![self.column]
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        self.values(group) >= self.k
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "k", required: self.k as f64, direction: Direction::AtLeast }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![self.values(group) as f64]
    }
    fn min_people(&self) -> u64 {
        self.k
    }
}
