//! Origin-destination error: how much of the matrix of beginnings and ends is wrong.

use sfumato_core::registry::Info;

use super::{MovedMetric, MovedView};
use crate::data::plane::Position;
use sfumato_core::FastMap;

/// The width of cells.
const WIDTH: f64 = 1000.0;

/// The metric.
pub struct OdError;

static INFO: Info = Info {
    name: "od-error",
    summary: "share of tracks whose cell of origin or of destination is another in the \
              release; smaller is better",
    doc: "\
Beginnings and ends fall into cells of a grid of 1,000 metres, or units of x. Both matrices, of \
the original over all positions on the clock and of the release, count tracks by their pair of \
cells; the error is half of the sum of differences over all pairs, as a share of the tracks of \
the original: the share of tracks that are counted elsewhere, or nowhere.

**Range** 0 to 1, **smaller is better**. Tracks that are left out count as wrong.
",
    ..Info::DEFAULT
};

/// The cells in which a trip begins and ends.
type Trip = ((i64, i64), (i64, i64));

impl MovedMetric for OdError {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &MovedView<'_>) -> Option<f64> {
        let cell = |position: &Position| view.plane.cell(*position, WIDTH);
        let pair = |first: Option<&Position>, last: Option<&Position>| {
            Some((first.map(cell)?, last.map(cell)?))
        };
        let mut counts: FastMap<Trip, i64> = FastMap::default();
        for before in view.before {
            let (first, last) = (before.first(), before.last());
            let found = pair(first.map(|fix| &fix.position), last.map(|fix| &fix.position));
            found.into_iter().for_each(|pair| *counts.entry(pair).or_default() += 1);
        }
        for after in view.after {
            let (first, last) = (after.first(), after.last());
            let found = pair(first.map(|fix| &fix.position), last.map(|fix| &fix.position));
            found.into_iter().for_each(|pair| *counts.entry(pair).or_default() -= 1);
        }
        let wrong = counts.values().filter(|n| **n > 0).sum::<i64>() as f64;
        let left_out = (view.tracks - view.after.len()) as f64;
        (view.tracks > 0).then(|| (wrong + left_out) / view.tracks as f64)
    }
}
