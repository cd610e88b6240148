//! Full-domain recoding: one level per column for all records. The lattice of all such choices is
//! small enough to be searched completely.

pub mod lattice;

use sfumato_core::traits::Algorithm;

sfumato_core::registry! {
    /// The full-domain recodings.
    dyn Algorithm: full_domain::FullDomain, samarati::Samarati, incognito::Incognito,
        mingen::MinGen, datafly::Datafly, spalm::Spalm
}
