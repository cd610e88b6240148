//! What a run can say: which models hold, what was lost, what the risk is.

use std::time::Duration;

use sfumato_report as shown;

/// The private report of a run, for the steward's eyes only: it has samples of the data, and a
/// seed if one was given. What may be handed out with the release is in
/// [`Report::public_json`] and [`Report::public_html`].
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    inner: shown::Report,
}

/// What a model required and what the release achieves.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Guarantee {
    /// The name of the model.
    pub model: String,
    /// What it measures, such as `k`.
    pub measure: String,
    /// What was required of the measure, where it is a number.
    pub required: Option<f64>,
    /// What the release achieves.
    pub achieved: Option<f64>,
    /// Whether it holds.
    pub holds: bool,
    /// What it is about: classes, matches, ...
    pub scope: String,
}

impl Guarantee {
    pub(crate) fn of(guarantee: &shown::Guarantee) -> Self {
        Guarantee {
            model: guarantee.model.clone(),
            measure: guarantee.measure.clone(),
            required: guarantee.required.as_ref().and_then(|number| number.as_f64()),
            achieved: guarantee.achieved.as_ref().and_then(|number| number.as_f64()),
            holds: guarantee.holds,
            scope: guarantee.scope.clone(),
        }
    }
}

impl Report {
    pub(crate) fn of(inner: shown::Report) -> Self {
        Report { inner }
    }

    /// What was required and achieved. Where nothing is promised, such as by added noise, it is
    /// empty.
    pub fn guarantees(&self) -> Vec<Guarantee> {
        self.inner.guarantees.iter().map(Guarantee::of).collect()
    }

    /// Records that were read.
    pub fn records_read(&self) -> u64 {
        self.inner.input.rows
    }

    /// Records that were published.
    pub fn records_published(&self) -> u64 {
        self.inner.output.as_ref().map_or(0, |output| output.rows)
    }

    /// Records that were left out because they fitted nowhere.
    pub fn records_suppressed(&self) -> u64 {
        self.inner.suppressed.records
    }

    /// The algorithm that decided.
    pub fn algorithm(&self) -> &str {
        &self.inner.algorithm.name
    }

    /// The loss by a metric, such as `ncp`; none where it wasn't measured or is undefined.
    pub fn loss(&self, metric: &str) -> Option<f64> {
        self.inner.metrics.get(metric).copied().flatten()
    }

    /// A risk of the release, such as `prosecutor_max`; none where it wasn't measured.
    pub fn risk(&self, name: &str) -> Option<f64> {
        self.inner.risks.get(name)?.after
    }

    /// What the steward should know before handing the release out.
    pub fn warnings(&self) -> &[String] {
        &self.inner.warnings
    }

    /// How long the run took.
    pub fn elapsed(&self) -> Duration {
        Duration::try_from_secs_f64(self.inner.timings_ms.total / 1e3).unwrap_or_default()
    }

    /// The whole report as one JSON object.
    pub fn to_json(&self) -> String {
        self.inner.to_json()
    }

    /// The whole report as a page.
    pub fn to_html(&self) -> String {
        shown::render_private(&self.inner)
    }

    /// What may be handed out with the release, as one JSON object.
    pub fn public_json(&self) -> String {
        shown::PublicReport::from(&self.inner).to_json()
    }

    /// What may be handed out with the release, as a page.
    pub fn public_html(&self) -> String {
        shown::render_public(&shown::PublicReport::from(&self.inner))
    }
}
