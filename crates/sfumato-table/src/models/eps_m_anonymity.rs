//! (eps,m)-anonymity: at most one in m people of a class has a number within eps of any number in
//! it.

use std::cmp::Ordering;

use sfumato_core::Result;
use sfumato_core::group::Summary;
use sfumato_core::registry::{About, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement};

use crate::models::bound;
use crate::models::exact::Ratio;
use crate::models::numbers::Numbers;

/// The model `eps-m-anonymity`, an entry of the registry.
pub struct EpsMAnonymity;

static INFO: Info = Info {
    name: "eps-m-anonymity",
    summary: "in every class at most one in m people has a number within eps of any one number",
    papers: &[Paper {
        authors: "J. Li, Y. Tao, X. Xiao",
        title: "Preservation of proximity privacy in publishing numerical sensitive data",
        venue: "ACM SIGMOD International Conference on Management of Data",
        year: 2008,
    }],
    params: &[
        ParamSpec::required(
            "eps",
            ParamKind::Number { min: 0.0, above: false, max: f64::MAX },
            "how close two numbers are alike, in the column's unit",
        ),
        ParamSpec::required(
            "m",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "at most one in m people may be alike",
        ),
        bound::ON,
    ],
    doc: "\
## What it promises

Whoever finds a person's class can say with a confidence of at most `1/m` that the person's number \
lies within
`eps` of any number `x` in the class: the share of people in `[x - eps, x + eps]` is at most `1/m` \
for every
`x`.

## What it does not stop

Learning that a number isn't in the class at all. Finding a person's record beyond `m`-anonymity, \
which it
implies.

## Parameters

`eps` is read as an exact decimal, in the unit of the column: days for dates, seconds for times; \
both ends of
the interval belong to it. `m` is a whole number; the report gives the achieved `m`, which is 1 \
over the
largest share. `on` names the sensitive column, which must hold numbers, dates or times.

## Cost

One histogram per class, a sort of its numbers and one pass over them.

## Deviations

This is the variant with an absolute distance. Exact for whole and decimal numbers, dates and \
times; for
floats a distance that exceeds `eps` by rounding only (1e-9 of `eps`) counts as alike. A missing \
value counts
as a value of its own, alike only to other missing ones. With a subject column a person with two \
numbers in
the interval counts twice, up to the number of people: the share is never understated.

## Monotonicity

Not monotone: with `eps = 5` and `m = 2` the classes {5, 100} and {0, 10} hold, and their union \
fails, because
three of its four numbers lie within 5 of 5. Algorithms that stop early must check what they \
publish.
",
    about: About::SENSITIVE_VALUES,
    ..Info::DEFAULT
};

impl Model for EpsMAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let (eps, m) = (Ratio::of_param(&INFO, params, "eps")?, params.count("m"));
        bound::per_column(&INFO, params, bind, |column, text| {
            let numbers = Numbers::of_column(&INFO, bind, column)?;
            Ok(Box::new(Proximity { eps, m, numbers, column, text }))
        })
    }
}

struct Proximity {
    eps: Ratio,
    m: u64,
    numbers: Numbers,
    column: usize,
    text: String,
}

impl Proximity {
    /// The largest number of people whose numbers lie within eps of one number.
    fn crowd(&self, group: &Summary) -> u64 {
        let histogram = bound::histogram(group, self.column);
        let sorted = self.numbers.sorted(histogram);
        let near =
            |a: i64, b: i64| self.numbers.compare_distance(a, b, self.eps) != Ordering::Greater;
        let mut most = self.numbers.missing(histogram);
        // Both ends of the interval only move up as its middle does.
        let (mut first, mut end, mut inside) = (0, 0, 0u64);
        for (middle, _) in &sorted {
            while end < sorted.len() && (sorted[end].0 <= *middle || near(*middle, sorted[end].0)) {
                inside += sorted[end].1;
                end += 1;
            }
            while !near(sorted[first].0, *middle) {
                inside -= sorted[first].1;
                first += 1;
            }
            most = most.max(inside);
        }
        most.min(group.people)
    }
}

impl Requirement for Proximity {
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
        u128::from(self.crowd(group)) * u128::from(self.m) <= u128::from(group.people)
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "m", required: self.m as f64, direction: Direction::AtLeast }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![group.people as f64 / self.crowd(group) as f64]
    }
    fn min_people(&self) -> u64 {
        self.m
    }
}
