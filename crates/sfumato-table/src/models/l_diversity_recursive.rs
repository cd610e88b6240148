//! Recursive (c,l)-diversity: the most frequent value isn't too frequent compared with the rare
//! ones.

use std::cmp::Ordering;

use sfumato_core::Result;
use sfumato_core::group::{Sampling, Summary};
use sfumato_core::registry::{
    About, Info, Paper, ParamKind, ParamSpec, Params, Probe, ProbedColumns,
};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement};

use crate::models::bound;
use crate::models::exact::Ratio;

/// The model `l-diversity-recursive`, an entry of the registry.
pub struct LDiversityRecursive;

static INFO: Info = Info {
    name: "l-diversity-recursive",
    summary: "in every class the most frequent value is rarer than c times all from the l-th on",
    papers: &[
        Paper {
            authors: "A. Machanavajjhala, J. Gehrke, D. Kifer, M. Venkitasubramaniam",
            title: "l-diversity: privacy beyond k-anonymity",
            venue: "IEEE International Conference on Data Engineering (ICDE)",
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
            "c",
            ParamKind::Number { min: 0.0, above: true, max: f64::MAX },
            "how many times the rare values the most frequent one may be",
        ),
        ParamSpec::required(
            "l",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the rank from which values count as rare",
        ),
        ParamSpec::with_default("strict", ParamKind::Flag, "true", "whether equality fails"),
        bound::ON,
    ],
    doc: "\
## What it promises

Sort the counts of a class's sensitive values, `f1` the largest. Then `f1 < c * (fl + ... + fm)`. \
An attacker
who rules out up to `l - 2` values still faces a class where the most frequent value left isn't \
overwhelming.
The report gives the least `c` for which the worst class is on the bound, for the same `l`.

## What it does not stop

With a large `c` the most frequent value may still be held by most of the class: its share is at \
most `c / (c
+ 1)`. Values that are close in meaning or in number count as different.

## Parameters

`c` above 0 is read as an exact decimal. `l` is a whole number; `l = 1` always holds, by \
convention. A class
with fewer than `l` values has no rare ones and fails. `strict=false` lets equality pass (`<=`). A \
missing
value counts as a value of its own. `on` names the sensitive column.

## Cost

One histogram per class and a sort of its counts. Compared in whole numbers.

From a sample of `n` of `N` records the second paper's rule of thumb says whether a part of a \
split into `m` will
hold: with `p1 = f1 / ni` and `p2 = (fl + ... + fm) / ni` of its `ni` sampled records, `c p2 - p1` \
must exceed `z` times
the root of `(c^2 p2 (1 - p2) + p1 (1 - p1)) / (ni - 1) * (N - n) / N`, where `z` leaves `alpha / \
m` of the normal
distribution above it.

## Deviations

The original definition is strict, while textbooks also print it with `<=`: hence the flag. With a \
subject
column counts are people who have the value, and a class must have at least `l` people besides `l` \
values.

## Monotonicity

Monotone with one record per person: the sum of the counts from rank `l` on is the total without \
the `l - 1`
largest, which for a union is at least the sum of its parts', while the largest count is at most \
the sum of
its parts'. Not monotone with a subject column, where a person in both parts counts once.
",
    about: About::SENSITIVE_VALUES,
    probes: &[
        Probe { args: "c=1, l=2", on: ProbedColumns::All, variant: "l=2" },
        Probe { args: "c=1, l=3", on: ProbedColumns::All, variant: "l=3" },
    ],
    ..Info::DEFAULT
};

impl Model for LDiversityRecursive {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let (c, l) = (Ratio::of_param(&INFO, params, "c")?, params.count("l"));
        let strict = params.flag("strict");
        bound::per_column(&INFO, params, bind, |column, text| {
            Ok(Box::new(Recursive { c, l, strict, column, text }))
        })
    }
}

struct Recursive {
    c: Ratio,
    l: u64,
    strict: bool,
    column: usize,
    text: String,
}

impl Recursive {
    /// The largest count, and the sum of the counts from rank `l` on. The sum is 0 if there are too
    /// few values or people.
    fn head_and_tail(&self, group: &Summary) -> (u64, u64) {
        let histogram = bound::histogram(group, self.column);
        if (histogram.distinct() as u64) < self.l || group.people < self.l {
            return (histogram.max_count(), 0);
        }
        let mut counts: Vec<u64> = histogram.entries().iter().map(|(_, count)| *count).collect();
        let rank = self.l as usize - 1;
        // Only the cut at rank l matters, not the order on either side.
        counts.select_nth_unstable_by(rank, |a, b| b.cmp(a));
        (histogram.max_count(), counts[rank..].iter().sum())
    }
}

impl Requirement for Recursive {
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
        if self.l == 1 {
            return true;
        }
        let (head, tail) = self.head_and_tail(group);
        match self.c.compare(&[u128::from(head)], &[u128::from(tail)]) {
            Ordering::Less => true,
            Ordering::Equal => !self.strict && tail > 0,
            Ordering::Greater => false,
        }
    }
    fn likely(
        &self,
        sample: &Summary,
        release: &Summary,
        sampling: &Sampling,
        n_parts: usize,
    ) -> bool {
        if self.l == 1 || sampling.is_whole() || sampling.is_naive() {
            return sampling.enough(sample, self.l, n_parts) && self.holds(sample, release);
        }
        let (head, tail) = self.head_and_tail(sample);
        let n = bound::histogram(sample, self.column).total() as f64;
        if n < 2.0 || !sampling.enough(sample, self.l, n_parts) {
            return false;
        }
        let (c, p1, p2) = (self.c.to_f64(), head as f64 / n, tail as f64 / n);
        let variance =
            (c * c * p2 * (1.0 - p2) + p1 * (1.0 - p1)) / (n - 1.0) * sampling.correction();
        c * p2 - p1 > sampling.quantile(n_parts) * variance.sqrt()
    }
    fn measures(&self) -> Vec<Measure> {
        let direction = if self.strict { Direction::Below } else { Direction::AtMost };
        vec![Measure { name: "c", required: self.c.to_f64(), direction }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        if self.l == 1 {
            return vec![0.0];
        }
        let (head, tail) = self.head_and_tail(group);
        vec![if tail == 0 { f64::INFINITY } else { head as f64 / tail as f64 }]
    }
    fn min_people(&self) -> u64 {
        self.l
    }
}
