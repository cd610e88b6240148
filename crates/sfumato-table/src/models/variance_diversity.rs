//! Variance diversity: the numbers of every class have a variance of at least v.

use std::cmp::Ordering;

use sfumato_core::Result;
use sfumato_core::group::{Sampling, Summary};
use sfumato_core::registry::{About, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, TOLERANCE};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::models::bound;
use crate::models::exact::{Natural, Ratio};
use crate::models::numbers::Numbers;

/// The model `variance-diversity`, an entry of the registry.
pub struct VarianceDiversity;

static INFO: Info = Info {
    name: "variance-diversity",
    summary: "the numbers of every class have a variance of at least v",
    papers: &[
        Paper {
            authors: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan",
            title: "Workload-aware anonymization",
            venue: "ACM SIGKDD International Conference on Knowledge Discovery and Data Mining \
                (KDD)",
            year: 2006,
        },
        Paper {
            authors: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan",
            title: "Workload-aware anonymization techniques for large-scale datasets",
            venue: "ACM Transactions on Database Systems 33(3)",
            year: 2008,
        },
    ],
    params: &[
        ParamSpec::required(
            "v",
            ParamKind::Number { min: 0.0, above: false, max: f64::MAX },
            "the least variance, in the square of the column's unit",
        ),
        bound::ON,
    ],
    doc: "\
## What it promises

The numbers of every class are dispersed: their variance, the mean square distance from their \
mean, is at
least `v`. Unlike l-diversity it doesn't take the salaries 100, 101 and 102 for diverse.

## What it does not stop

Guessing well: one far value makes a variance, while all others may be equal. Combine it with \
l-diversity or
(eps,m)-anonymity, and with k-anonymity against finding a record.

## Parameters

`v` is read as an exact decimal, in the square of the column's unit: square days for dates, square \
seconds for
times. The variance is that of the class itself (divided by `n`, not by `n - 1`). `on` names the \
sensitive
column, which must hold numbers, dates or times.

## Cost

One histogram per class and one pass over its numbers.

From a sample the second paper's test says whether a part of a split into `m` will hold: `(ni - 1) \
s^2 / v`, with the
sample variance `s^2` of its `ni` sampled numbers, must be at least the point that leaves `alpha / \
m` of the chi-square
distribution with `ni - 1` degrees of freedom above it. Numbers that aren't normally distributed \
make it a rule of thumb.
Where the sample is everything, the definition itself is asked.

## Deviations

Exact for whole and decimal numbers, dates and times, as `n * sum(x^2) - sum(x)^2 >= v * n^2` in \
whole numbers
of any size; for floats a variance that misses `v` by rounding only (1e-9 of `v`) passes. A \
missing value is
no number and is left out; a class without numbers has variance 0. With a subject column the \
variance is over
pairs of person and value.

## Monotonicity

Monotone with one record per person: the variance of a union is the mean of the parts' variances, \
by size,
plus the variance of their means. Not monotone with a subject column, where a person in both parts \
counts
once.
",
    about: About::SENSITIVE_VALUES,
    ..Info::DEFAULT
};

impl Model for VarianceDiversity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let v = Ratio::of_param(&INFO, params, "v")?;
        bound::per_column(&INFO, params, bind, |column, text| {
            let numbers = Numbers::of_column(&INFO, bind, column)?;
            Ok(Box::new(Dispersed { v, numbers, column, text }))
        })
    }
}

struct Dispersed {
    v: Ratio,
    numbers: Numbers,
    column: usize,
    text: String,
}

impl Dispersed {
    fn sorted(&self, group: &Summary) -> Vec<(i64, u64)> {
        self.numbers.sorted(bound::histogram(group, self.column))
    }

