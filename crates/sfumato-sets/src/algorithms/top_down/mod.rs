//! Top-down algorithms: all records begin in one class, which is split as long as both sides may be
//! published.

use crate::traits::SetAlgorithm;

sfumato_core::registry! {
    /// The top-down algorithms.
    dyn SetAlgorithm: mondrian::SetMondrian, k1_top_down::K1TopDown
}

#[cfg(test)]
mod tests;
