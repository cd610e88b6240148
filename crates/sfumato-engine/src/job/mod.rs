//! What the user asked for: a release.toml, or the flags that stand for one.

mod baskets;
mod buckets;
mod engine;
mod form;
mod group;
mod hierarchy_as_table;
mod spec;
mod suppression;
mod text;

pub use baskets::BasketSpec;
pub use buckets::BucketForm;
pub use engine::Engine;
pub use form::Form;
pub use group::{GROUP, group_column};
pub use sfumato_core::traits::Effort;
pub use spec::{ColumnSpec, InputSpec, Job, OutputSpec, PrivacySpec, RecodeSpec, RunSpec, WorkloadSpec};
pub use suppression::MaxSuppression;
