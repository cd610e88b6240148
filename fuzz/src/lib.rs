//! What is fuzzed, for the mutation fuzzer beside it and for the coverage-guided ones in `guided`.

mod baskets;
mod binary;
mod frame;
pub mod mutate;
mod spill;
pub mod targets;
