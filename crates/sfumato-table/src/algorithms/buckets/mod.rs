//! Bucketization: records are put into groups. Quasi values are published as they are, and
//! sensitive values only by group. The quasi columns lose nothing, and nobody's presence is hidden:
//! only which sensitive value belongs to which record.

mod sensitive;

use sfumato_core::traits::Algorithm;

sfumato_core::registry! {
    /// The algorithms that make buckets.
    dyn Algorithm: anatomize::Anatomize, ke_permutation::KePermutation
}
