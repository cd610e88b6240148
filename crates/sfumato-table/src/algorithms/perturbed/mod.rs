//! Algorithms that publish other values than the originals: one file each. Their published values
//! needn't cover the originals.
//!
//! Each says what may differ and by how much: `fault` compares what is published with the original,
//! whatever made it, and the release is refused where it finds one.

use sfumato_core::Result;
use sfumato_core::dataset::{Column, Table};
use sfumato_core::registry::{self, Info, Params};

mod draws;
mod matrix;
pub mod microaggregation;
mod noise;
mod transition;
pub mod values;

pub use draws::Draws;

/// What is to be published otherwise.
pub struct Perturbing<'a> {
    /// The table as it is.
    pub table: &'a Table,
    /// The columns that are published otherwise, in file order.
    pub columns: Vec<&'a Column>,
    /// The number of people that a model asks to be published alike, if one does.
    pub k: Option<u64>,
}

impl<'a> Perturbing<'a> {
    /// The quasi columns of a table.
    pub fn of(table: &'a Table, k: Option<u64>) -> Self {
        Perturbing { table, columns: table.quasi(), k }
    }
}

/// The columns that an algorithm takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Numbers.
    Numbers,
    /// Values with an order: numbers, dates and times.
    Ordered,
    /// Any values, of which there are few.
    Categories,
    /// Any values.
    Any,
}

/// The largest number of values of a column that is drawn by a matrix.
const MOST_CATEGORIES: usize = 1000;

impl Takes {
    /// Whether it takes a column.
    pub fn takes(self, column: &Column) -> bool {
        match self {
            Takes::Numbers => column.domain.kind.is_number(),
            Takes::Ordered => column.domain.kind.is_ordered(),
            Takes::Categories => column.domain.len() <= MOST_CATEGORIES,
            Takes::Any => true,
        }
    }
    /// What it takes, in words.
    pub fn describe(self) -> &'static str {
        match self {
            Takes::Numbers => "numbers",
            Takes::Ordered => "numbers, dates or times",
            Takes::Categories => "at most 1,000 different values",
            Takes::Any => "any values",
        }
    }
}

/// An algorithm that publishes other values of columns.
pub trait PerturbingAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Which columns it takes.
    fn takes(&self) -> Takes {
        Takes::Numbers
    }
    /// What every record is published with, column by column.
    fn perturb(
        &self,
        params: &Params,
        task: &Perturbing<'_>,
        draws: &mut Draws,
    ) -> Result<Vec<Column>>;
    /// What can't come of this algorithm, in words, if columns were published so. Nothing is taken
    /// from what the algorithm decided. Bounds on draws are such that chance passes them less than
    /// once in a hundred million runs.
    fn fault(
        &self,
        params: &Params,
        task: &Perturbing<'_>,
        published: &[&Column],
    ) -> Option<String>;
}

sfumato_core::registry! {
    /// Every algorithm that perturbs values.
    dyn PerturbingAlgorithm:
    additive_noise::AdditiveNoise,
    correlated_noise::CorrelatedNoise,
    multiplicative_noise::MultiplicativeNoise,
    rank_swapping::RankSwapping,
    record_swapping::RecordSwapping,
    data_shuffling::DataShuffling,
    pram::Pram,
    randomized_response::RandomizedResponse,
    rounding::Rounding,
    top_bottom_coding::TopBottomCoding,
    condensation::Condensation,
    sequential_trees::SequentialTrees,
}

/// Every perturbing algorithm, in the order of the catalogue: those that draw, and those that
/// publish means of groups.
pub fn all() -> impl Iterator<Item = &'static dyn PerturbingAlgorithm> {
    ALL.iter().chain(microaggregation::ALL).copied()
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn PerturbingAlgorithm> {
    let all: Vec<&'static dyn PerturbingAlgorithm> = all().collect();
    registry::find("perturbing-algorithm", &all, |algorithm| algorithm.info(), name)
}

/// Whether a name is that of a perturbing algorithm.
pub fn is_one(name: &str) -> bool {
    all().any(|algorithm| algorithm.info().name == name)
}
