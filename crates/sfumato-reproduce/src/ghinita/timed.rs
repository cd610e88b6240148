//! How long parts of the algorithms take, by the clock.

use std::time::Instant;

use sfumato_core::sets::{Builder, Transactions};
use sfumato_core::{Result, with_sets};
use sfumato_recode::sets::buckets::band;

use super::compared::group;
use super::data::Divided;
use crate::figure::Settings;

/// The least seconds of some runs: what else the machine does only ever adds to them.
pub fn least_seconds(runs: usize, mut run: impl FnMut() -> Result<()>) -> Result<f64> {
    let mut least = f64::MAX;
    for _ in 0..runs.max(1) {
        let begun = Instant::now();
        run()?;
        least = least.min(begun.elapsed().as_secs_f64());
    }
    Ok(least)
}

/// Records in band order, and the seconds that ordering took.
pub fn ordered(data: &Divided, runs: usize) -> Result<(Divided, f64)> {
    let mut order = Vec::new();
    let seconds = least_seconds(runs, || {
        order = band::order(&data.quasi);
        Ok(())
    })?;
    let part = |sets: &Transactions| {
        let mut builder = Builder::new(sets.n_items());
        with_sets!(sets, sets => order.iter().for_each(|record| builder.push(sets.get(*record as usize))));
        builder.finish()
    };
    Ok((Divided { quasi: part(&data.quasi), sensitive: part(&data.sensitive) }, seconds))
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
