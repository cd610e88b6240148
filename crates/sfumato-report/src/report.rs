//! The private report: everything that is known about a run, for the steward's eyes only.
//!
//! It holds what must not be published: with the seed the shuffle can be replayed, the input's hash
//! confirms a guess, and the sample rows link records. It must be written with file mode 0600. Key
//! order here is key order in the JSON. Floating-point fields are meant to be finite: JSON has no
//! other numbers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::section::flat;
use crate::{Audit, Classes, Evidence, Guarantee, Kept, MetricNote, Ordered, Section, Words};

/// Everything that is known about one run. Fields that a kind of data doesn't have keep their
/// default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version of the program that made the release.
    pub version: String,
    /// When the release was made: date and time in UTC. It isn't in the JSON, which is the same
    /// for the same run.
    #[serde(skip)]
    pub made: Option<String>,
    /// The file that was read.
    pub input: Input,
    /// The job with every default filled in.
    #[serde(default)]
    pub job: Value,
    /// The job as the text of a `release.toml`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job_toml: Option<String>,
    /// Where the randomness came from: the keys `seed`, `seed_given` and `seed_note`.
    #[serde(flatten)]
    pub seed: Seed,
    /// Which algorithm decided: the keys `algorithm`, `algorithm_params` and `algorithm_details`.
    #[serde(flatten)]
    pub algorithm: Algorithm,
    /// The columns of the input, in their order.
    #[serde(default)]
    pub columns: Vec<Column>,
    /// Sections that only this form has, each under its own key.
    #[serde(flatten, with = "flat")]
    pub sections: Vec<Section>,
    /// What was required and what was achieved.
    #[serde(default)]
    pub guarantees: Vec<Guarantee>,
    /// The classes of the release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes: Option<Classes>,
    /// The original grouped by its raw quasi columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes_before: Option<Classes>,
    /// The suppressed records and cells.
    #[serde(default)]
    pub suppressed: Suppressed,
    /// Statistics of classes that the release contains. They are made from real values, and
    /// withheld where they would reveal too few people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statistics: Vec<RegionStatistic>,
    /// Loss over the whole release, beginning with the metric that was optimised. `None` if a
    /// metric is undefined.
    #[serde(default)]
    pub metrics: Ordered<Option<f64>>,
    /// Loss by metric, then by column.
    #[serde(default)]
    pub metrics_by_column: Ordered<Ordered<Option<f64>>>,
    /// What the metrics say. They aren't in the JSON: the catalogue has them.
    #[serde(skip)]
    pub metric_notes: Vec<MetricNote>,
    /// What can still be told from each column, or from each item.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<Kept>,
    /// Risks by name (`prosecutor_max`, `prosecutor_mean`, `journalist`, `marketer`, `uniques`,
    /// ...). They are shares from 0 to 1, except that names starting with `records` count records.
    #[serde(default)]
    pub risks: Ordered<Change>,
    /// What the claims rest on: the keys `evidence` and `evidence_...`.
    #[serde(flatten)]
    pub evidence: Evidence,
    /// Published columns that reveal a quasi column.
    #[serde(default)]
    pub dependencies: Vec<Dependency>,
    /// What the steward should know before publishing the release.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// The columns of which nothing is left: every published record has `*` there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost_columns: Vec<String>,
    /// The published values that lost most, worst first.
    #[serde(default)]
    pub largest_losses: Vec<LargestLoss>,
    /// A few records, original and published side by side.
    #[serde(default)]
    pub sample: Vec<SamplePair>,
    /// How long the steps took.
    #[serde(default)]
    pub timings_ms: TimingsMs,
    /// The largest amount of memory that the process had at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_rss_bytes: Option<u64>,
    /// The written file. `None` if nothing was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Output>,
    /// The form's names for its records and cells. They aren't in the JSON, whose keys are the same
    /// for all forms.
    #[serde(skip)]
    pub words: Words,
    /// How to audit the written file. It isn't in the JSON, which has everything that it follows
    /// from.
    #[serde(skip)]
    pub audit: Audit,
}

