//! Nothing but a list of dependencies, in `Cargo.toml`.
//!
//! Cargo turns on the features of a dependency that the selected packages ask for. `cargo test
//! --package sfumato-table` asks for fewer than `cargo test --workspace` does, and so arrow and
//! half of the others would be built a second time, ten minutes of processor time. With
//! `--package dependencies` beside it, both ask for the same.
