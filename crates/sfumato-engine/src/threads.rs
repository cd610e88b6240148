//! The threads of the engine, for those below that have none of their own.

use rayon::prelude::*;

/// Run pieces of work that don't depend on each other on all threads.
pub fn at_once(n: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..n).into_par_iter().with_max_len(1).for_each(work);
}
