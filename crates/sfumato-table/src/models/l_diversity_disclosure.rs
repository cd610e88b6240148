//! Positive and negative disclosure-recursive (c,l)-diversity: some values may be learnt, and of
//! some it may not even be learnt that a person doesn't have them.

use std::cmp::Ordering;

use sfumato_core::Result;
use sfumato_core::group::Summary;
use sfumato_core::registry::{About, Argument, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement};

use crate::models::bound;
use crate::models::confidence;
use crate::models::exact::Ratio;

/// The model `l-diversity-disclosure`, an entry of the registry.
pub struct LDiversityDisclosure;

static INFO: Info = Info {
    name: "l-diversity-disclosure",
    summary: "recursive (c,l)-diversity of the values that may not be learnt; others stay possible",
    papers: &[Paper {
        authors: "A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam",
        title: "l-diversity: privacy beyond k-anonymity",
        venue: "ACM Transactions on Knowledge Discovery from Data 1(1)",
        year: 2007,
    }],
    params: &[
        ParamSpec::required(
            "c",
            ParamKind::Number { min: 0.0, above: true, max: f64::MAX },
            "how many times the rare values the most frequent guarded one may be",
        ),
        ParamSpec::required(
            "l",
            ParamKind::Integer { min: 2, max: i64::MAX },
            "the rank from which values count as rare",
        ),
        ParamSpec::optional(
            "allowed",
            ParamKind::List,
            "values that may be learnt of a person, as [a, b]",
        ),
        ParamSpec::optional(
            "kept",
            ParamKind::List,
            "values of which it may not be learnt that a person doesn't have them",
        ),
        ParamSpec::with_default(
            "least",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "0",
            "the least share of every class with each value that is kept possible",
        ),
        bound::ON,
    ],
    doc: "\
## What it promises

Positive disclosure: values in `allowed`, such as `healthy`, may be learnt of a person. Let `y` be \
the rank of the
most frequent value of a class that isn't allowed, and `ry` its count. If `y` is below `l`, then \
`ry < c * (rl +
... + rm)`; otherwise `ry < c * (r(l-1) + ... + rm - ry)`. A class whose values are all allowed \
holds. Without
`allowed` this is recursive (c,l)-diversity.

Negative disclosure: each value in `kept` is that of at least a share `least` of every class, so \
that nobody is
known not to have it.

## What it does not stop

What recursive diversity doesn't: guesses are bounded by `c / (c + 1)`, and values close in \
meaning count as
different. Whoever has an allowed value may be known to have it.

## Parameters

`c` is read as an exact decimal, `l` is a whole number from 2. `allowed` and `kept` list values of \
the column that
`on` names; with several sensitive columns `on` is needed. `least` is the share of the kept values.

## Cost

One histogram per class and a sort of its counts. Compared in whole numbers.

## Deviations

The book of seeds only names these two variants; the definition is the paper's. With a subject \
column counts are
people who have the value, and a class with a value that isn't allowed must have at least `l` \
people.

## Monotonicity

Monotone with one record per person, which the paper proves. Not monotone with a subject column.
",
    about: About::SENSITIVE_VALUES,
    ..Info::DEFAULT
};

impl Model for LDiversityDisclosure {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let (c, l) = (Ratio::of_param(&INFO, params, "c")?, params.count("l"));
        let least = Ratio::of_param(&INFO, params, "least")?;
        let codes = |name: &str, column: usize| -> Result<Vec<u32>> {
            let values = params.list(name).unwrap_or_default();
            let mut codes = bind.codes_of(column, &values, &INFO)?;
            codes.sort_unstable();
            codes.dedup();
            Ok(codes)
        };
        let mut list: Vec<Box<dyn Requirement>> = Vec::new();
        for column in bind.on(params, &INFO)? {
            let on = ("on", Argument::Word(bind.sensitive[column].name.to_string()));
            list.push(Box::new(Disclosing {
                c,
                l,
                least,
                allowed: codes("allowed", column)?,
                kept: codes("kept", column)?,
                column,
                text: bound::describe(&INFO, params, [on]),
            }));
        }
        Ok(list)
    }
}

struct Disclosing {
    c: Ratio,
    l: u64,
    least: Ratio,
    /// Codes that may be learnt, ascending.
    allowed: Vec<u32>,
    /// Codes that must stay possible, ascending.
    kept: Vec<u32>,
    column: usize,
    text: String,
}

impl Disclosing {
    /// The count of the most frequent value that isn't allowed, and the sum it is compared with.
    /// `None` if all values are allowed.
    fn head_and_tail(&self, group: &Summary) -> Option<(u64, u64)> {
        let entries = bound::histogram(group, self.column).entries();
        let is_guarded = |code: &u32| self.allowed.binary_search(code).is_err();
        let guarded = entries.iter().filter(|(code, _)| is_guarded(code));
        let head = guarded.map(|(_, count)| *count).max()?;
        if group.people < self.l {
            return Some((head, 0));
        }
        let mut counts: Vec<u64> = entries.iter().map(|(_, count)| *count).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let (l, rank) = (self.l as usize, counts.iter().position(|count| *count == head)? + 1);
        let from = |first: usize| counts.iter().skip(first - 1).sum::<u64>();
        Some((head, if rank < l { from(l) } else { from(l - 1) - head }))
    }

    /// The least share of a value that must stay possible.
    fn rarest_kept(&self, group: &Summary) -> Option<u64> {
        let histogram = bound::histogram(group, self.column);
        self.kept.iter().map(|code| histogram.count(*code)).min()
    }
}

impl Requirement for Disclosing {
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
        let positive = self.head_and_tail(group).is_none_or(|(head, tail)| {
            self.c.compare(&[u128::from(head)], &[u128::from(tail)]) == Ordering::Less
        });
        let negative = self.rarest_kept(group).is_none_or(|count| {
            self.least.compare(&[u128::from(count)], &[u128::from(group.people)]) != Ordering::Less
        });
        positive && negative
    }
    fn measures(&self) -> Vec<Measure> {
        let positive =
            Measure { name: "c", required: self.c.to_f64(), direction: Direction::Below };
        let negative =
            Measure { name: "least", required: self.least.to_f64(), direction: Direction::AtLeast };
        if self.kept.is_empty() { vec![positive] } else { vec![positive, negative] }
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        let positive = match self.head_and_tail(group) {
            None => 0.0,
            Some((_, 0)) => f64::INFINITY,
            Some((head, tail)) => head as f64 / tail as f64,
        };
        let negative =
            self.rarest_kept(group).map(|count| confidence::confidence(count, group.people));
        std::iter::once(positive).chain(negative).collect()
    }
}
