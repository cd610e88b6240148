//! A job about documents: the sections of every job, and what is done with their text.

mod layout;

pub use layout::Layout;

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, Result};

/// What may take the place of a text that is replaced.
pub const REPLACEMENTS: &[&str] = &["tag", "redact", "remove", "generalize", "surrogate"];

sfumato_engine::job_of_kind! {
    /// A whole job about documents.
    pub struct Job {
        /// The section `[text]`: where the text is, and what is done with it.
        pub text: TextSpec,
    }
    /// The section `[output]`: what to write.
    pub struct OutputSpec {
        /// Where it is written what was replaced. It is private.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub spans: Option<String>,
        /// Where it is written who covers each protected entity. It is private.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub certificate: Option<String>,
    }
    impl KindJob for Job {
        fn check(&self) -> Result<()> {
            self.text.check()?;
            match self.privacy.max_blank.is_unsaid() && self.privacy.max_suppression.is_unsaid() {
                true => Ok(()),
                false => Err(Error::params("no document is left out, so none can be allowed to be")
                    .hint("leave out max_suppression and max_blank")),
            }
        }
    }
}

/// The section `[text]`: where the text is, and what is done with it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct TextSpec {
    /// Where the text is: `folder`, or `field=NAME`.
    pub layout: String,
    /// What to look for: `default`, `safe-harbor`, names of detectors, files of taggers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub detect: Vec<String>,
    /// What takes the place of what was found. A tag where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replace: Option<String>,
    /// How much of what was found is taken out. Everything where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// The file of entities with their contexts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entities: Option<String>,
    /// The file of protected entities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protected: Option<String>,
}

impl TextSpec {
    /// Refuse words that mean nothing.
    pub fn check(&self) -> Result<()> {
        let is_known = |name: &&String| REPLACEMENTS.contains(&name.as_str());
        match self.replace.as_ref().filter(|name| !is_known(name)) {
            None => Ok(()),
            Some(name) => {
                let known = REPLACEMENTS.join(", ");
                Err(Error::params(format!("replace is one of {known}, not '{name}'")))
            }
        }
    }
}

/// How much is taken out, as the rules of HIPAA tell levels of de-identification apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Direct and quasi identifiers.
    Full,
    /// Direct identifiers: names and numbers, and not ages, places and dates.
    Partial,
    /// Direct identifiers, and of quasi identifiers so much that a model holds.
    Statistical,
}

impl Level {
    /// All levels, as jobs name them.
    pub const NAMES: &'static [&'static str] = &["full", "partial", "statistical"];
    /// Classes that many people share: quasi identifiers.
    pub const QUASI: [&'static str; 6] =
        ["AGE", "GPE", "NRP", "DATE_TIME", "ZIP_CODE", "ORGANIZATION"];
}

impl Job {
    /// Where the text is.
    pub fn layout(&self) -> Result<Layout> {
        self.text.layout.parse()
    }
}
