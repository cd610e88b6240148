//! The threads of the engine, lent to crates below it that start none of their own.

use rayon::prelude::*;

/// Run independent pieces of work on all threads.
pub fn at_once(n: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..n).into_par_iter().with_max_len(1).for_each(work);
}