impl Report {
    /// The report as one JSON object, indented, without a final newline.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self)
            .expect("every key is a string and writing to memory can't fail")
    }

    /// Read a report from JSON. What isn't in the JSON gets the values of a table, and sections
    /// have only their figures.
    pub fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }
}

/// The file that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The path of the file.
    pub path: String,
    /// The format of the file (`csv`, `parquet`, ...).
    pub format: String,
    /// The number of records read.
    pub rows: u64,
    /// The number of columns read.
    pub columns: u64,
    /// What was read besides records, in words, if that isn't columns.
    #[serde(skip)]
    pub holds: Option<String>,
    /// The size in bytes.
    pub bytes: u64,
    /// The SHA-256 hash of the file in lower-case hexadecimal.
    pub sha256: String,
}

impl Input {
    /// What was read besides records, in words.
    pub(crate) fn width(&self) -> String {
        let columns = || crate::numbers::counted(self.columns, "column");
        self.holds.clone().unwrap_or_else(columns)
    }
}

/// The file that was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// The path of the file.
    pub path: String,
    /// The number of records written.
    pub rows: u64,
    /// The size in bytes.
    pub bytes: u64,
    /// The SHA-256 hash of the file in lower-case hexadecimal.
    pub sha256: String,
}

/// The source of randomness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seed {
    /// The seed, if one was given.
    #[serde(rename = "seed", default)]
    pub value: Option<u64>,
    /// Whether the user gave a seed.
    #[serde(rename = "seed_given", default)]
    pub given: bool,
    /// What this means for the release.
    #[serde(rename = "seed_note", default = "system_note")]
    pub note: String,
}

impl Seed {
    /// Randomness of the operating system, which nobody can replay.
    pub fn from_system() -> Self {
        Self { value: None, given: false, note: system_note() }
    }

    /// A seed that the user gave: good for tests and papers, bad for a release.
    pub fn given(value: u64) -> Self {
        let note =
            "not for release: whoever has this seed can replay the shuffle and line the published \
                rows up \
                    with the original ones"
                .into();
        Self { value: Some(value), given: true, note }
    }
}

fn system_note() -> String {
    "drawn from the operating system's generator; it isn't kept and can't be replayed".into()
}

impl Default for Seed {
    fn default() -> Self {
        Self::from_system()
    }
}

/// The algorithm that found the recoding.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Algorithm {
    /// The name in the catalogue.
    #[serde(rename = "algorithm", default)]
    pub name: String,
    /// The parameters by name.
    #[serde(rename = "algorithm_params", default)]
    pub params: Value,
    /// Details of the search (nodes visited, cuts made, ...).
    #[serde(rename = "algorithm_details", default)]
    pub details: Value,
}

impl Algorithm {
    /// In words, what the search proved about the optimum.
    pub fn proof(&self) -> Option<String> {
        let proven = self.details["proven_optimal"].as_f64()? > 0.5;
        Some(match (proven, self.details["gap_at_most"].as_f64()) {
            (true, _) => "proven: no recoding of this algorithm's kind costs less".into(),
            (false, Some(gap)) => {
                format!("not proven: the best of its kind may cost {:.1} % less", 100.0 * gap)
            }
            (false, None) => "not proven: the search was stopped".into(),
        })
    }

    /// In words, where it ran if not in memory: how much was read and written, compared with the
    /// prediction.
    pub fn engine(&self) -> Option<String> {
        let engine = &self.details["engine"];
        let times = |when: &str, what: &str| engine[when][what].as_f64();
        let word = |x: f64| format!("{:.1}", x).trim_end_matches(".0").to_string();
        Some(format!(
            "{}, {} partitions of at most {} rows, within {}: all records were read {} times \
                (predicted {}) and spilled {} times ({}), in {} ({})",
            engine["name"].as_str()?,
            crate::numbers::count(engine["partitions"].as_u64()?),
            crate::numbers::count(engine["partition_rows"].as_u64()?),
            crate::numbers::bytes(engine["memory"].as_u64()?),
            word(times("actual", "reads")?),
            word(times("predicted", "reads")?),
            word(times("actual", "writes")?),
            word(times("predicted", "writes")?),
            crate::numbers::duration(times("actual", "ms")?),
            crate::numbers::duration(times("predicted", "ms")?),
        ))
    }

