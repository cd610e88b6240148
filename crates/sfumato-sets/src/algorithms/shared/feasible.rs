//! The check with which every algorithm for baskets begins: whether there are k records at all.

use sfumato_core::{Error, Result};

use crate::traits::SetTask;

/// The number of records, weights counted. An error if there are fewer than k, or more than 32 bits
/// can count.
pub fn check(task: &SetTask<'_>) -> Result<u32> {
    let n = match task.weights {
        Some(weights) => weights.iter().map(|weight| u64::from(*weight)).sum(),
        None => task.sets.len() as u64,
    };
    if n > 0 && n < task.k {
        return Err(Error::infeasible(format!(
            "{n} records can't hide each other {} at a time",
            task.k
        ))
        .hint("ask for a smaller k"));
    }
    u32::try_from(n)
        .map_err(|_| Error::resources(format!("{n} records are more than {}", u32::MAX)))
}
