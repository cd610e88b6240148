//! Baskets, that is records that are sets of items: utilities of items, promises about published
//! sets, and the traits of models and algorithms for them.
//!
//! A [`PublishedSets`] set is always a subset of its record's own set: suppression turns present
//! into absent, and a recipient can't tell an item that was suppressed from one that never was
//! there. [`Bitmaps`] are the other shape: a set that may be wrong both ways, with the items and
//! the number of errors stated.

mod bitmap_traits;
mod bitmaps;
mod collapse;
mod items;
mod published;
mod traits;
mod transactions;

pub use bitmap_traits::{BitmapAlgorithm, BitmapDecision, BitmapMetric, BitmapTask, BitmapView};
pub use bitmaps::Bitmaps;
pub use collapse::Collapsed;
pub use items::{Baskets, ItemRole, Items};
pub use published::{Kept, PublishedSets, Witnesses};
pub use traits::{
    Hiding, SetAlgorithm, SetMetric, SetModel, SetRequirement, SetRequirements, SetTask, SetView,
};
pub use transactions::{Builder, Sets, Transactions};
