//! Measures how long parts of the algorithms take, by the clock.

use sfumato_core::Result;
use sfumato_sets::algorithms::buckets::band;

use super::compared::group;
use super::data::Divided;
use crate::bench::baskets::in_order;
use crate::bench::clock::least_seconds;
use crate::figure::Settings;

/// Records in band order, and the seconds that ordering took.
pub fn ordered(data: &Divided, runs: usize) -> Result<(Divided, f64)> {
    let mut order = Vec::new();
    let seconds = least_seconds(runs, || {
        order = band::order(&data.quasi);
        Ok(())
    })?;
    let divided = Divided {
        quasi: in_order(&data.quasi, &order),
        sensitive: in_order(&data.sensitive, &order),
    };
    Ok((divided, seconds))
}

/// The seconds that an algorithm takes.
pub fn seconds_of(
    algorithm: &str,
    data: &Divided,
    p: u64,
    runs: usize,
    settings: &Settings<'_>,
) -> Result<f64> {
    least_seconds(runs, || group(algorithm, data, p, settings).map(drop))
}
