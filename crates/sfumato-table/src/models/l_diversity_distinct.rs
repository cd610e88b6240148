//! Distinct l-diversity: every class has at least l different sensitive values.

use sfumato_core::Result;
use sfumato_core::group::Summary;
use sfumato_core::registry::{
    About, Info, Paper, ParamKind, ParamSpec, Params, Probe, ProbedColumns,
};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement};

use crate::models::bound;

/// The model `l-diversity-distinct`, an entry of the registry.
pub struct LDiversityDistinct;

static INFO: Info = Info {
    name: "l-diversity-distinct",
    summary: "every class has at least l different sensitive values",
    papers: &[Paper {
        authors: "A. Machanavajjhala, J. Gehrke, D. Kifer, M. Venkitasubramaniam",
        title: "l-diversity: privacy beyond k-anonymity",
        venue: "IEEE International Conference on Data Engineering (ICDE)",
        year: 2006,
    }],
    params: &[
        ParamSpec::required(
            "l",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the least number of different values",
        ),
        bound::ON,
    ],
    doc: "\
## What it promises

No class is homogeneous: whoever finds a person's class still sees at least `l` different \
sensitive values,
and has to rule out `l - 1` of them to know the person's. It implies k-anonymity with `k = l`.

## What it does not stop

Guessing well. One value may be held by nearly everybody in the class, and the others once each; \
entropy or
recursive l-diversity or confidence bounding limit that. Values that differ in name but mean the \
same count as
different.

## Parameters

`l` is the least number of different values; a missing value counts as a value of its own. `on` \
names the
sensitive column.

## Cost

One histogram per class; the check itself is one comparison.

## Deviations

With a subject column one person may have several values. A class must then have at least `l` \
people besides
`l` values, because a class of one person with `l` diseases hides nothing. With one record per \
person this
asks for nothing new.

## Monotonicity

Monotone, with or without a subject column: merging loses neither values nor people.
",
    about: About::SENSITIVE_VALUES,
    probes: &[Probe { args: "l=1", on: ProbedColumns::All, variant: "" }],
    ..Info::DEFAULT
};

impl Model for LDiversityDistinct {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let l = params.count("l");
        bound::per_column(&INFO, params, bind, |column, text| {
            Ok(Box::new(Distinct { l, column, text }))
        })
    }
}

struct Distinct {
    l: u64,
    column: usize,
    text: String,
}

impl Distinct {
    fn diversity(&self, group: &Summary) -> u64 {
        (bound::histogram(group, self.column).distinct() as u64).min(group.people)
    }
}

impl Requirement for Distinct {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
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
        self.diversity(group) >= self.l
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "l", required: self.l as f64, direction: Direction::AtLeast }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![self.diversity(group) as f64]
    }
    fn min_people(&self) -> u64 {
        self.l
    }
}
