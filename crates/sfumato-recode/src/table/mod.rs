//! Algorithms for tables: records of quasi and sensitive columns.

pub mod shared;

use sfumato_core::traits::Algorithm;

sfumato_core::registry! {
    /// The algorithms for tables.
    dyn Algorithm: mondrian::Mondrian
}
