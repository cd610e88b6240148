//! What attackers learn from a release, whoever made it.

use sfumato_engine::attack as engine;

use crate::{Data, Error, Job, Result, Run};

/// What attackers learn from a release. It names records of the original: keep it private.
#[derive(Debug, Clone)]
pub struct Attacks {
    inner: engine::Attacks,
}

/// One attack that was played.
#[derive(Debug, Clone, PartialEq)]
pub struct Attack {
    /// Its name.
    pub name: String,
    /// How often the attacker was right about people in the release; none without any query.
    pub rate: Option<f64>,
    /// The lower end of the 95 % interval of the rate.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
    /// The rate of an attacker who guesses without the release.
    pub baseline: f64,
    /// The same attacker's rate on people who aren't in the release, if such were given.
    pub control: Option<f64>,
    /// How many queries the attacker posed.
    pub queries: u64,
    /// Whether these were too few to say anything.
    pub too_few: bool,
    /// The rows of the original, counted from 1, about which the attacker is most often right.
    pub worst: Vec<u64>,
}

impl Attacks {
    pub(crate) fn of(inner: engine::Attacks) -> Self {
        Attacks { inner }
    }

    /// The attacks that were played.
    pub fn played(&self) -> Vec<Attack> {
        let attack = |played: &engine::Played| Attack {
            name: played.attack.into(),
            rate: played.rate,
            low: played.low,
            high: played.high,
            baseline: played.baseline,
            control: played.control,
            queries: played.queries,
            too_few: played.too_few,
            worst: played.worst.iter().map(|worst| worst.record).collect(),
        };
        self.inner.attacks.iter().map(attack).collect()
    }

    /// The attacks that weren't played, each with what was missing. None of them is passed.
    pub fn not_played(&self) -> Vec<(String, String)> {
        let skipped = self.inner.skipped.iter();
        skipped.map(|skipped| (skipped.attack.into(), skipped.needs.clone())).collect()
    }

    /// The whole in words.
    pub fn words(&self) -> String {
        self.inner.words()
    }

    /// The whole as one JSON object.
    pub fn to_json(&self) -> Result<String> {
        serde_json::to_string_pretty(&self.inner).map_err(|error| {
            let message = format!("what attackers learn can't be written: {error}");
            Error::of(sfumato_core::Error::internal(message))
        })
    }
}

/// Play the adversaries against a release. The job says what its columns or items are; the job that
/// made the release will do. Attacks that need more than the release and its original, such as a
/// [population](Run::population) or a [control group](Run::control), are played by a [`Run`].
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
/// use sfumato::Job;
///
/// # fn main() -> sfumato::Result<()> {
/// let ages: ArrayRef = Arc::new(Int64Array::from(vec![31, 33, 52, 58]));
/// let ills: ArrayRef = Arc::new(StringArray::from(vec!["flu", "cough", "cough", "flu"]));
/// let people = RecordBatch::try_from_iter([("age", ages), ("ill", ills)]).unwrap();
/// let job = Job::table().quasi("age").sensitive("ill").k(2);
/// let release = sfumato::anonymize(people.clone(), &job)?;
///
/// let learnt = sfumato::attack(release.batches(), people, &job, &["record-linkage"])?;
/// assert_eq!(learnt.played()[0].rate, Some(0.5));
/// # Ok(())
/// # }
/// ```
pub fn attack(
    release: impl Into<Data>,
    original: impl Into<Data>,
    job: &Job,
    attacks: &[&str],
) -> Result<Attacks> {
    Run::new(job).original(original).attack(release, attacks)
}
