//! Algorithms for logs of queries: those that share secrets, those that hash terms and those that
//! split people. Nothing here reads or writes files, or verifies.

pub mod hashing;
pub mod papers;
pub mod secret;
pub mod sharing;
pub mod splitting;
