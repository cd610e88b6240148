//! Entropy kept: how spread out the places of somebody still look.

use sfumato_core::registry::Info;

use super::{SuppressedMetric, SuppressedView};
use crate::data::PathData;

/// The metric.
pub struct EntropyKept;

static INFO: Info = Info {
    name: "entropy-kept",
    summary: "mean entropy of the places of published paths, as a share of that of all paths; \
              higher is better",
    doc: "\
The entropy of a path is that of the shares of its steps at each place, in bits. The mean over all \
published paths is divided by the mean over all paths of the original.

**Range** 0 and more, 1 is best; mostly below. Not defined where everybody stays at one place.
",
    ..Info::DEFAULT
};

fn mean(data: &PathData) -> Option<f64> {
    let (mut sum, mut n) = (0.0, 0u64);
    for path in data.paths.iter().filter(|path| !path.is_empty()) {
        let mut places: Vec<u32> =
            path.iter().map(|step| data.steps[*step as usize].place).collect();
        places.sort_unstable();
        let counts = places.chunk_by(|a, b| a == b).map(|same| same.len() as u64).collect();
        sum += crate::metrics::entropy(counts)?;
        n += 1;
    }
    (n > 0).then(|| sum / n as f64)
}

impl SuppressedMetric for EntropyKept {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SuppressedView<'_>) -> Option<f64> {
        let (before, after) = (mean(view.before)?, mean(view.after)?);
        (before > 0.0).then(|| after / before)
    }
}
