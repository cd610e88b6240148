//! Algorithms that leave items out of all records, so that what is left of combinations occurs as
//! often as before.

use crate::traits::SetAlgorithm;

mod all_moles;
mod moles;

sfumato_core::registry! {
    /// The algorithms that suppress items.
    dyn SetAlgorithm: item_suppression::ItemSuppression
}

#[cfg(test)]
mod tests;
