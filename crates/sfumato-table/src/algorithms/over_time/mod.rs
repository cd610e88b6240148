//! Recodings of a table that was published before, which say of each person something that earlier
//! releases said, too.

use sfumato_core::traits::Algorithm;

sfumato_core::registry! {
    /// The recodings that look at who was published before.
    dyn Algorithm: m_invariant::MInvariant, tds4sa::Tds4sa
}
