//! The frame, tested over every kind and form of the list: none can be forgotten.

#![allow(clippy::unwrap_used)]

mod attack;
mod beside_paths;
#[cfg(debug_assertions)]
mod faults;
mod flags;
mod order_of_commit;
mod partitions;
mod perturbed;
mod pseudonyms;
mod public_reports;
mod samples;
mod tamper;
mod toy;
