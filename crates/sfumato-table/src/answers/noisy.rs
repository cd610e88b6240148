//! Answers with noise, from a budget: counts, and sums of numbers held between bounds.
//!
//! A record changes a count by one at most, and a sum by the larger of its bounds. The noise is of
//! whole units, drawn exactly, so that its last digits tell nothing.

use rand_chacha::ChaCha20Rng;
use sfumato_core::column::RawTable;
use sfumato_core::dataset::ValueKind;
use sfumato_core::{Error, Result};
use sfumato_kernels::discrete_laplace::DiscreteLaplace;

use super::selection::{Keys, keys};
use crate::query::{Aggregate, Query};

/// What a unit of epsilon is counted in.
pub const UNITS: u64 = 1_000_000;

/// A query to be answered with noise.
pub struct Noisy {
    noise: DiscreteLaplace,
    /// The answer without its noise, in units of 10^-scale.
    exact: i128,
    scale: u8,
}

/// An answer with noise.
#[derive(Debug, Clone, PartialEq)]
pub struct NoisyAnswer {
    /// The answer.
    pub answer: serde_json::Number,
    /// The mean size of what was added.
    pub noise: f64,
}

impl Noisy {
    /// What a query asks for, with noise that costs so many millionths of epsilon.
    pub fn of(
        table: &RawTable,
        query: &Query,
        rows: &[u32],
        (spend, bounds): (u64, Option<&(String, String)>),
    ) -> Result<Self> {
        let (exact, scale, most) = match (query.aggregate, &query.column) {
            (Aggregate::Count, _) => (rows.len() as i128, 0, 1),
            (Aggregate::Sum, Some(name)) => bounded_sum(table, name, rows, bounds)?,
            (Aggregate::Sum | Aggregate::Avg | Aggregate::Min | Aggregate::Max, _) => {
                return Err(Error::unsupported(format!(
                    "{} isn't answered with noise",
                    query.aggregate.name()
                ))
                .hint("ask for count and sum: a mean is one through the other"));
            }
        };
        let t = most.checked_mul(UNITS).filter(|t| *t < 1 << 62).ok_or_else(|| {
            Error::params("these bounds are too far from 0 for numbers with so many digits")
        })?;
        Ok(Noisy { noise: DiscreteLaplace { s: spend, t }, exact, scale })
    }

    /// Draw the noise.
    pub fn draw(&self, random: &mut ChaCha20Rng) -> Result<NoisyAnswer> {
        let noisy = self.exact + i128::from(self.noise.draw(random));
        let unit = 10f64.powi(i32::from(self.scale));
        let answer = match (self.scale, i64::try_from(noisy)) {
            (0, Ok(whole)) => Some(whole.into()),
            _ => serde_json::Number::from_f64(noisy as f64 / unit),
        };
        let answer = answer.ok_or_else(|| Error::input("the sum is too large to be written"))?;
        Ok(NoisyAnswer { answer, noise: self.noise.mean_size() / unit })
    }
}

/// A sum of numbers held between bounds, its scale, and what one record changes it by at most.
fn bounded_sum(
    table: &RawTable,
    name: &str,
    rows: &[u32],
    bounds: Option<&(String, String)>,
) -> Result<(i128, u8, u64)> {
    let Keys { of_code, codes, kind } = keys(table, name)?;
    let scale = match kind {
        ValueKind::Integer => 0,
        ValueKind::Decimal { scale } => scale,
        _ => {
            return Err(Error::unsupported(format!(
                "column '{name}' has numbers in powers of ten, whose sums can't be exact"
            ))
            .hint("write the column with a point and a stated number of digits"));
        }
    };
    let Some((low, high)) = bounds else {
        return Err(Error::params("a sum with noise needs bounds of what one record adds to it")
            .hint("say --bounds 0..100: numbers beyond them count as the bound"));
    };
    let bound = |text: &String| {
        kind.parse(text.trim()).ok_or_else(|| {
            Error::params(format!("the bound '{text}' isn't a number like those of '{name}'"))
        })
    };
    let (low, high) = (bound(low)?, bound(high)?);
    let most = low.unsigned_abs().max(high.unsigned_abs());
    if low > high || most == 0 {
        return Err(Error::params("the bounds of a sum are a smaller and a larger number"));
    }
    let of_row =
        |row: &u32| i128::from(of_code[codes.get(*row as usize) as usize].clamp(low, high));
    Ok((rows.iter().map(of_row).sum(), scale, most))
}
