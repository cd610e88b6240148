//! Algorithms that change numbers at random: one file each. Their published values needn't cover
//! the originals.

use sfumato_core::Result;
use sfumato_core::dataset::Column;
use sfumato_core::registry::{self, Info, Params};

mod draws;

pub use draws::Draws;

/// An algorithm that changes the numbers of a column.
pub trait PerturbingAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// What every record is published with in a column of numbers; missing stays missing.
    fn perturb(
        &self,
        params: &Params,
        column: &Column,
        draws: &mut Draws,
    ) -> Result<Vec<Option<f64>>>;
}

sfumato_core::registry! {
    /// Every algorithm that changes numbers at random.
    dyn PerturbingAlgorithm:
    additive_noise::AdditiveNoise,
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn PerturbingAlgorithm> {
    registry::find("perturbing-algorithm", ALL, |algorithm| algorithm.info(), name)
}

/// Whether a name is that of a perturbing algorithm.
pub fn is_one(name: &str) -> bool {
    ALL.iter().any(|algorithm| algorithm.info().name == name)
}
