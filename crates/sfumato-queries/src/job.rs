//! The job of a release of a log of queries: the sections of its `release.toml`.

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, Result};
use sfumato_engine::job::PrivacySpec;

use crate::data::layout::{self, Layout};

sfumato_engine::job_of_kind! {
    /// A whole job about a log of queries.
    pub struct Job {
        /// The section `[queries]`: which column is which.
        pub queries: QueriesSpec,
    }
    /// The section `[output]`: what to write.
    pub struct OutputSpec {}
    impl KindJob for Job {
        fn check(&self) -> Result<()> {
            let PrivacySpec { max_suppression, max_blank, .. } = &self.privacy;
            match max_suppression.is_unsaid() && max_blank.is_unsaid() {
                true => Ok(()),
                false => Err(Error::params(
                    "max_suppression and max_blank are for tables, and this is a log of queries",
                )),
            }
        }
    }
}

/// The section `[queries]`: its presence makes the job one about a log of queries.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct QueriesSpec {
    /// Which column is which, such as `log(user=AnonID, query=Query)`.
    pub layout: String,
}

impl QueriesSpec {
    /// The layout of the log. An error if the job doesn't say it.
    pub fn layout(&self) -> Result<Layout> {
        match self.layout.is_empty() {
            false => layout::parse(&self.layout),
            true => Err(Error::params("nothing says which column of the log is which")
                .hint("say it with --queries 'log(user=A, query=B)'")),
        }
    }
}
