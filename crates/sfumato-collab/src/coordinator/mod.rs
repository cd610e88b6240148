//! The coordinator: it starts the holders, puts their parts together and releases them, once the
//! verifier of tables let the union pass. It sees generalized rows and nothing else.

mod dry_run;
mod release;
mod report;
mod run;

pub use dry_run::{DryRun, Parts, dry_run, take_part};
pub use release::release;
pub use report::Report;
pub use run::{Coordinator, Offered};
