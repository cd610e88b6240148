//! A job about paths: the sections of every job, and what the paths are.

mod spec;

pub use sfumato_engine::job::{
    AttackSpec, InputSpec, MaxSuppression, PrivacySpec, RecodeSpec, RunSpec,
};
pub use spec::PathSpec;

use sfumato_core::{Error, Result};

sfumato_engine::job_of_kind! {
    /// A whole job about paths.
    pub struct Job {
        /// The section `[paths]`: the layout of the file, and which columns are sensitive.
        pub paths: PathSpec,
    }
    /// The section `[output]`: what to write.
    pub struct OutputSpec {
        /// Whether paths stay in the order of the input. The report says so, because an order can
        /// reveal people.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        pub keep_order: bool,
    }
    impl KindJob for Job {
        fn check(&self) -> Result<()> {
            match self.privacy.max_blank.is_unsaid() {
                true => Ok(()),
                false => Err(Error::params("max_blank is for tables, and these are paths")
                    .hint("max_suppression limits how many paths are left out")),
            }
        }
    }
}
