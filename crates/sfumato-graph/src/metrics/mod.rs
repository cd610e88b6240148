//! Metrics for graphs: how far a release is from its original. One file each, listed once; `shape`
//! has what they measure of one graph.

pub mod answers;
pub mod shape;
pub mod supernodes;

sfumato_core::registry! {
    /// Every metric for graphs.
    dyn crate::traits::GraphMetric:
    edges_changed::EdgesChanged,
    degree_change::DegreeChange,
    degree_distribution::DegreeDistribution,
    clustering_change::ClusteringChange,
    path_length_change::PathLengthChange,
    largest_component_change::LargestComponentChange,
    resilience_change::ResilienceChange,
    infectiousness_change::InfectiousnessChange,
    largest_eigenvalue_change::LargestEigenvalueChange,
    second_eigenvalue_change::SecondEigenvalueChange,
    modularity_change::ModularityChange,
    label_distance_change::LabelDistanceChange,
}

#[cfg(test)]
mod tests;
