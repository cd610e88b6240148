//! The two largest eigenvalues of the adjacency matrix, by absolute value.

use rayon::prelude::*;
use sfumato_engine::hash::{HASH_START, mix};

use crate::data::Graph;

/// How many steps are taken.
const STEPS: usize = 60;
/// How many steps are taken in graphs with many edges, and how many edges are many.
const FEW_STEPS: (usize, u64) = (12, 1_000_000);

fn steps(graph: &Graph) -> usize {
    if graph.m() > FEW_STEPS.1 { FEW_STEPS.0 } else { STEPS }
}

/// The two largest eigenvalues by absolute value, as absolute values. `None` without edges.
pub fn eigenvalues(graph: &Graph) -> Option<[f64; 2]> {
    if graph.m() == 0 {
        return None;
    }
    let start = |which: u64| -> Vec<f64> {
        let number = |node: u32| mix(mix(HASH_START, which), u64::from(node)) as f64;
        graph.nodes().map(|node| 0.5 + number(node) / u64::MAX as f64).collect()
    };
    let mut first = start(1);
    let mut second: Vec<f64> = start(2).iter().map(|x| x - 1.0).collect();
    let mut sizes = [0.0; 2];
    // The square of the matrix has no eigenvalues of different signs, which would not settle.
    for _ in 0..steps(graph) {
        normalize(&mut first);
        first = multiply(graph, &multiply(graph, &first));
        sizes[0] = norm(&first).sqrt();
        normalize(&mut second);
        second = multiply(graph, &multiply(graph, &second));
        let mut unit = first.clone();
        normalize(&mut unit);
        let along = dot(&unit, &second);
        second.iter_mut().zip(&unit).for_each(|(x, u)| *x -= along * u);
        sizes[1] = norm(&second).sqrt();
    }
    Some(sizes)
}

fn multiply(graph: &Graph, vector: &[f64]) -> Vec<f64> {
    let sum = |node: u32| graph.neighbours(node).iter().map(|other| vector[*other as usize]).sum();
    graph.nodes().into_par_iter().map(sum).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn norm(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}

fn normalize(vector: &mut [f64]) {
    let norm = norm(vector);
    if norm > 0.0 {
        vector.iter_mut().for_each(|x| *x /= norm);
    }
}

/// The largest eigenvalue by absolute value and its eigenvector. `None` without edges.
pub fn principal(graph: &Graph) -> Option<(f64, Vec<f64>)> {
    if graph.m() == 0 {
        return None;
    }
    // All entries are above 0, so that it isn't perpendicular to the eigenvector.
    let mut vector = vec![1.0; graph.n()];
    let mut largest = 0.0;
    for _ in 0..steps(graph) {
        normalize(&mut vector);
        vector = multiply(graph, &multiply(graph, &vector));
        largest = norm(&vector).sqrt();
    }
    normalize(&mut vector);
    Some((largest, vector))
}
