//! Reads noisy answers back from the bytes of their draft, and checks that they are what the
//! mechanism gives: the true answers with noise that was drawn by a law within the budget.

use sfumato_core::Result;
use sfumato_core::column::Provenance;
use sfumato_core::registry::Params;
use sfumato_engine::verify::{cant_read_back, failed_verification};

use super::published::Published;
use crate::algorithms::answering::{Drawn, Question};
use crate::data::Graph;

/// What epsilon is counted in.
const UNITS: u64 = 1_000_000;

/// What the bytes of a draft say, after they were compared with the mechanism.
pub struct AnswersRead {
    /// The answers.
    pub published: Published,
    /// The file.
    pub source: Provenance,
}

/// Read a draft back and compare it with what may be published.
pub fn read_back(path: &str, graph: &Graph, drawn: &Drawn, params: &Params) -> Result<AnswersRead> {
    let (published, source) = Published::read(path).map_err(cant_read_back)?;
    check_laws(drawn, &published, params)?;
    check_draws(drawn)?;
    match Published::of(graph, drawn, params.number("delta"))? == published {
        true => Ok(AnswersRead { published, source }),
        false => Err(failed_verification("an answer isn't the true one with its noise")),
    }
}

/// Check that the noise has the size that the budget asks for.
fn check_laws(drawn: &Drawn, published: &Published, params: &Params) -> Result<()> {
    let budget = params.number("epsilon") * UNITS as f64 + 0.5;
    let spent: u64 = drawn.noise.iter().map(|noise| noise.law.s).sum();
    if spent as f64 > budget {
        return Err(failed_verification("more than the budget was spent"));
    }
    for noise in &drawn.noise {
        let sensitivity = match noise.question {
            Question::Edges | Question::TrianglesBound => 1,
            Question::Degrees => 2,
            Question::Triangles => published.triangles.map_or(0, |(bound, _)| bound),
        };
        if noise.law.t != UNITS.saturating_mul(sensitivity) || noise.law.s == 0 {
            return Err(failed_verification("noise was drawn for another change of an answer"));
        }
    }
    Ok(())
}

/// Check that noise may have been drawn by its law, where there is enough to tell: nothing is added
/// about as often as the law says, and no more often. The bound is passed by chance less than once
/// in a hundred million runs.
fn check_draws(drawn: &Drawn) -> Result<()> {
    for noise in &drawn.noise {
        let (n, zero) = (noise.drawn.len() as f64, noise.law.zero());
        let found = noise.drawn.iter().filter(|drawn| **drawn == 0).count() as f64;
        let spread = (n * zero * (1.0 - zero)).sqrt();
        if n >= 30.0 && found > n * zero + 7.0 * spread + 3.0 {
            return Err(failed_verification("too often nothing was added to a number"));
        }
    }
    Ok(())
}
