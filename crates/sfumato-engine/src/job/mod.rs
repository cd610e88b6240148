//! What the user asked for: a release.toml, or the flags that stand for one.

mod spec;
mod suppression;
mod text;

pub use sfumato_core::traits::Effort;
pub use spec::{ColumnSpec, InputSpec, Job, OutputSpec, PrivacySpec, RecodeSpec, RunSpec, WorkloadSpec};
pub use suppression::MaxSuppression;
