//! The public report: what may be handed out with the release.
//!
//! It is built from named fields of the private report, never by deleting from a copy of it, so
//! that a new field of the private report stays private until it is added here. Free text
//! (evidence, notes, warnings) isn't included, because it may contain anything. Neither is anything
//! about the original: path, hash, distributions, risks.
//!
//! Where a mechanism promises privacy by its noise, nothing that was measured beside the original
//! is published: a metric of an answer's error tells the true answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::section::public_flat;
use crate::{
    Classes, EvidenceKind, Guarantee, MetricNote, Ordered, PublicSection, Report, Section,
    Suppressed, Words,
};

/// Guarantees, aggregates, loss and the hash of the released file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PublicReport {
    /// Version of the program that made the release.
    pub version: String,
    /// The name of the algorithm that decided.
    pub algorithm: String,
    /// The published columns.
    pub columns: Vec<PublicColumn>,
    /// Sections that only this form has, each under its own key.
    #[serde(flatten, with = "public_flat")]
    pub sections: Vec<PublicSection>,
    /// What is promised and what is achieved. The evidence text is empty.
    pub guarantees: Vec<Guarantee>,
    /// How the claims are supported.
    pub evidence: EvidenceKind,
    /// What promises and class sizes count: `records`, or `people` if several records may belong to
    /// one person.
    #[serde(default)]
    pub counted: String,
    /// The classes of the release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes: Option<ClassTotals>,
    /// The suppressed records and cells. None where a mechanism promises privacy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<Suppressed>,
    /// Loss over the whole release.
    pub metrics: Ordered<Option<f64>>,
    /// The released file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<PublicOutput>,
    /// What the metrics say.
    #[serde(skip)]
    pub metric_notes: Vec<MetricNote>,
    /// The form's names for its records and cells.
    #[serde(skip)]
    pub words: Words,
    /// The arguments of `sfumato audit` for the released file.
    #[serde(skip)]
    pub audit: Vec<String>,
}

/// A published column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublicColumn {
    /// The name of the column.
    pub name: String,
    /// The role of the column.
    pub role: String,
    /// The kind of generalisation. `None` if values are published as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generalisation: Option<String>,
}

/// Class sizes in four numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassTotals {
    /// How many classes there are.
    pub count: u64,
    /// The number of records in the smallest class.
    pub min: u64,
    /// The mean number of records per class.
    pub mean: f64,
    /// The number of records in the largest class.
    pub max: u64,
}

/// What identifies the released file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublicOutput {
    /// The number of records.
    pub rows: u64,
    /// The SHA-256 hash of the file in lower-case hexadecimal.
    pub sha256: String,
}

impl PublicReport {
    /// The report as one JSON object, indented, without a final newline.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self)
            .expect("every key is a string and writing to memory can't fail")
    }
}

impl From<&Report> for PublicReport {
    fn from(report: &Report) -> Self {
        let columns = report.columns.iter().filter(|column| is_published(&column.role));
        let may_compare = report.evidence.kind != EvidenceKind::ByConstruction;
        let is_public = |section: &&Section| may_compare || !section.is_of_original;
        Self {
            version: report.version.clone(),
            algorithm: report.algorithm.name.clone(),
            columns: columns
                .map(|column| PublicColumn {
                    name: column.name.clone(),
                    role: column.role.clone(),
                    generalisation: column.generalisation.as_deref().map(one_word),
                })
                .collect(),
            sections: report
                .sections
                .iter()
                .filter(is_public)
                .filter_map(PublicSection::of)
                .collect(),
            guarantees: report.guarantees.iter().map(without_private_text).collect(),
            evidence: report.evidence.kind,
            counted: report.words.counted.into(),
            classes: report.classes.as_ref().filter(|_| may_compare).map(ClassTotals::from),
            suppressed: may_compare.then(|| report.suppressed.clone()),
            metrics: if may_compare { report.metrics.clone() } else { Ordered::default() },
            output: report
                .output
                .as_ref()
                .map(|output| PublicOutput { rows: output.rows, sha256: output.sha256.clone() }),
            metric_notes: report.metric_notes.clone(),
            words: report.words,
            audit: report.audit.public().to_vec(),
        }
    }
}

impl From<&Classes> for ClassTotals {
    fn from(classes: &Classes) -> Self {
        Self { count: classes.count, min: classes.min, mean: classes.mean, max: classes.max }
    }
}

