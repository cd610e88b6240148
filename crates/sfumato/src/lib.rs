//! Sfumato publishes personal data so that nobody in it can be singled out, and keeps it useful.
//!
//! A [`Job`] says what the data is and what must hold. [`anonymize`] takes Arrow batches or a file
//! and gives batches; [`run`] goes from file to file. Both check what is promised on the bytes that
//! were written before anybody sees them, and end with an [`Error`] if it doesn't hold: a
//! requirement is never weakened silently.
//!
//! ```
//! use std::sync::Arc;
//! use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
//! use sfumato::Job;
//!
//! # fn main() -> sfumato::Result<()> {
//! let names: ArrayRef = Arc::new(StringArray::from(vec!["Ann", "Bob", "Cleo", "Dan"]));
//! let ages: ArrayRef = Arc::new(Int64Array::from(vec![31, 33, 52, 58]));
//! let ills: ArrayRef = Arc::new(StringArray::from(vec!["flu", "cough", "cough", "flu"]));
//! let people =
//!     RecordBatch::try_from_iter([("name", names), ("age", ages), ("ill", ills)]).unwrap();
//!
//! let job = Job::table().identifier("name").quasi("age").sensitive("ill").k(2);
//! let release = sfumato::anonymize(people, &job)?;
//! assert_eq!(release.batches()[0].schema().field(0).name(), "age");
//! let to_hand_out = release.report().public_json();
//!
//! // Whoever gets the release can ask it, and check what it promises.
//! let answers = sfumato::query(release.batches(), &job, &["count where age < 40"])?;
//! assert_eq!(answers[0].estimate.as_ref().and_then(|figure| figure.as_f64()), Some(2.0));
//! assert!(sfumato::audit(release.batches(), &job)?.holds());
//! # Ok(())
//! # }
//! ```
//!
//! Batches are those of the `arrow-array` crate, version 59.
//!
//! | to | call | with progress and cancellation |
//! |---|---|---|
//! | anonymize batches or a file | [`anonymize`] | [`Run::anonymize`] |
//! | run a job from file to file | [`run`] | [`Run::files`] |
//! | see the plan | [`explain`] | [`Run::explain`] |
//! | check anybody's release | [`audit`](fn@audit) | [`Run::audit`] |
//! | play the adversary | [`attack`](fn@attack) | [`Run::attack`] |
//! | compare releases | [`compare`](fn@compare) | [`Run::compare`] |
//! | ask a release | [`query`](fn@query) | [`Run::query`] |
//! | publish new records alike | [`apply`](fn@apply) | [`Apply`] |
//!
//! With the feature `studies`, `Explore` shows what k costs, `Evaluate` what a recipient can do,
//! and `Clusters` whether the clusters of the data survive.

#![deny(missing_docs)]

mod apply;
mod attack;
mod audit;
#[cfg(feature = "studies")]
mod clusters;
mod column;
mod compare;
mod data;
mod error;
#[cfg(feature = "studies")]
mod evaluate;
#[cfg(feature = "studies")]
mod explore;
mod hierarchy;
mod job;
mod layout;
mod manifest;
mod plan;
mod query;
mod release;
mod report;
mod run;
mod value;
mod watch;

pub use apply::{Apply, Recoding, SqlDialect, Unseen, apply};
pub use attack::{Attack, Attacks, attack};
pub use audit::{Achieved, Audit, audit};
#[cfg(feature = "studies")]
pub use clusters::{Clusters, FoundClusters};
pub use column::{Column, Missing, Role};
pub use compare::{Comparison, compare};
pub use data::Data;
pub use error::{Error, ErrorKind, Place, Result};
#[cfg(feature = "studies")]
pub use evaluate::{Evaluate, Evaluation};
#[cfg(feature = "studies")]
pub use explore::{Exploration, Explore};
pub use hierarchy::Hierarchy;
pub use job::Job;
pub use layout::Layout;
pub use manifest::Manifest;
pub use plan::Plan;
pub use query::{Answer, Figure, query};
pub use release::Release;
pub use report::{Guarantee, Report};
pub use run::{Run, anonymize, explain, run};
pub use value::Value;
pub use watch::{Cancel, Progress, ProgressUnit};