    /// How each column is published, in words, if every column is recoded on its own: `age at level
    /// 2 of 4, 7 values`.
    pub fn cuts(&self) -> Vec<String> {
        let words = |cut: &Value| {
            let values = cut["values"].as_u64()?;
            let noun = if values == 1 { "value" } else { "values" };
            let level = match (cut["level"].as_u64(), cut["top_level"].as_u64()) {
                (Some(0), _) => " unchanged".to_string(),
                (Some(level), Some(top)) if level == top => " at the top".to_string(),
                (Some(level), Some(top)) => format!(" at level {level} of {top}"),
                _ => String::new(),
            };
            Some(format!("{}{level}: {values} {noun}", cut["column"].as_str()?))
        };
        self.details["cuts"].as_array().into_iter().flatten().filter_map(words).collect()
    }
}

/// One column of the input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// The name of the column.
    pub name: String,
    /// `identifier`, `subject`, `quasi`, `sensitive`, `target` or `keep`.
    pub role: String,
    /// The type of the column (`integer`, `text`, `date`, ...).
    #[serde(rename = "type")]
    pub data_type: String,
    /// The number of distinct values.
    pub distinct: u64,
    /// The number of cells without a value.
    pub missing: u64,
    /// The kind of generalisation, one word of the catalogue (`interval`, `mask`, `file`). It is
    /// part of the public report, so it must not contain paths or values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generalisation: Option<String>,
    /// The hierarchy with its parameters or its file. `None` if the column has none.
    pub hierarchy: Option<String>,
    /// Anything the reader should know about the column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A column of statistics: the minimum, the maximum or the mean of a column in each class.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RegionStatistic {
    /// The name of the statistic's column in the release.
    pub name: String,
    /// The column that the statistic is about.
    pub column: String,
    /// `min`, `max` or `mean`.
    pub statistic: String,
    /// The grid to which it was snapped.
    pub snap: Option<f64>,
    /// Whether it contains real values. This is always true, and stated for readers of the JSON.
    pub data_bearing: bool,
    /// The number of classes of the release.
    pub classes: u64,
    /// The number of classes without any value in the column.
    pub empty: u64,
    /// The number of classes in which it is withheld because too few people have a value.
    pub withheld_small: u64,
    /// The number of classes in which it is withheld because one person dominates.
    pub withheld_dominated: u64,
    /// The number of records in the classes in which it is withheld.
    pub withheld_records: u64,
}

/// Records and cells that were suppressed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Suppressed {
    /// The number of whole records.
    pub records: u64,
    /// The number of single cells of published records.
    pub cells: u64,
    /// Suppressed records as a share of the records read.
    pub share: f64,
    /// The number of published records of which every quasi cell is suppressed: they say as little
    /// as records that aren't published.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub blank: u64,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl Suppressed {
    /// Suppression of `records` out of `read` records, and of `cells` further cells.
    pub fn new(records: u64, cells: u64, read: u64) -> Self {
        let share = if read == 0 { 0.0 } else { records as f64 / read as f64 };
        Self { records, cells, share, blank: 0 }
    }
}

/// A quantity of the original and of the release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The quantity on the original. `None` if it wasn't measured.
    pub before: Option<f64>,
    /// The quantity on the release. `None` if it wasn't measured.
    pub after: Option<f64>,
}

/// A published column that reveals a quasi column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Dependency {
    /// The column that reveals.
    pub column: String,
    /// The role of the column.
    pub role: String,
    /// The quasi column that it reveals.
    pub determines: String,
    /// The share of records whose quasi value follows from it.
    pub share: f64,
    /// Whether the user accepted it.
    pub accepted: bool,
}

