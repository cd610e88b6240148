//! The traits through which the crates of Sfumato work together, one file each.

mod algorithm;
mod builder;
mod combine;
mod metric;
mod model;
mod objective;
mod risk;
mod workload_task;

pub use algorithm::{Algorithm, Task};
pub use builder::{BuildInput, Builder};
pub use combine::{Combine, MeasuredPart, combined};
pub use metric::{Measurement, Metric, View};
pub use model::{
    Bind, Direction, Measure, Model, Requirement, Requirements, Scope, SensitiveColumn, TOLERANCE,
};
pub use objective::{Effort, Join, Objective};
pub use risk::{ClassSizes, Risk};
pub use workload_task::WorkloadTask;