    /// The variance in floating point: of distances from the smallest number, which is precise if
    /// numbers are large and close, and in units of the largest, so that nothing overflows early.
    fn variance(&self, sorted: &[(i64, u64)]) -> f64 {
        let (Some((low, _)), Some((high, _))) = (sorted.first(), sorted.last()) else {
            return 0.0;
        };
        let too_far = self.numbers.distance(*low, *high).is_infinite();
        let value = |key: i64| {
            if too_far { self.numbers.value(key) } else { self.numbers.distance(*low, key) }
        };
        let largest = sorted.iter().map(|(key, _)| value(*key).abs()).fold(0.0, f64::max);
        if largest == 0.0 {
            return 0.0;
        }
        let n: f64 = sorted.iter().map(|(_, count)| *count as f64).sum();
        let average = |f: &dyn Fn(f64) -> f64| {
            sorted.iter().map(|(key, count)| f(value(*key) / largest) * *count as f64).sum::<f64>()
                / n
        };
        let mean = average(&|x| x);
        average(&|x| (x - mean) * (x - mean)) * largest * largest
    }

    /// Compare the variance of whole keys with v. The variance doesn't change if all numbers are
    /// shifted, so the smallest is taken as 0.
    fn compare(&self, sorted: &[(i64, u64)]) -> Ordering {
        let low = sorted.first().map_or(0, |(key, _)| *key);
        let terms = || {
            sorted.iter().map(|(key, count)| (u128::from(low.abs_diff(*key)), u128::from(*count)))
        };
        let n: u128 = terms().map(|(_, count)| count).sum();
        if n == 0 {
            return self.v.compare(&[0], &[1]);
        }
        let under = [self.numbers.unit(), self.numbers.unit(), n, n];
        match spread(terms(), n) {
            Some(spread) => self.v.compare(&[spread], &under),
            None => {
                let (mut sum, mut squares) = (Natural::default(), Natural::default());
                for (x, count) in terms() {
                    sum = sum.plus(&Natural::product(&[x, count]));
                    squares = squares.plus(&Natural::product(&[x, x, count]));
                }
                self.v.compare_difference(&squares.times(n), &sum.times_natural(&sum), &under)
            }
        }
    }
}

/// `n * sum(c x^2) - (sum(c x))^2`, or `None` beyond 128 bits.
fn spread(terms: impl Iterator<Item = (u128, u128)>, n: u128) -> Option<u128> {
    let (mut sum, mut squares) = (0u128, 0u128);
    for (x, count) in terms {
        let weighted = x.checked_mul(count)?;
        sum = sum.checked_add(weighted)?;
        squares = squares.checked_add(weighted.checked_mul(x)?)?;
    }
    squares.checked_mul(n)?.checked_sub(sum.checked_mul(sum)?)
}

impl Requirement for Dispersed {
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
        let sorted = self.sorted(group);
        if self.numbers.is_float() {
            let v = self.v.to_f64();
            return self.variance(&sorted) >= v - TOLERANCE * v;
        }
        self.compare(&sorted) != Ordering::Less
    }
    fn likely(
        &self,
        sample: &Summary,
        release: &Summary,
        sampling: &Sampling,
        n_parts: usize,
    ) -> bool {
        if sampling.is_whole() {
            return self.holds(sample, release);
        }
        let (v, sorted) = (self.v.to_f64(), self.sorted(sample));
        let n: u64 = sorted.iter().map(|(_, count)| count).sum();
        if v == 0.0 || n < 2 {
            return v == 0.0;
        }
        // The sum of squares around the mean: (n - 1) times the sample variance.
        let squares = self.variance(&sorted) * n as f64;
        let freedom = (n - 1) as f64;
        if sampling.is_naive() {
            return squares / freedom >= v;
        }
        let test = ChiSquared::new(freedom).expect("a positive number of degrees of freedom");
        squares / v > freedom && test.sf(squares / v) <= sampling.share(n_parts)
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "v", required: self.v.to_f64(), direction: Direction::AtLeast }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![self.variance(&self.sorted(group))]
    }
}
