//! Algorithms that answer questions about a graph with noise, without publishing the graph: one
//! file each, listed once.

sfumato_core::registry! {
    /// Every algorithm that answers with noise.
    dyn AnsweringAlgorithm:
    noisy_answers::NoisyAnswers,
}

use crate::data::Graph;
use rand_chacha::ChaCha20Rng;
use sfumato_core::Result;
use sfumato_core::registry::{self, Info, Params};
use sfumato_kernels::discrete_laplace::DiscreteLaplace;

/// An algorithm that answers questions about a graph with noise: an entry of the registry.
pub trait AnsweringAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Draw the noise of all answers.
    fn draw(&self, params: &Params, graph: &Graph, random: &mut ChaCha20Rng) -> Result<Drawn>;
}

/// Noise that was drawn, and what is published with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Drawn {
    /// The noise of each answer, in the order of answers.
    pub noise: Vec<Noise>,
}

/// The noise of one answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noise {
    /// What is answered.
    pub question: Question,
    /// How the noise was drawn.
    pub law: DiscreteLaplace,
    /// A number for each number of the true answer.
    pub drawn: Vec<i64>,
}

/// What is asked about a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// How many edges there are.
    Edges,
    /// All degrees, the largest first.
    Degrees,
    /// How many neighbours two nodes share at most, and so much more that it is hardly ever too
    /// few: by so much one edge changes the number of triangles.
    TrianglesBound,
    /// How many triangles there are.
    Triangles,
}

impl Question {
    /// Its name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Question::Edges => "edges",
            Question::Degrees => "degree",
            Question::TrianglesBound => "triangles_per_edge",
            Question::Triangles => "triangles",
        }
    }
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn AnsweringAlgorithm> {
    registry::find("graph-answer-algorithm", ALL, |algorithm| algorithm.info(), name)
}

/// Whether there is an algorithm of this name.
pub fn is_one(name: &str) -> bool {
    ALL.iter().any(|algorithm| algorithm.info().name == name)
}
