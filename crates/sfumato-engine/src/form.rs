//! A form of release: what is published of the records of a kind.

use sfumato_core::Result;
use sfumato_core::facts::{Facts, Promises};
use sfumato_core::registry::Info;
use sfumato_report::Report;

use crate::audit::{AuditRequest, Figures};
use crate::context::Context;
use crate::draft::Draft;
use crate::kind::Kind;
use crate::manifest::Described;
use crate::query::{Answers, QueryRequest};
use crate::verify::Checked;

/// A form of release of one kind. The methods stand in the order in which the pipeline calls them.
pub trait Form<K: Kind>: Sync {
    /// The models, bound to their parameters, and the chosen algorithm.
    type Plan;
    /// What the algorithm decided.
    type Decision;
    /// What the verifier needs, besides the original, to compare a draft with it: which record each
    /// row is made from.
    type Witness;
    /// What the bytes of a draft say, after it was read back and compared with the original.
    type Read;
    /// What the bytes of a release say, whoever made it.
    type Opened;

    /// The name of the form: `generalized`, `buckets`.
    fn name(&self) -> &'static str;
    /// The algorithms of the form.
    fn algorithms(&self) -> Vec<&'static Info>;
    /// The metrics of the form.
    fn metrics(&self) -> Vec<&'static Info>;
    /// The name of the family in the catalogue that lists the algorithms.
    fn algorithms_family(&self) -> String {
        format!("{}-algorithms", self.name())
    }
    /// The name of the family in the catalogue that lists the metrics.
    fn metrics_family(&self) -> String {
        format!("{}-metrics", self.name())
    }
    /// Whether a job asks for this form. The forms of a kind are asked in the order of its list.
    fn takes(&self, job: &K::Job) -> Result<bool>;

    /// Refuse what can't be done before anything is read.
    fn check(&self, job: &K::Job) -> Result<()>;
    /// Bind the models and choose the algorithm.
    fn plan(&self, job: &K::Job, data: &K::Data, context: &Context<'_>) -> Result<Self::Plan>;
    /// Let the algorithm decide.
    fn decide(
        &self,
        job: &K::Job,
        plan: &Self::Plan,
        data: &K::Data,
        context: &Context<'_>,
    ) -> Result<Self::Decision>;
    /// Write a draft, in random order. The data may be reordered to match.
    fn write(
        &self,
        job: &K::Job,
        plan: &Self::Plan,
        data: &mut K::Data,
        decision: &mut Self::Decision,
        context: &Context<'_>,
    ) -> Result<(Draft, Self::Witness)>;
    /// Read the draft back from its bytes and compare it with the original: what it states must be
    /// true. One pass does both, so that a draft is never in memory twice.
    fn read_back(
        &self,
        written: &Written<'_, K, Self>,
        draft: &mut Draft,
        context: &Context<'_>,
    ) -> Result<Self::Read>;
    /// The promises that the release must keep.
    fn promises<'a>(&self, plan: &'a Self::Plan) -> &'a dyn Promises;
    /// The facts that the draft, as it was read back, can state.
    fn facts<'a>(
        &self,
        written: &'a Written<'_, K, Self>,
        read: &'a Self::Read,
    ) -> Box<dyn Facts + 'a>;
    /// For forms about which no model promises anything: the mechanism that made the release, with
    /// its parameters, and whether the mechanism promises privacy.
    fn vouches(&self, _plan: &Self::Plan) -> Option<(String, bool)> {
        None
    }
    /// What the guarantees of a run rest on, in words for the report.
    fn checked_how(&self) -> &'static str;
    /// The name of the algorithm, if its releases are known to fail the verifier sometimes. Such a
    /// failure is then not reported as a bug.
    fn known_to_fail(&self, _plan: &Self::Plan) -> Option<&'static str> {
        None
    }
    /// What the manifest says about the release.
    fn describe(&self, written: &Written<'_, K, Self>, read: &Self::Read) -> Described;
    /// The report about loss, risk and what is special about the form. The pipeline adds what all
    /// releases have in common.
    fn report(
        &self,
        written: &Written<'_, K, Self>,
        read: &Self::Read,
        checked: &Checked,
    ) -> Result<Report>;
    /// Write the files that go beside the release, before the release gets its name.
    fn write_beside(&self, _written: &Written<'_, K, Self>) -> Result<()> {
        Ok(())
    }

    /// Clean up after the release got its name.
    fn committed(&self, _written: &Written<'_, K, Self>) {}

    /// Describe the plan in words.
    fn explain(&self, job: &K::Job, context: &Context<'_>) -> Result<String>;

    /// Read a release of this form, whoever made it.
    fn open(&self, request: &AuditRequest<K::Job>, context: &Context<'_>) -> Result<Self::Opened>;
    /// Bind models to a release that was opened.
    fn bind<'a>(
        &self,
        models: &[String],
        opened: &'a Self::Opened,
    ) -> Result<Box<dyn Promises + 'a>>;
    /// The facts that a release can state. If the original was given, these may be more.
    fn state<'a>(&self, opened: &'a Self::Opened) -> Box<dyn Facts + 'a>;
    /// What a guarantee of an audit rests on, in words.
    fn audit_evidence(&self, opened: &Self::Opened, scope: &str) -> &'static str;
    /// What an audit shows besides the guarantees.
    fn figures(&self, opened: &Self::Opened) -> Result<Figures>;

    /// Answer queries over a release.
    fn query(&self, request: &QueryRequest<K::Job>, context: &Context<'_>) -> Result<Answers>;
}

/// A job whose draft was written, with everything that verifying, measuring and reporting may use.
pub struct Written<'a, K: Kind, F: Form<K> + ?Sized> {
    /// The job.
    pub job: &'a K::Job,
    /// The original data.
    pub data: &'a K::Data,
    /// The plan.
    pub plan: &'a F::Plan,
    /// The decision of the algorithm.
    pub decision: &'a F::Decision,
    /// Which record each row is made from.
    pub witness: &'a F::Witness,
}
