//! Sfumato publishes personal data so that nobody in it can be singled out, and keeps it useful.
//!
//! A job is a `release.toml`, or what stands for one. What is asked of it is checked on the bytes
//! that were written before the release gets its name:
//!
//! ```
//! use sfumato::Job;
//! use sfumato::observer::Unobserved;
//!
//! # fn main() -> sfumato::Result<()> {
//! let folder = std::env::temp_dir().join(format!("sfumato-doc-{}", std::process::id()));
//! std::fs::create_dir_all(&folder).unwrap();
//! let people = "age,ill\n31,flu\n33,flu\n52,cough\n58,flu\n";
//! std::fs::write(folder.join("people.csv"), people).unwrap();
//! let text = r#"
//!     [input]
//!     path = "people.csv"
//!     [columns]
//!     age = { role = "quasi" }
//!     ill = { role = "sensitive" }
//!     [privacy]
//!     models = ["k-anonymity(k=2)"]
//!     [output]
//!     path = "release.csv"
//! "#;
//! let job = Job::parse(text, "release.toml", &folder)?;
//! let report = sfumato::run(&job, &Unobserved)?;
//! assert!(report.guarantees.iter().all(|guarantee| guarantee.holds));
//! assert!(folder.join("release.csv").exists());
//! # std::fs::remove_dir_all(&folder).unwrap();
//! # Ok(())
//! # }
//! ```

pub use sfumato_core::{Error, ErrorKind, Result, observer};
pub use sfumato_engine::audit::Audit;
pub use sfumato_engine::entry::Request;
pub use sfumato_engine::query::{Answer, Answers};
pub use sfumato_engine::{Job, Releases};
pub use sfumato_report::Report;

mod batches;

pub use batches::{Anonymized, anonymize, audit_batches};

use observer::Observer;

/// Every kind of data in every form of release. A new kind is one line here.
pub static RELEASES: Releases = Releases(&[
    sfumato_table::RELEASES,
    sfumato_sets::RELEASES,
    #[cfg(feature = "toy")]
    sfumato_toy::RELEASES,
]);

/// Run a job: read, anonymize, verify, measure, write, report.
pub fn run(job: &Job, observer: &dyn Observer) -> Result<Report> {
    RELEASES.run(job, observer)
}

/// The plan of a job in words. Reads the input and writes nothing.
pub fn explain(job: &Job, observer: &dyn Observer) -> Result<String> {
    RELEASES.explain(job, observer)
}

/// Measure what a release really promises, whoever made it. The request's job names the release as
/// its input.
pub fn audit(request: &Request, observer: &dyn Observer) -> Result<Audit> {
    RELEASES.audit(request, observer)
}

/// Answer queries over a release: each answer is an estimate with bounds that hold.
pub fn query(request: &Request, observer: &dyn Observer) -> Result<Answers> {
    RELEASES.query(request, observer)
}
