//! (k,e)-anonymity: k different numbers in every class, spread over a range of at least e.

use std::cmp::Ordering;

use sfumato_core::Result;
use sfumato_core::group::Summary;
use sfumato_core::registry::{About, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement};

use crate::models::bound;
use crate::models::exact::Ratio;
use crate::models::numbers::Numbers;

/// The model `k-e-anonymity`, an entry of the registry.
pub struct KEAnonymity;

static INFO: Info = Info {
    name: "k-e-anonymity",
    summary: "every class has at least k different numbers over a range of at least e",
    papers: &[Paper {
        authors: "Q. Zhang, N. Koudas, D. Srivastava, T. Yu",
        title: "Aggregate query answering on anonymized tables",
        venue: "IEEE International Conference on Data Engineering (ICDE)",
        year: 2007,
    }],
    params: &[
        ParamSpec::required(
            "k",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the least number of different numbers",
        ),
        ParamSpec::required(
            "e",
            ParamKind::Number { min: 0.0, above: false, max: f64::MAX },
            "the least range, in the column's unit",
        ),
        bound::ON,
    ],
    doc: "\
## What it promises

Whoever finds a person's class sees at least `k` different numbers, the smallest and the largest \
at least `e`
apart.

## What it does not stop

Proximity: one far value makes the range, while all others lie close together, so that a person's \
number is
known nearly. The (7,50)-anonymous salaries 30, 31, 30, 32, 35, 34, 33, 32, 35, 80 put nine of ten \
between 30
and 35. (eps,m)-anonymity bounds that, variance diversity asks for spread.

## Parameters

`k` is the least number of different numbers; note that it isn't the `k` of k-anonymity, though it \
implies it.
`e` is the least range, read as an exact decimal, in the unit of the column: days for dates, \
seconds for
times. `on` names the sensitive column, which must hold numbers, dates or times.

## Cost

One histogram per class and a sort of its numbers.

## Deviations

Exact for whole and decimal numbers, dates and times; for floats a range that misses `e` by \
rounding only
(1e-9 of `e`) passes. A missing value is no number and counts neither for `k` nor for `e`. With a \
subject
column a class must have at least `k` people besides `k` numbers.

## Monotonicity

Monotone, with or without a subject column: merging loses neither numbers nor people.
",
    about: About::SENSITIVE_VALUES,
    ..Info::DEFAULT
};

impl Model for KEAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let (k, e) = (params.count("k"), Ratio::of_param(&INFO, params, "e")?);
        bound::per_column(&INFO, params, bind, |column, text| {
            let numbers = Numbers::of_column(&INFO, bind, column)?;
            Ok(Box::new(Ranged { k, e, numbers, column, text }))
        })
    }
}

struct Ranged {
    k: u64,
    e: Ratio,
    numbers: Numbers,
    column: usize,
    text: String,
}

impl Ranged {
    /// The number of different numbers (at most the number of people), the smallest and the
    /// largest.
    fn spread(&self, group: &Summary) -> (u64, i64, i64) {
        let sorted = self.numbers.sorted(bound::histogram(group, self.column));
        match (sorted.first(), sorted.last()) {
            (Some((low, _)), Some((high, _))) => {
                ((sorted.len() as u64).min(group.people), *low, *high)
            }
            _ => (0, 0, 0),
        }
    }
}

impl Requirement for Ranged {
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
        let (distinct, low, high) = self.spread(group);
        distinct >= self.k && self.numbers.compare_distance(low, high, self.e) != Ordering::Less
    }
    fn measures(&self) -> Vec<Measure> {
        vec![
            Measure { name: "k", required: self.k as f64, direction: Direction::AtLeast },
            Measure { name: "e", required: self.e.to_f64(), direction: Direction::AtLeast },
        ]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        let (distinct, low, high) = self.spread(group);
        vec![distinct as f64, self.numbers.distance(low, high)]
    }
    fn min_people(&self) -> u64 {
        self.k
    }
}
