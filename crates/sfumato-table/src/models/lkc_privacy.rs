//! LKC-privacy: k people and bounded confidence against an attacker who knows at most L quasi
//! values of a person.

use sfumato_core::facts::Fact;
use sfumato_core::group::Summary;
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, Scope};
use sfumato_core::{Error, Result};

use crate::models::bound;
use crate::models::confidence::{self, Watched};
use crate::models::exact::Ratio;

/// The model `lkc-privacy`, an entry of the registry.
pub struct LkcPrivacy;

/// The largest number of subsets of columns. Each costs one grouping of all classes, so that more
/// would take a night.
const MOST_SUBSETS: u64 = 200_000;

static INFO: Info = Info {
    name: "lkc-privacy",
    summary: "any l quasi values are shared by k people, at most a share c with one sensitive \
        value",
    papers: &[Paper {
        authors: "N. Mohammed, B. C. M. Fung, P. C. K. Hung, C. Lee",
        title: "Anonymizing healthcare data: a case study on the blood transfusion service",
        venue: "ACM SIGKDD International Conference on Knowledge Discovery and Data Mining (KDD)",
        year: 2009,
    }],
    params: &[
        ParamSpec::required(
            "l",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "how many quasi values of a person an attacker may know",
        ),
        bound::K,
        ParamSpec::required(
            "c",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "the largest share of a group's people with the same value",
        ),
        bound::ON,
        confidence::VALUES,
    ],
    doc: "\
## What it promises

Nobody knows everything about a person. Whoever knows up to `l` quasi values of a person, \
whichever they are,
finds at least `k` people with these values, and can conclude a guarded sensitive value with a \
confidence of
at most `c`. With many quasi columns this loses far less than k-anonymity on all of them.

## What it does not stop

An attacker who knows more than `l` values: a full class may be a single person. Values that mean \
nearly the
same are bounded one by one.

## Parameters

`l` bounds the attacker's knowledge; from the number of quasi columns on it means all of them. `k` \
is the
least number of people, `c` the largest confidence, read as an exact decimal. `values` lists the \
sensitive
values to guard; without it all values of the column are, a missing value included. `on` names the \
sensitive
column. With `l` = all columns: `c=1` is k-anonymity, `k=1` is confidence bounding, and otherwise \
it is
(alpha,k)-anonymity.

## Cost

One grouping of the classes per subset of columns. More than 200,000 subsets are refused.

## Deviations

With `c=1` only the subsets of exactly `l` columns are checked, because smaller ones follow: fewer \
columns
make unions of groups, and people never get fewer in a union. With `c` below 1 the subsets of \
every size up to
`l` are checked. With one record per person those of `l` columns would be enough, but with a \
subject column
shares can rise in a union.

## Monotonicity

Monotone with one record per person. Not monotone with a subject column when `c` is below 1: two \
groups of the
same two people, one ill in each, merge to a group where both are.
",
    about: About {
        asks: &[Fact::Projections],
        limits: &[Disclosure::Identity, Disclosure::Attribute],
    },
    ..Info::DEFAULT
};

impl Model for LkcPrivacy {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let (k, c) = (params.count("k"), Ratio::of_param(&INFO, params, "c")?);
        let n = bind.quasi.len();
        let l = usize::try_from(params.count("l")).unwrap_or(usize::MAX).min(n);
        let least = if c.is_one_or_more() { l } else { l.min(1) };
        let many = (least..=l).try_fold(0u64, |sum, size| sum.checked_add(choose(n, size)?));
        if many.is_none_or(|many| many > MOST_SUBSETS) {
            return Err(Error::unsupported(format!(
                "{}: {n} quasi columns have more than {MOST_SUBSETS} subsets of up to {l} columns",
                INFO.name
            ))
            .hint(
                "take a smaller l or fewer quasi columns; k-anonymity covers all columns at once",
            ));
        }
        let subsets: Vec<Vec<usize>> = (least..=l).flat_map(|size| subsets(n, size)).collect();
        bound::per_column(&INFO, params, bind, |column, text| {
            let watched = Watched::of_params(&INFO, params, bind, column)?;
            Ok(Box::new(Lkc { k, c, subsets: subsets.clone(), watched, column, text }))
        })
    }
}

/// The number of subsets of a size. `None` if it is too large to count.
fn choose(n: usize, size: usize) -> Option<u64> {
    let size = size.min(n - size);
    let step =
        |product: u128, i: usize| Some(product.checked_mul((n - i) as u128)? / (i as u128 + 1));
    u64::try_from((0..size).try_fold(1u128, step)?).ok()
}

/// All subsets of `0..n` of one size, in lexicographic order.
fn subsets(n: usize, size: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let mut current: Vec<usize> = (0..size).collect();
    loop {
        all.push(current.clone());
        // The last place that can still move up takes a step, and all after it follow closely.
        let Some(place) = (0..size).rev().find(|&place| current[place] < n - size + place) else {
            return all;
        };
        let first = current[place] + 1;
        current[place..].iter_mut().enumerate().for_each(|(i, column)| *column = first + i);
    }
}

struct Lkc {
    k: u64,
    c: Ratio,
    subsets: Vec<Vec<usize>>,
    watched: Watched,
    column: usize,
    text: String,
}

impl Lkc {
    fn max_count(&self, group: &Summary) -> u64 {
        self.watched.max_count(bound::histogram(group, self.column))
    }
}

impl Requirement for Lkc {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn scope(&self) -> Scope {
        Scope::Projection(self.subsets.clone())
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn is_absorbing(&self) -> bool {
        self.c.is_one_or_more()
    }
    fn histograms(&self) -> Vec<usize> {
        vec![self.column]
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        group.people >= self.k && confidence::within(self.max_count(group), group.people, self.c)
    }
    fn measures(&self) -> Vec<Measure> {
        vec![
            Measure { name: "k", required: self.k as f64, direction: Direction::AtLeast },
            Measure { name: "c", required: self.c.to_f64(), direction: Direction::AtMost },
        ]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![group.people as f64, confidence::confidence(self.max_count(group), group.people)]
    }
    fn min_people(&self) -> u64 {
        self.k.max(self.watched.min_people(self.c))
    }
    fn is_count_only(&self) -> bool {
        self.c.is_one_or_more()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_all_and_counted() {
        assert_eq!(subsets(3, 2), [vec![0, 1], vec![0, 2], vec![1, 2]]);
        assert_eq!(subsets(3, 0), [Vec::<usize>::new()]);
        assert_eq!(subsets(0, 0), [Vec::<usize>::new()]);
        for n in 0..9 {
            for size in 0..=n {
                let all = subsets(n, size);
                assert_eq!(choose(n, size), Some(all.len() as u64));
                assert!(
                    all.is_sorted()
                        && all.iter().all(|s| s.len() == size && s.is_sorted_by(|a, b| a < b))
                );
            }
        }
        assert_eq!(choose(41, 4), Some(101_270));
        assert_eq!(choose(300, 150), None);
    }
}
