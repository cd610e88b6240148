//! The answer to a query over a release: an estimate, and bounds that hold whatever the originals
//! are.
//!
//! A region counts if it overlaps the query (LeFevre et al. 2008, section 3.2): that gives the
//! upper bound of a count. Records whose region lies inside the query are certain, and give the
//! lower bound. Between them, the estimate assumes that values are spread evenly inside a region.

use super::parse::Aggregate;

/// Records with the same cells in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group {
    /// The number of records.
    pub n: f64,
    /// Whether they may be selected.
    pub can: bool,
    /// Whether they are certainly selected.
    pub must: bool,
    /// The estimated share that is selected.
    pub share: f64,
    /// What is known about their values in the aggregated column; none for `count`.
    pub value: Value,
}

/// What is known about the values of a group's selected records, in the units of the column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value {
    /// A lower bound of the values.
    pub lo: f64,
    /// An upper bound of the values.
    pub hi: f64,
    /// Whether a value may be missing.
    pub may_miss: bool,
    /// Bounds of their mean, if they are whole classes.
    pub mean: (f64, f64),
    /// An upper bound of the least value, if they are whole classes with a value.
    pub least: f64,
    /// A lower bound of the largest value.
    pub most: f64,
    /// The estimated value.
    pub centre: f64,
}

impl Value {
    /// The value of a record without one, or if no column is aggregated.
    pub const NONE: Value = Value {
        lo: f64::INFINITY,
        hi: f64::NEG_INFINITY,
        may_miss: true,
        mean: (f64::INFINITY, f64::NEG_INFINITY),
        least: f64::INFINITY,
        most: f64::NEG_INFINITY,
        centre: f64::NAN,
    };
    /// Whether there can be a value at all.
    pub fn is_none(&self) -> bool {
        self.lo > self.hi
    }
}

/// An answer in the units of the column; infinite if nothing bounds it, NaN if there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The estimate.
    pub estimate: f64,
    /// A lower bound of the truth.
    pub lower: f64,
    /// An upper bound of the truth.
    pub upper: f64,
}

/// Answer an aggregate query over groups.
pub fn answer(aggregate: Aggregate, groups: &[Group]) -> Bounds {
    let chosen: Vec<&Group> = groups.iter().filter(|group| group.can).collect();
    if aggregate == Aggregate::Count {
        let sum = |of: fn(&Group) -> f64| chosen.iter().map(|group| of(group)).sum();
        return Bounds {
            estimate: sum(|group| group.n * group.share),
            lower: sum(|group| if group.must { group.n } else { 0.0 }),
            upper: sum(|group| group.n),
        };
    }
    let valued: Vec<&Group> = chosen.into_iter().filter(|group| !group.value.is_none()).collect();
    match aggregate {
        Aggregate::Count | Aggregate::Sum => sum(&valued),
        Aggregate::Avg => average(&valued),
        Aggregate::Min => least(&valued),
        Aggregate::Max => {
            let mirrored: Vec<Group> = valued.iter().map(|group| mirrored(group)).collect();
            let Bounds { estimate, lower, upper } = least(&mirrored.iter().collect::<Vec<_>>());
            Bounds { estimate: -estimate, lower: -upper, upper: -lower }
        }
    }
}

/// Whether all of a group's records are selected and have a value.
fn is_certain(group: &Group) -> bool {
    group.must && !group.value.may_miss
}

fn sum(groups: &[&Group]) -> Bounds {
    let mut bounds = Bounds { estimate: 0.0, lower: 0.0, upper: 0.0 };
    for group in groups {
        let Group { n, share, value, .. } = **group;
        bounds.estimate += n * share * value.centre;
        let (lo, hi) =
            if is_certain(group) { value.mean } else { (value.lo.min(0.0), value.hi.max(0.0)) };
        bounds.lower += n * lo;
        bounds.upper += n * hi;
    }
    bounds
}

fn average(groups: &[&Group]) -> Bounds {
    let weight: f64 = groups.iter().map(|group| group.n * group.share).sum();
    let total: f64 = groups.iter().map(|group| group.n * group.share * group.value.centre).sum();
    let upper = {
        let mirrored: Vec<Group> = groups.iter().map(|group| mirrored(group)).collect();
        -least_average(&mirrored.iter().collect::<Vec<_>>())
    };
    Bounds { estimate: total / weight, lower: least_average(groups), upper }
}

/// The least mean that the originals may have: all certain records at their least values, and of
/// the others those that lower it.
fn least_average(groups: &[&Group]) -> f64 {
    let (certain, mut others): (Vec<&Group>, Vec<&Group>) =
        groups.iter().copied().partition(|g| is_certain(g));
    let mut n: f64 = certain.iter().map(|group| group.n).sum();
    let mut total: f64 = certain.iter().map(|group| group.n * group.value.mean.0).sum();
    others.sort_by(|a, b| a.value.lo.total_cmp(&b.value.lo));
    for group in others {
        if n > 0.0 && group.value.lo * n >= total {
            break;
        }
        n += group.n;
        total += group.n * group.value.lo;
    }
    total / n
}

fn least(groups: &[&Group]) -> Bounds {
    let lowest =
        |of: &dyn Fn(&Group) -> f64| groups.iter().map(|g| of(g)).fold(f64::INFINITY, f64::min);
    let certain = lowest(&|group| match group.must {
        true if !group.value.may_miss => group.value.hi.min(group.value.least),
        true => group.value.least,
        false => f64::INFINITY,
    });
    let highest = groups.iter().map(|group| group.value.hi).fold(f64::NEG_INFINITY, f64::max);
    let lower = lowest(&|group| group.value.lo);
    let finite = groups
        .iter()
        .map(|group| group.value.lo)
        .filter(|lo| lo.is_finite())
        .fold(f64::INFINITY, f64::min);
    Bounds {
        estimate: if finite.is_finite() { finite } else { f64::NAN },
        lower: if groups.is_empty() { f64::NAN } else { lower },
        upper: if groups.is_empty() { f64::NAN } else { certain.min(highest) },
    }
}

/// The group with all values negated: a maximum is the negated minimum of these.
fn mirrored(group: &Group) -> Group {
    let value = group.value;
    Group {
        value: Value {
            lo: -value.hi,
            hi: -value.lo,
            mean: (-value.mean.1, -value.mean.0),
            least: -value.most,
            most: -value.least,
            centre: -value.centre,
            ..value
        },
        ..*group
    }
}
