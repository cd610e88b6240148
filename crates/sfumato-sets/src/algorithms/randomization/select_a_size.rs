//! Select-a-size randomization: how many items are kept is drawn, so that most are where the breach
//! that is allowed permits no more.

use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};

use super::operator::{Operator, SizeOperator};
use super::{RandomTask, RandomizingAlgorithm, papers};

/// The algorithm.
pub struct SelectASize;

static INFO: Info = Info {
    name: "select-a-size",
    summary: "keeps some random items of a set and adds others, as many as the amplification that \
        is allowed lets it keep",
    papers: &[papers::MINING, papers::BREACHES],
    params: &[ParamSpec::optional(
        "rho",
        ParamKind::Number { min: 1e-6, above: false, max: 0.5 },
        "with which probability each item is added that a set hasn't; without it the one with \
         which supports of items can be recovered best",
    )],
    doc: include_str!("select_a_size.md"),
    capabilities: Capabilities {
        serves: &[Fact::Amplification],
        promises_privacy: true,
        draws: true,
        ignores: &["max_suppression", "metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

/// How far below the bound the amplification stays, so that rounding doesn't lead above it.
const SLACK: f64 = 1e-9;

/// The probabilities of adding that are tried where none is named.
const TRIED: usize = 200;

impl RandomizingAlgorithm for SelectASize {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn choose(&self, params: &Params, task: &RandomTask<'_>) -> Result<Operator> {
        let gamma = task.amplification * (1.0 - SLACK);
        if !gamma.is_finite() || gamma <= 1.0 {
            return Err(Error::params("an amplification of at most 1 leaves nothing of a record"));
        }
        let rho = params.optional_number("rho");
        let mut sizes: Vec<u32> =
            (0..task.sets.len()).map(|set| task.sets.size(set) as u32).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let by_size = sizes
            .into_iter()
            .map(|size| match rho {
                Some(rho) => best_for(size, rho, gamma),
                None => best_of_all(size, gamma),
            })
            .collect();
        Ok(Operator { n_items: task.sets.n_items() as u32, by_size })
    }
}

/// The operator with which the support of an item is recovered best.
fn best_of_all(size: u32, gamma: f64) -> SizeOperator {
    let tried = |step: usize| {
        // From a thousandth to a half, in equal ratios.
        let rho = 1e-3 * 500f64.powf(step as f64 / (TRIED - 1) as f64);
        best_for(size, rho, gamma)
    };
    // The variance of what is recovered of an item that few records have, for each of them.
    let variance = |of: &SizeOperator| {
        let kept = if size == 0 { 1.0 } else { of.mean_kept() / f64::from(size) };
        of.rho * (1.0 - of.rho) / (kept - of.rho).powi(2)
    };
    let mut best = tried(0);
    for step in 1..TRIED {
        let other = tried(step);
        if variance(&other) < variance(&best) {
            best = other;
        }
    }
    best
}

/// The operator that keeps most items of a set on average, of those with an amplification of at
/// most `gamma`.
///
/// Let w[j] = C(m, j) (rho / (1 - rho))^j and p[j] = w[j] x[j]. The amplification is the largest
/// x[j] divided by the smallest, and the mean of j is a quotient of sums that are linear in x: it
/// is largest where each x[j] is 1 or gamma, and where it is gamma for all j from some number on.
fn best_for(size: u32, rho: f64, gamma: f64) -> SizeOperator {
    let m = size as usize;
    let odds = (rho / (1.0 - rho)).ln();
    let mut logs = Vec::with_capacity(m + 1);
    let mut choose = 0.0;
    for j in 0..=m {
        if j > 0 {
            choose += ((m - j + 1) as f64 / j as f64).ln();
        }
        logs.push(choose + j as f64 * odds);
    }
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log| (log - largest).exp()).collect();
    let sum = |range: std::ops::Range<usize>, power: i32| -> f64 {
        range.map(|j| weights[j] * (j as f64).powi(power)).sum()
    };
    // The sums below and from each number on.
    let (all, all_j) = (sum(0..m + 1, 0), sum(0..m + 1, 1));
    let (mut below, mut below_j) = (0.0, 0.0);
    let (mut from, mut best) = (0, f64::NEG_INFINITY);
    for (j, weight) in weights.iter().enumerate() {
        let mean = (below_j + gamma * (all_j - below_j)) / (below + gamma * (all - below));
        if mean > best {
            (from, best) = (j, mean);
        }
        below += weight;
        below_j += weight * j as f64;
    }
    let raised = |(j, weight): (usize, &f64)| if j >= from { gamma * weight } else { *weight };
    let keep: Vec<f64> = weights.iter().enumerate().map(raised).collect();
    let total: f64 = keep.iter().sum();
    SizeOperator { size, rho, keep: keep.into_iter().map(|p| p / total).collect() }
}
