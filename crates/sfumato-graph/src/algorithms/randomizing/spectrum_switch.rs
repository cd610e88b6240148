//! Switches that keep the largest eigenvalue of the adjacency matrix.

use sfumato_core::Result;
use sfumato_core::registry::{Capabilities, Info, ParamKind, ParamSpec, Params};

use super::random_switch::YING;
use super::switching::switch;
use super::{SHARE, count};
use crate::data::{Edge, Graph};
use crate::metrics::shape::principal;
use crate::traits::{Edits, RandomizingAlgorithm};

/// The algorithm `spectrum-switch`, an entry of the registry.
pub struct SpectrumSwitch;

static INFO: Info = Info {
    name: "spectrum-switch",
    summary: "pairs of edges exchange their ends as long as the largest eigenvalue stays",
    papers: &[YING],
    params: &[
        SHARE,
        ParamSpec::with_default(
            "tolerance",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "0.01",
            "by which share of itself the largest eigenvalue may change, as foreseen",
        ),
    ],
    doc: "As `random-switch`, but a switch is made only if the largest eigenvalue of the adjacency \
          matrix stays within the tolerance, as far as its first derivative tells: a switch of a-b \
          and c-d changes it by about 2 (x_a x_d + x_c x_b - x_a x_b - x_c x_d), with x the \
          eigenvector of the original. The paper bounds the second eigenvalue of the Laplacian as \
          well; here that isn't looked at. Nothing is promised.",
    capabilities: Capabilities::DEFAULT,
    ..Info::DEFAULT
};

impl RandomizingAlgorithm for SpectrumSwitch {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn randomize(&self, params: &Params, graph: &Graph, seed: u64) -> Result<Edits> {
        let wanted = count(params.number("share"), graph.m());
        let Some((largest, vector)) = principal(graph) else { return Ok(Edits::default()) };
        let most = params.number("tolerance") * largest;
        let at = |(a, b): Edge| 2.0 * vector[a as usize] * vector[b as usize];
        let mut changed = 0.0;
        Ok(switch(graph, wanted, seed, |gone, new| {
            let change = at(new[0]) + at(new[1]) - at(gone[0]) - at(gone[1]);
            let fits = (changed + change).abs() <= most;
            changed += if fits { change } else { 0.0 };
            fits
        }))
    }
}
