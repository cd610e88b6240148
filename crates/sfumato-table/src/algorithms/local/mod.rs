//! Local recoding: records with equal quasi cells may be published differently, region by region.
//! It loses least, but tables of different releases aren't comparable cell by cell.

pub mod rothko;

#[cfg(test)]
mod minimality_tests;

use sfumato_core::traits::Algorithm;

sfumato_core::registry! {
    /// The local recodings.
    dyn Algorithm: peel::Peel, mondrian::Mondrian, blind_mondrian::BlindMondrian,
        veiled_mondrian::VeiledMondrian,
        bottom_up::BottomUp, top_down::TopDown,
        k_member::KMember, r_gather::RGather,
        progressive_local_recoding::ProgressiveLocalRecoding, mpalm::Mpalm
}
