//! Properties of recodings by cuts: the searches find the optimum of all cuts, every release holds,
//! and nothing depends on the number of threads. And what mu-Argus ensures, and what it doesn't.

// Helpers of tests aren't seen as tests, and a panic is how a test fails.
#![allow(clippy::unwrap_used)]

mod brute;
mod laws;
mod mu_argus;

use sfumato_core::Error;
use sfumato_core::dataset::Table;
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::{Join, Objective, Task};

/// Run a call as a user would write it.
pub fn run(call: &str, task: &Task<'_>) -> Result<Box<dyn Recoding>, Error> {
    let call: Call = call.parse().unwrap();
    let algorithm = sfumato_table::algorithms::find(&call.name).unwrap();
    algorithm.anonymize(&Params::check(algorithm.info(), &call.args).unwrap(), task)
}

/// Run a call as a user would write it, with a number of threads.
pub fn run_on(threads: usize, call: &str, task: &Task<'_>) -> Result<Box<dyn Recoding>, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| run(call, task))
}

/// An objective of each kind, as metrics make them.
pub fn objective(table: &Table, which: u8) -> Objective<'_> {
    let quasi = table.quasi();
    let n_quasi = quasi.len();
    match which {
        0 => Objective::ncp(table),
        1 => Objective::of_cells("volume", Join::Product, n_quasi, move |place, value| {
            f64::from(value.leaves(quasi[place]))
        }),
        2 => Objective::of_classes("squares", |rows| (rows * rows) as f64, table.n_rows as f64),
        3 => Objective::of_classes("classes", |_| -1.0, 1.0),
        _ => Objective::of_targets("targets", 1.0, 1.0),
    }
}

/// Something an algorithm found out.
pub fn finding(recoding: &dyn Recoding, name: &str) -> f64 {
    recoding.findings().iter().find(|finding| finding.name == name).unwrap().value
}
