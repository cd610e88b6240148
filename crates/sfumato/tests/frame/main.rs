//! The frame, tested over every kind and form of the list: none can be forgotten.

#![allow(clippy::unwrap_used)]

mod partitions;
mod order_of_commit;
mod samples;
mod tamper;
mod toy;
