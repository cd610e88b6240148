//! Publishes the decision of an arm of the comparison, through the ordinary pipeline: verified,
//! reported, without labels.

use sfumato_core::observer::Observer;
use sfumato_core::registry::Call;
use sfumato_core::{Error, Result};
use sfumato_report::Report;
use sfumato_report::cluster::Arm;

use super::labelled::{Labelled, Labels};
use super::run::without_tasks;
use super::settings::Settings;
use sfumato_table::data::encode::SavedLevels;
use sfumato_table::job::Job;
use sfumato_table::run::run_saying;

/// Run the job with the algorithm of an arm. Arms that know labels cluster the table that the
/// pipeline read, with the seed of the settings, so the labels are those that were compared.
pub fn release(
    job: &Job,
    settings: &Settings,
    clusters: u64,
    arm: &Arm,
    observer: &dyn Observer,
) -> Result<Report> {
    let clusterer = settings.check()?;
    if job.input.path == "-" {
        return Err(Error::params(
            "a release for clusters needs a file: standard input can be read only once",
        )
        .hint("write the data to a file first"));
    }
    let (mut job, _) = without_tasks(job);
    job.recode.algorithm = arm.chosen.clone().unwrap_or_else(|| arm.algorithm.clone());
    let call: Call = job.recode.algorithm.parse()?;
    let inner = sfumato_table::algorithms::find(&call.name)?;
    let labels = Labels::Find { clusterer: &clusterer, clusters, seed: settings.seed };
    let told = Labelled { inner, labels };
    let say = |report: &mut Report| {
        if arm.labelled {
            report.warnings.push(format!(
                "the recoding was chosen to keep {clusters} clusters of the quasi columns apart \
                    ({}); the clusters themselves aren't \
                 in the release",
                settings.clusterer
            ));
        }
    };
    let stand_in = arm.labelled.then_some(&told as &dyn sfumato_core::traits::Algorithm);
    run_saying(&job, stand_in, &SavedLevels::default(), &say, observer)
}
