//! Nonreciprocal recoding of tables: records hide in no classes. Each is published as a region of
//! its own, and matches regions of others.

use sfumato_core::traits::Algorithm;

sfumato_core::registry! {
    /// The nonreciprocal recodings.
    dyn Algorithm: nonreciprocal_boxes::NonreciprocalBoxes
}
