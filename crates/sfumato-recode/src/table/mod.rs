//! Algorithms for tables: records of quasi and sensitive columns.

pub mod shared;

use sfumato_core::traits::Algorithm;

sfumato_core::registry! {
    /// The algorithms for tables.
    dyn Algorithm: peel::Peel, mondrian::Mondrian, bottom_up::BottomUp, top_down::TopDown, k_member::KMember, r_gather::RGather,
        progressive_local_recoding::ProgressiveLocalRecoding
}
