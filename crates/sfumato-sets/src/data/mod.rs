//! Baskets as they are read: how they lie in a file, what items are worth, which are sensitive.

pub mod layout;
pub mod read;
