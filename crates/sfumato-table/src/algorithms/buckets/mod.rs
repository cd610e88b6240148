//! Bucketization: records are put into groups and their quasi values are published as they are;
//! sensitive values are published as those of the group. Loses nothing of the quasi columns, and
//! hides nobody: only whose sensitive value is whose.

mod sensitive;

use sfumato_core::traits::Algorithm;

sfumato_core::registry! {
    /// The algorithms that make buckets.
    dyn Algorithm: anatomize::Anatomize, ke_permutation::KePermutation
}
