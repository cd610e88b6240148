//! A job about graphs: the sections of every job, and how a graph lies in its file.

mod graph;

pub use graph::GraphSpec;
pub use sfumato_engine::job::{AttackSpec, InputSpec, PrivacySpec, RecodeSpec, RunSpec};

use sfumato_core::{Error, Result};

sfumato_engine::job_of_kind! {
    /// A whole job about a graph.
    pub struct Job {
        /// The section `[graph]`: how the graph lies in its file.
        pub graph: GraphSpec,
    }
    /// The section `[output]`: what to write.
    pub struct OutputSpec {
        /// Where it is written which node became which. It is for the steward alone.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub mapping: Option<String>,
    }
    impl KindJob for Job {
        fn check(&self) -> Result<()> {
            let PrivacySpec { max_blank, max_suppression, .. } = &self.privacy;
            match max_blank.is_unsaid() && max_suppression.is_unsaid() {
                true => Ok(()),
                false => Err(Error::params(
                    "max_suppression and max_blank are for tables and baskets: no node of a graph \
                     is left out",
                )),
            }
        }
    }
}
