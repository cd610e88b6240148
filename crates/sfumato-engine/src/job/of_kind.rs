//! The job of a kind of data, from what is special about it.

/// Declare the job of a kind: its own sections, its own keys of `[output]`, and what it checks. The
/// sections and keys that every job has are added, so that no kind can forget one.
///
/// ```
/// use serde::{Deserialize, Serialize};
///
/// /// The section `[songs]`.
/// #[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
/// #[serde(deny_unknown_fields, default)]
/// pub struct SongSpec {
///     /// The key in which they are sung.
///     pub key: String,
/// }
///
/// sfumato_engine::job_of_kind! {
///     /// A whole job about songs.
///     pub struct Job {
///         /// The section `[songs]`: how they are sung.
///         pub songs: SongSpec,
///     }
///     /// The section `[output]`: what to write.
///     pub struct OutputSpec {}
///     impl KindJob for Job {}
/// }
///
/// let text = "[input]\npath = 'songs.txt'\n[songs]\nkey = 'A minor'\n[output]\npath = 'out.txt'";
/// let job = Job::parse(text, "release.toml", std::path::Path::new("")).unwrap();
/// assert_eq!((job.input.path.as_str(), job.songs.key.as_str()), ("songs.txt", "A minor"));
/// ```
#[macro_export]
macro_rules! job_of_kind {
    (
        $(#[$job_doc:meta])*
        pub struct Job { $($sections:tt)* }
        $(#[$output_doc:meta])*
        pub struct OutputSpec { $($keys:tt)* }
        impl KindJob for Job { $($methods:tt)* }
    ) => {
        $(#[$job_doc])*
        #[derive(Debug, Clone, Default, PartialEq, ::serde::Deserialize, ::serde::Serialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct Job {
            /// The section `[input]`: what to read.
            pub input: $crate::job::InputSpec,
            $($sections)*
            /// The section `[privacy]`: what must hold.
            pub privacy: $crate::job::PrivacySpec,
            /// The section `[recode]`: how to decide what is published.
            pub recode: $crate::job::RecodeSpec,
            /// The section `[output]`: what to write.
            pub output: OutputSpec,
            /// The section `[attack]`: which attacks to play on the release before it is written.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub attack: Option<$crate::job::AttackSpec>,
            /// The section `[run]`: how to run.
            pub run: $crate::job::RunSpec,
            /// The folder of the release.toml, from which relative paths start.
            #[serde(skip)]
            pub base: ::std::path::PathBuf,
        }

        $(#[$output_doc])*
        #[derive(Debug, Clone, Default, PartialEq, ::serde::Deserialize, ::serde::Serialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct OutputSpec {
            /// The path of the release; `-` for standard output.
            pub path: String,
            /// The private report: `.html` or `.json`.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub report: Option<String>,
            /// The public report, to hand out with the release: `.html` or `.json`.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub public_report: Option<String>,
            $($keys)*
        }

        impl Job {
            /// Read a release.toml. Paths in it start from `base`.
            pub fn parse(
                text: &str,
                file: &str,
                base: &::std::path::Path,
            ) -> ::sfumato_core::Result<Job> {
                $crate::Job::parse(text, file, base)?.of_kind()
            }
        }

        impl $crate::kind::KindJob for Job {
            $($methods)*

            $crate::job_as_toml!();
            fn common(&self) -> $crate::kind::Common<'_> {
                $crate::kind::Common {
                    base: &self.base,
                    input: &self.input,
                    privacy: &self.privacy,
                    recode: &self.recode,
                    run: &self.run,
                    output: &self.output.path,
                    report: self.output.report.as_deref(),
                    public_report: self.output.public_report.as_deref(),
                }
            }
            fn attack(&self) -> Option<&$crate::job::AttackSpec> {
                self.attack.as_ref()
            }
            fn place(&mut self, base: &::std::path::Path, resume: bool) {
                self.base = base.to_path_buf();
                self.run.resume = resume;
            }
        }
    };
}
