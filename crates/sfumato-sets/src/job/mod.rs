//! A job about baskets: the sections of every job, and what the items are.

mod baskets;

pub use baskets::BasketSpec;
pub use sfumato_engine::job::{
    AttackSpec, BucketLayout, Engine, GROUP, InputSpec, MaxSuppression, PrivacySpec, RecodeSpec,
    RunSpec,
};

use sfumato_core::{Error, Result};

sfumato_engine::job_of_kind! {
    /// A whole job about baskets.
    pub struct Job {
        /// The section `[baskets]`: the layout of the file, and what its items are.
        pub baskets: BasketSpec,
    }
    /// The section `[output]`: what to write.
    pub struct OutputSpec {
        /// Whether rows stay in the order of the input. The report says so, because an order can
        /// reveal people.
        #[serde(skip_serializing_if = "is_default")]
        pub keep_order: bool,
        /// The layout of a bucket release, if records are published in buckets: quasi values as
        /// they are, sensitive values only by group.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub buckets: Option<BucketLayout>,
        /// Where the item hierarchy is written by which items were generalized, if that is asked
        /// for.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub item_hierarchy: Option<String>,
        /// The name of the column with the group of a row in a bucket release. By default `group`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub group: Option<String>,
    }
    impl KindJob for Job {
        // Form is what is published of records, layout is how they lie in a file.
        const RENAMED: &'static [(&'static str, &'static str, &'static str)] =
            &[("baskets", "form", "layout")];

        fn check(&self) -> Result<()> {
            match self.privacy.max_blank.is_unsaid() {
                true => Ok(()),
                false => Err(Error::params("max_blank is for tables, and these are baskets")
                    .hint("max_suppression limits how many records become empty sets")),
            }
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Job {
    /// The name of the column with the group of a row in a bucket release.
    pub fn group_column(&self) -> &str {
        self.output.group.as_deref().unwrap_or(GROUP)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_old_name_of_a_key_is_refused_with_the_new_one() {
        let text = "[input]\npath = \"log.dat\"\n[baskets]\nform = \"lines\"\n";
        let error = Job::parse(text, "release.toml", Path::new("")).unwrap_err();
        assert_eq!(error.hint.as_deref(), Some("the key form of [baskets] is called layout now"));
        assert!(error.to_string().contains("release.toml:4:1"), "{error}");
        // A job that flags made has no lines, and is refused as well.
        let mut job = sfumato_engine::Job::default();
        job.set("input", "path", "log.dat");
        job.set("baskets", "form", "lines");
        let error = job.without_output::<Job>().unwrap_err();
        assert_eq!(error.hint.as_deref(), Some("the key form of [baskets] is called layout now"));
        // Another mistake in the same section isn't about the old name.
        let text = "[baskets]\nfrom = \"lines\"\n";
        assert_eq!(Job::parse(text, "release.toml", Path::new("")).unwrap_err().hint, None);
    }
}
