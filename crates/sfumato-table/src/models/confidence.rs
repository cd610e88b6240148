//! Confidences: the share of a group's people who have a sensitive value, compared exactly with a
//! bound.

use std::cmp::Ordering;

use sfumato_core::group::Histogram;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::traits::Bind;
use sfumato_core::{Error, Result};

use crate::models::exact::Ratio;

/// The parameter for the sensitive values that a confidence is about.
pub(crate) const VALUES: ParamSpec = ParamSpec::optional(
    "values",
    ParamKind::List,
    "the values to guard, as [a, b]; without it all of the column, a missing value included",
);

/// The values whose confidence is bounded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Watched {
    /// Every value of the column; missing counts as a value.
    All,
    /// These codes, sorted.
    Codes(Vec<u32>),
}

impl Watched {
    /// Read the parameter `values` for a column.
    pub(crate) fn of_params(
        info: &'static Info,
        params: &Params,
        bind: &Bind<'_>,
        column: usize,
    ) -> Result<Self> {
        let Some(values) = params.list("values") else {
            return Ok(Watched::All);
        };
        if values.is_empty() {
            return Err(Error::params(format!("{}: values names no value", info.name))
                .hint("leave values out to guard all of them"));
        }
        if params.text("on").is_none() && bind.sensitive.len() > 1 {
            let names: Vec<_> = bind.sensitive.iter().map(|column| column.name).collect();
            return Err(Error::params(format!(
                "{}: values needs to know of which column",
                info.name
            ))
            .hint(format!("add on=COLUMN; sensitive columns are {}", names.join(", "))));
        }
        let mut codes = bind.codes_of(column, &values, info)?;
        codes.sort_unstable();
        codes.dedup();
        Ok(Watched::Codes(codes))
    }

    /// The largest number of people of a group who share a watched value.
    pub(crate) fn max_count(&self, histogram: &Histogram) -> u64 {
        match self {
            Watched::All => histogram.max_count(),
            Watched::Codes(codes) => {
                codes.iter().map(|code| histogram.count(*code)).max().unwrap_or(0)
            }
        }
    }

    /// The smallest number of people: everybody has some value, so if all values are watched, one
    /// person must be at most this share of the group.
    pub(crate) fn min_people(&self, bound: Ratio) -> u64 {
        match self {
            Watched::All => bound.ceil_inverse(),
            Watched::Codes(_) => 1,
        }
    }
}

/// Whether `count` people of `people` are at most the bound.
pub(crate) fn within(count: u64, people: u64, bound: Ratio) -> bool {
    bound.compare(&[u128::from(count)], &[u128::from(people)]) != Ordering::Greater
}

/// A confidence as a number, for reports.
pub(crate) fn confidence(count: u64, people: u64) -> f64 {
    if people == 0 { 0.0 } else { count as f64 / people as f64 }
}