/// Whether a column of a role is in the released file. An unknown role is treated as private.
fn is_published(role: &str) -> bool {
    matches!(role, "quasi" | "sensitive" | "target" | "keep" | "pseudonym")
}

/// A word of the catalogue. Anything that looks like a path or a sentence is replaced by a general
/// word.
fn one_word(kind: &str) -> String {
    let word =
        !kind.is_empty() && kind.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if word { kind.into() } else { "other".into() }
}

fn without_private_text(guarantee: &Guarantee) -> Guarantee {
    Guarantee {
        model: guarantee.model.clone(),
        params: without_paths(&guarantee.params),
        measure: guarantee.measure.clone(),
        bound: guarantee.bound,
        required: guarantee.required.clone(),
        achieved: guarantee.achieved.clone(),
        holds: guarantee.holds,
        scope: guarantee.scope.clone(),
        evidence: String::new(),
    }
}

/// Parameters without paths. Parameters belong to the promise, so they are published, except for
/// files such as a population table: the promise depends on their content, and their location is
/// private.
fn without_paths(value: &Value) -> Value {
    match value {
        Value::String(text) if looks_like_path(text) => Value::String("withheld".into()),
        Value::Array(items) => items.iter().map(without_paths).collect(),
        Value::Object(map) => map
            .iter()
            .map(|(name, value)| (name.clone(), without_paths(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

fn looks_like_path(text: &str) -> bool {
    text.contains(['/', '\\']) || (text.contains('.') && text.parse::<f64>().is_err())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        Algorithm, Block, Change, Dependency, Input, LargestLoss, SamplePair, Seed, TimingsMs,
        fixture,
    };
    use crate::{render_private, render_public};

    /// The fixture with a mark in every private field that is easy to find.
    fn marked() -> Report {
        let mut report = fixture::report();
        let secret = || "zzsecret".to_string();
        report.input = Input {
            path: "/zzsecret/in.csv".into(),
            format: secret(),
            rows: 917_001,
            columns: 917_002,
            holds: Some(secret()),
            bytes: 917_003,
            sha256: secret(),
        };
        report.job = json!({"input": {"path": "/zzsecret/in.csv"}});
        report.job_toml = Some("path = \"zzsecret\"".into());
        report.seed = Seed::given(917_004);
        report.algorithm = Algorithm {
            params: json!({"zzsecret": 1}),
            details: json!(["zzsecret"]),
            ..report.algorithm
        };
        for column in &mut report.columns {
            column.data_type = secret();
            column.distinct = 917_005;
            column.missing = 917_006;
            column.hierarchy = Some(secret());
            column.note = Some(secret());
            if !is_published(&column.role) {
                column.name = secret();
            }
        }
        for guarantee in &mut report.guarantees {
            guarantee.evidence = secret();
            guarantee.params["population"] = json!("/zzsecret/people.csv");
        }
        report.classes.as_mut().unwrap().histogram = Classes::from_sizes([(917_007, 1)]).histogram;
        report.classes.as_mut().unwrap().uniques = 917_007;
        report.classes_before = Some(Classes::from_sizes([(917_008, 1)]));
        report.metrics_by_column =
            [("ncp", [("age", Some(917_009.0))].into_iter().collect())].into_iter().collect();
        report.risks = [("zzsecret", Change { before: Some(917_010.0), after: Some(917_011.0) })]
            .into_iter()
            .collect();
        report.evidence.rows = 917_012;
        report.evidence.cells = 917_013;
        report.evidence.models = vec![secret()];
        report.evidence.mechanism = Some(secret());
        report.evidence.note = Some(secret());
        report.dependencies = vec![Dependency { column: secret(), ..Dependency::default() }];
        report.warnings = vec![secret()];
        report.largest_losses = vec![LargestLoss { published: secret(), ..LargestLoss::default() }];
        let row = || [("age", Some(secret()))].into_iter().collect();
        report.sample = vec![SamplePair { original: row(), published: row() }];
        report.timings_ms = TimingsMs { read: 917_014.0, total: 917_015.0, ..TimingsMs::default() };
        report.peak_rss_bytes = Some(917_016);
        let output = report.output.as_mut().unwrap();
        output.path = "/zzsecret/out.csv".into();
        output.bytes = 917_017;
        report
    }

    #[test]
    fn no_private_value_gets_out() {
        let report = marked();
        let public = PublicReport::from(&report);
        assert!(
            render_private(&report).contains("zzsecret"),
            "the marks must be visible where they belong"
        );
        for text in [public.to_json(), render_public(&public)] {
            for mark in ["zzsecret", "9170", "917,0", ".csv", "replay", "not for release"] {
                assert!(!text.contains(mark), "{mark} leaks");
            }
        }
    }

    #[test]
    fn no_private_key_gets_out() {
        fn keys(value: &Value, found: &mut Vec<String>) {
            match value {
                Value::Object(map) => map.iter().for_each(|(key, value)| {
                    found.push(key.clone());
                    keys(value, found);
                }),
                Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
                _ => {}
            }
        }
        let mut found = Vec::new();
        let public = PublicReport::from(&fixture::report());
        keys(&serde_json::to_value(&public).unwrap(), &mut found);
        let forbidden = "seed input path job job_toml sample original timings_ms peak_rss_bytes \
            largest_losses histogram \
                         uniques classes_before risks metrics_by_column warnings dependencies \
                         details note distinct \
                         missing hierarchy bytes";
        for key in forbidden.split_whitespace() {
            assert!(!found.iter().any(|known| known == key), "{key} leaks");
        }
        let page = render_public(&public).to_lowercase();
        let (_, page) = page.split_once("</style>").unwrap();
        for word in
            ["seed", "original rows", "before", "timing", "largest loss", "keep this page private"]
        {
            assert!(!page.contains(word), "{word} is on the public page");
        }
    }

    #[test]
    fn private_fields_have_no_influence_at_all() {
        let mut marked = marked();
        let plain = fixture::report();
        for (marked, plain) in marked.guarantees.iter_mut().zip(&plain.guarantees) {
            marked.params = plain.params.clone();
        }
        let (a, b) = (PublicReport::from(&marked), PublicReport::from(&plain));
        assert_eq!(a.to_json(), b.to_json());
        assert_eq!(render_public(&a), render_public(&b));
    }

    #[test]
    fn dropped_and_unknown_roles_are_not_listed() {
        let mut report = fixture::report();
        report.columns[1].role = "something new".into();
        let listed: Vec<String> =
            PublicReport::from(&report).columns.into_iter().map(|column| column.name).collect();
        assert!(
            !listed.contains(&report.columns[0].name) && !listed.contains(&report.columns[1].name)
        );
        assert_eq!(
            listed.len(),
            report.columns.iter().filter(|column| is_published(&column.role)).count()
        );
    }

    #[test]
    fn kinds_and_parameters_lose_their_paths() {
        assert_eq!(
            [one_word("interval"), one_word("job.csv"), one_word("")],
            ["interval", "other", "other"]
        );
        let params = json!({"k": 5, "on": "disease", "t": "0.2", "files": ["a/b", "c.csv"]});
        let clean = json!({"k": 5, "on": "disease", "t": "0.2", "files": ["withheld", "withheld"]});
        assert_eq!(without_paths(&params), clean);
    }

    #[test]
    fn json_round_trip() {
        let public = PublicReport::from(&fixture::report());
        let again: PublicReport = serde_json::from_str(&public.to_json()).unwrap();
        assert_eq!(again, PublicReport { audit: Vec::new(), ..public });
    }

    #[test]
    fn nothing_measured_beside_the_original_is_public_where_noise_is_the_promise() {
        let mut report = fixture::report();
        report.metrics = [("edges-error", Some(917_009.0))].into_iter().collect();
        report.suppressed = Suppressed::new(917_010, 917_011, 1_000_000);
        let attacks = Section {
            public: Some(json!(917_012)),
            public_blocks: vec![Block::Paragraph("917,012".into())],
            is_of_original: true,
            ..Section::new("attacks", "Attacks", &917_012)
        };
        report.sections = vec![attacks];
        let shown = |report: &Report| {
            let public = PublicReport::from(report);
            (public.to_json() + &render_public(&public)).replace(',', "")
        };
        let before = shown(&report);
        assert!(["917009", "917010", "917011", "917012"].iter().all(|n| before.contains(n)));
        report.evidence.kind = EvidenceKind::ByConstruction;
        let after = shown(&report);
        assert!(!after.contains("91700") && !after.contains("91701"), "{after}");
    }
}
