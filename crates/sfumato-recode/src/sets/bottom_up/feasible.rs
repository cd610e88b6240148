//! Whether there are enough records to hide among.

use sfumato_core::sets::SetTask;
use sfumato_core::{Error, Result};

/// How many records the task is about; an error if that is fewer than must hide each other. No records hide from nobody.
pub fn people(name: &str, task: &SetTask<'_>) -> Result<u64> {
    let n = match task.weights {
        Some(weights) => weights.iter().map(|weight| u64::from(*weight)).sum(),
        None => task.sets.len() as u64,
    };
    if n > 0 && n < task.k {
        return Err(Error::infeasible(format!(
            "{name}: {n} records can't hide each other {} at a time",
            task.k
        ))
        .hint("lower k, or add records"));
    }
    Ok(n)
}
