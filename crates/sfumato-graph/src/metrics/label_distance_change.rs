//! By how much the answers to queries about labels changed.

use sfumato_core::registry::{Info, Paper};

use super::shape;
use crate::traits::{GraphMetric, GraphView};

/// The metric `label-distance-change`, an entry of the registry.
pub struct LabelDistanceChange;

static INFO: Info = Info {
    name: "label-distance-change",
    summary: "by which share the mean distance from a label to the nearest of another changed",
    papers: &[Paper {
        authors: "Bin Zhou, Jian Pei",
        title: "Preserving privacy in social networks against neighborhood attacks",
        venue: "ICDE",
        year: 2008,
    }],
    doc: "For two labels the query asks how far it is on average from a node with the one to the \
          nearest node with the other. The relative changes of all such queries are averaged, over \
          the 20 most frequent labels of the original. Nodes from which no path leads are left \
          out, and so are queries that no path answers. Nothing is measured without labels.",
    ..Info::DEFAULT
};

impl GraphMetric for LabelDistanceChange {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &GraphView<'_>) -> Option<f64> {
        let labels = view.labels?;
        let before = shape::label_distances(view.original, labels);
        let after = shape::label_distances(view.published, labels);
        let changes: Vec<f64> = before
            .iter()
            .zip(&after)
            .filter_map(|(before, after)| {
                let (before, after) = ((*before)?, (*after)?);
                (before > 0.0).then(|| (after - before).abs() / before)
            })
            .collect();
        (!changes.is_empty()).then(|| changes.iter().sum::<f64>() / changes.len() as f64)
    }
}
