//! Reports of a run: the private report as JSON and HTML for the steward, the public report to
//! publish with the release, and the few lines shown at the end of a run.
//!
//! This crate knows none of the engine's types: the engine fills [`Report`] and everything here is
//! derived from it. It knows no kind or form of data either: what only one of them has is a
//! [`Section`]. It opens no file, reads no clock, measures nothing, and must never put into the
//! public report what only the private one may say.

mod audit;
pub mod chart;
mod classes;
pub mod cluster;
pub mod compare;
pub mod csv;
mod escape;
pub mod evaluate;
pub mod explore;
mod guarantee;
mod html;
pub mod kept;
mod map;
pub mod matrix;
mod metric_note;
pub mod numbers;
mod ordered;
mod public;
pub mod reduce;
mod report;
mod section;
mod svg;
mod text;
mod words;

pub use audit::{Audit, name_list};
pub use classes::{Bucket, Classes};
pub use escape::shorten;
pub use guarantee::{Bound, Evidence, EvidenceKind, Guarantee, figure};
pub use html::{render_audit, render_comparison, render_private, render_public};
pub use kept::{Bar, Kept};
pub use metric_note::MetricNote;
pub use ordered::Ordered;
pub use public::{ClassTotals, PublicColumn, PublicOutput, PublicReport};
pub use report::{
    Algorithm, Change, Column, Dependency, Input, LargestLoss, Output, RegionStatistic, Report,
    SamplePair, Seed, Suppressed, TimingsMs,
};
pub use section::{
    Block, Dot, Heading, Layer, Place, PublicSection, Section, Stroke, Tile, figures_of,
};
pub use text::summary;
pub use words::{Standing, Verdict, Words, model_spec, some_of, tame_lines, verdict};

#[cfg(test)]
pub(crate) mod made_up;

#[cfg(test)]
pub(crate) mod fixture {
    //! One complete private report, shared by the tests.

    /// The report of a run over an invented hospital table of 6,000 records.
    pub(crate) fn report() -> crate::Report {
        let json = include_str!("../fixtures/report.json");
        let mut report = crate::Report::from_json(json).unwrap();
        report.audit.add_original();
        report.audit.add("--qi", "age,zip,sex,education");
        report.audit.add("--sensitive", "disease");
        report
    }
}
