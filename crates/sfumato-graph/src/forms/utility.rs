//! What a graph keeps of its original, whichever node is which: the shape of both is compared.
//! Metrics that ask which node became which can't be measured from a file.

use sfumato_engine::compare::Utility;
use sfumato_report::numbers::{count, quantity};
use sfumato_report::{Bar, Kept};

use crate::data::Graph;
use crate::metrics;
use crate::traits::GraphView;

/// The metrics that ask which node became which.
const OF_NODES: [&str; 3] = ["edges-changed", "degree-change", "modularity-change"];

/// Compare a published graph with its original.
pub(crate) fn utility(published: &Graph, original: &Graph) -> Utility {
    let view = GraphView { original, published, labels: None, seed: 0 };
    let measured = metrics::ALL.iter().filter(|metric| !OF_NODES.contains(&metric.info().name));
    Utility {
        rows: Some(published.n() as u64),
        metrics: measured.map(|metric| (metric.info().name, metric.measure(&view))).collect(),
        kept: vec![degrees(&published.degrees(), original), edges(published.m(), original.m())],
        remarks: vec![format!(
            "{} aren't measured: they ask which node became which, and the file doesn't say",
            OF_NODES.join(", ")
        )],
        ..Utility::default()
    }
}

/// What is kept of the degrees, given those of the release.
pub(crate) fn degrees(published: &[u32], original: &Graph) -> Kept {
    let before = original.degrees();
    // Degrees of a few nodes each are told together: 0, 1, 2 to 3, 4 to 7, ...
    let range = |degree: u32| (degree + 1).ilog2() as usize;
    let most = before.iter().chain(published).copied().max().unwrap_or(0);
    let shares = |degrees: &[u32]| {
        let mut shares = vec![0.0; range(most) + 1];
        degrees.iter().for_each(|degree| shares[range(*degree)] += 1.0 / degrees.len() as f64);
        shares
    };
    let label = |range: usize| match ((1u64 << range) - 1, (1u64 << (range + 1)) - 2) {
        (from, to) if from == to => count(from),
        (from, to) => format!("{} to {}", count(from), count(to)),
    };
    let pairs = shares(&before).into_iter().zip(shares(published)).enumerate();
    let bars: Vec<Bar> =
        pairs.map(|(range, (before, after))| Bar { label: label(range), before, after }).collect();
    let moved = Kept::distance(&bars);
    let mean = |degrees: &[u32]| {
        let sum: u64 = degrees.iter().map(|degree| u64::from(*degree)).sum();
        quantity(sum as f64 / degrees.len().max(1) as f64)
    };
    Kept {
        part: "degrees".into(),
        lost: moved,
        told: format!("the mean degree is {} (before {})", mean(published), mean(&before)),
        exclusive: true,
        moved: Some(moved),
        distribution: bars,
    }
}

/// What is kept of the number of edges.
pub(crate) fn edges(published: u64, original: u64) -> Kept {
    Kept {
        part: "number of edges".into(),
        lost: (published.abs_diff(original) as f64 / original.max(1) as f64).min(1.0),
        told: format!("{} edges (before {})", count(published), count(original)),
        exclusive: true,
        ..Kept::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_graph_loses_nothing_and_degrees_are_told_in_ranges() {
        let path = Graph::new(4, &[(0, 1), (1, 2), (2, 3)]).0;
        let same = utility(&path, &path);
        assert!(same.kept.iter().all(|kept| kept.lost == 0.0), "{:?}", same.kept);
        assert!(same.metrics.iter().all(|(_, value)| value.is_none_or(|value| value == 0.0)));
        let star = Graph::new(4, &[(0, 1), (0, 2), (0, 3)]).0;
        let found = degrees(&star.degrees(), &path);
        // Two of four nodes had degree 2; now three have 1, and one has 3.
        let labels: Vec<&str> = found.distribution.iter().map(|bar| bar.label.as_str()).collect();
        assert_eq!(labels, ["0", "1 to 2", "3 to 6"]);
        assert!((found.lost - 0.25).abs() < 1e-12, "{}", found.lost);
    }
}
