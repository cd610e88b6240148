//! Baskets as they are read: the layout of the file, utilities of items, and which items are
//! sensitive.

pub mod layout;
pub mod read;
