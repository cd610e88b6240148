//! Baskets as they are read (the layout of the file, utilities of items, and which items are
//! sensitive), and what algorithms decide about them.
//!
//! A [`PublishedSets`] set is always a subset of its record's own set: suppression turns present
//! into absent, and a recipient can't tell an item that was suppressed from one that never was
//! there. [`Bitmaps`] are the other shape: a set that may be wrong both ways, with the items and
//! the number of errors stated. Buckets are [`Groups`] of records whose harmless part is published
//! as it is, and whose sensitive part only as [`FactCounts`] per group: an attacker who knows a
//! person finds their record, but not which of the group's sensitive facts are that person's.

mod bitmaps;
mod collapse;
mod degree;
mod fact_counts;
mod groups;
pub mod item_tree;
mod items;
pub mod layout;
mod published;
pub mod questions;
pub mod read;

pub use bitmaps::Bitmaps;
pub use collapse::Collapsed;
pub use degree::{Degree, check_frequencies, degree_of};
pub use fact_counts::FactCounts;
pub use groups::Groups;
pub use items::{BasketData, ItemRole, Items};
pub use published::{Kept, PublishedSets, Witnesses};