/// A published value that lost a lot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LargestLoss {
    /// The name of the column.
    pub column: String,
    /// The published value.
    pub published: String,
    /// How many records have it.
    pub records: u64,
    /// The loss of one such cell, from 0 to 1.
    pub loss: f64,
}

/// One record in the original and in the release. Missing values are null.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SamplePair {
    /// The original cells by column.
    pub original: Ordered<Option<String>>,
    /// The published cells by column.
    pub published: Ordered<Option<String>>,
}

/// Milliseconds by step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TimingsMs {
    /// Reading and parsing.
    pub read: f64,
    /// Encoding into codes.
    pub encode: f64,
    /// Planning: binding models and choosing an algorithm.
    pub plan: f64,
    /// Finding and applying the recoding.
    pub anonymize: f64,
    /// Reading the finished file back and checking it.
    pub verify: f64,
    /// Measuring loss and risk.
    pub measure: f64,
    /// Writing, syncing, renaming.
    pub write: f64,
    /// Wall time from start to end.
    pub total: f64,
}

impl TimingsMs {
    /// The steps in the order in which they run.
    pub fn stages(&self) -> [(&'static str, f64); 7] {
        [
            ("read", self.read),
            ("encode", self.encode),
            ("plan", self.plan),
            ("anonymize", self.anonymize),
            ("verify", self.verify),
            ("measure", self.measure),
            ("write", self.write),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fixture, made_up};

    #[test]
    fn json_round_trip_keeps_everything() {
        let report = Report { sections: vec![made_up::section()], ..fixture::report() };
        let mut again = Report::from_json(&report.to_json()).unwrap();
        assert_eq!(again.to_json(), report.to_json());
        // A page is made by the run itself, so what only pages need isn't in the JSON.
        let [section] = &report.sections[..] else { panic!("one section") };
        let (key, figures) = (section.key.clone(), section.figures.clone());
        assert_eq!(again.sections, [Section { key, figures, ..Section::default() }]);
        again.audit = report.audit.clone();
        again.sections = report.sections.clone();
        assert_eq!(again, report);
    }

    #[test]
    fn contract_keys_are_there_in_order() {
        let json: Value = serde_json::from_str(&fixture::report().to_json()).unwrap();
        let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        let contract = "version input job job_toml seed seed_given seed_note algorithm \
            algorithm_params algorithm_details \
                        columns guarantees classes classes_before \
                        suppressed metrics metrics_by_column risks evidence evidence_rows \
                        evidence_cells evidence_models dependencies warnings largest_losses \
                        sample timings_ms peak_rss_bytes output";
        assert_eq!(keys, contract.split_whitespace().collect::<Vec<_>>());
        for (object, fields) in [
            ("input", "path format rows columns bytes sha256"),
            ("classes", "count min mean max uniques histogram"),
            ("suppressed", "records cells share"),
            ("timings_ms", "read encode plan anonymize verify measure write total"),
            ("output", "path rows bytes sha256"),
        ] {
            let keys: Vec<&str> =
                json[object].as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(keys, fields.split_whitespace().collect::<Vec<_>>(), "{object}");
        }
    }

    #[test]
    fn an_almost_empty_report_survives() {
        let report = Report::default();
        assert_eq!(Report::from_json(&report.to_json()).unwrap(), report);
        let undefined = Report {
            metrics: [("ncp", Some(f64::NAN))].into_iter().collect(),
            ..Report::default()
        };
        assert_eq!(
            Report::from_json(&undefined.to_json()).unwrap().metrics.get("ncp"),
            Some(&None)
        );
    }

    #[test]
    fn a_given_seed_says_not_for_release() {
        assert!(Seed::given(7).note.contains("not for release"));
        assert_eq!((Seed::default().value, Seed::default().given), (None, false));
    }

    #[test]
    fn suppressed_share_of_nothing_is_zero() {
        assert_eq!(Suppressed::new(0, 0, 0).share, 0.0);
        assert_eq!(Suppressed::new(5, 0, 20).share, 0.25);
    }
}
