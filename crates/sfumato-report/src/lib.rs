//! What a run says about itself: the private report as JSON and HTML for the steward, the public one to hand out
//! with the release, and the few lines shown at the end of a run.
//!
//! This crate knows none of the engine's types: the engine fills [`Report`] and everything here is derived from it.
//! It opens no file, reads no clock, measures nothing, and must never put into the public report what only the
//! private one may say.

pub mod baskets;
pub mod bitmaps;
pub mod buckets;
pub mod chart;
mod classes;
pub mod cluster;
pub mod csv;
mod escape;
pub mod evaluate;
pub mod explore;
mod guarantee;
mod html;
pub mod matrix;
pub mod numbers;
mod ordered;
mod public;
pub mod reduce;
mod report;
mod svg;
mod text;
mod words;

pub use classes::{Bucket, Classes};
pub use guarantee::{Bound, Evidence, EvidenceKind, Guarantee, figure};
pub use html::{render_private, render_public};
pub use ordered::Ordered;
pub use public::{ClassTotals, PublicBaskets, PublicBuckets, PublicColumn, PublicOutput, PublicReport};
pub use report::{
    Algorithm, Change, Column, Dependency, Input, LargestLoss, Output, RegionStatistic, Report, SamplePair,
    Seed, Suppressed, TimingsMs,
};
pub use text::summary;
pub use words::{Standing, Verdict, audit_command, model_spec, verdict};

#[cfg(test)]
pub(crate) mod fixture {
    //! One complete private report, shared by the tests.

    /// The report of a run over an invented hospital table of 6,000 records.
    pub(crate) fn report() -> crate::Report {
        crate::Report::from_json(include_str!("../fixtures/report.json")).unwrap()
    }
}
