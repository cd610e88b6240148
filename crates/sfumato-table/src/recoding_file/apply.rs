//! Publishes new rows as an earlier release was published.

use sfumato_core::Result;
use sfumato_core::observer::Observer;
use sfumato_report::Report;

use super::{SavedFile, SavedRecoding, Unseen};
use crate::data::encode::SavedLevels;
use crate::forms::generalized::Say;
use crate::job::Job;
use crate::run::run_saying;

/// Publish new rows in the regions of a saved recoding. The job says what to read and write; roles
/// and models are the saved ones. The output is verified like any other release.
pub fn apply_saved(
    file: &SavedFile,
    unseen: Unseen,
    job: &Job,
    observer: &dyn Observer,
) -> Result<Report> {
    let saved = SavedLevels {
        tables: file
            .columns
            .iter()
            .chain(&file.sensitive)
            .filter_map(|c| Some((c.name.clone(), c.level_table()?)))
            .collect(),
        bounds: file.columns.iter().map(|c| (c.name.clone(), c.bounds())).collect(),
        unknown_to_root: unseen != Unseen::Refuse,
    };
    let say: Say<'_> = &|report: &mut Report| {
        report.algorithm.name = "saved-recoding".into();
        report.warnings.push(
            "these rows were published in the regions of an earlier release: whoever has both \
                releases, and knows that \
             a person is in both, may combine what each says"
                .into(),
        );
    };
    run_saying(job, Some(&SavedRecoding { file, unseen }), &saved, say, observer)
}
