//! A form of release: what is published of the records of a kind.

use rand_chacha::ChaCha20Rng;
use sfumato_core::facts::{Fact, Facts, Promises};
use sfumato_core::registry::Info;
use sfumato_core::{Error, Result};
use sfumato_io::AtomicFile;
use sfumato_report::Report;

use crate::apply::ApplyRequest;
use crate::attack::{AttackRequest, Stage, no_attacks};
use crate::audit::{AuditRequest, Figures};
use crate::compare::Utility;
use crate::context::Context;
use crate::draft::Draft;
use crate::exec::{Memory, Partitions, Records};
use crate::explain::PlanFacts;
use crate::kind::{Kind, KindJob as _};
use crate::lie::Lie;
use crate::manifest::Described;
use crate::query::{Answers, QueryRequest};
use crate::verify::Checked;

/// A form of release of one kind. The methods stand in the order in which the pipeline calls them.
pub trait Form<K: Kind>: Sync {
    /// The models, bound to their parameters, and the chosen algorithm.
    type Plan;
    /// What the algorithm decided about a partition.
    type Decision: 'static;
    /// What the verifier must be told to compare a draft with its original: which record each row
    /// is. It grows with the draft.
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
    /// What a release of this form can state beside its original: models that ask for anything
    /// else can't be judged on it.
    fn states(&self) -> &'static [Fact];
    /// The word of the catalogue for its algorithms.
    fn algorithms_family(&self) -> String {
        format!("{}-algorithms", self.name())
    }
    /// The name of the family in the catalogue that lists the metrics.
    fn metrics_family(&self) -> String {
        format!("{}-metrics", self.name())
    }
    /// Whether it needs all records in memory at once. A form that doesn't divides them itself.
    fn needs(&self) -> Records {
        Records::AtOnce
    }
    /// The model whose strength is tried where releases of several strengths are compared, and the
    /// parameter that says it: `("k-anonymity", "k")`. None where nothing is promised.
    fn strength(&self) -> Option<(&'static str, &'static str)>;
    /// Whether a metric says how much is kept instead of lost.
    fn more_is_better(&self, _metric: &str) -> bool {
        false
    }
    /// Whether the release of a job is a folder of several files.
    fn is_folder(&self, _job: &K::Job) -> bool {
        false
    }
    /// Whether a job asks for this form. The forms of a kind are asked in the order of its list.
    fn takes(&self, job: &K::Job) -> Result<bool>;

    /// Refuse what can't be done before anything is read.
    fn check(&self, job: &K::Job) -> Result<()>;
    /// Bind the models and choose the algorithm.
    fn plan(&self, job: &K::Job, data: &K::Data, context: &Context<'_>) -> Result<Self::Plan>;
    /// Divide the records into partitions. What is in memory is one.
    fn divide(
        &self,
        job: &K::Job,
        _plan: &Self::Plan,
        _data: &mut K::Data,
        _context: &Context<'_>,
    ) -> Result<Store<K, Self>> {
        Ok(Box::new(Memory::new(job.common().run.seed)))
    }
    /// Whether the algorithm of a plan can be told to give what it has.
    fn is_anytime(&self, _plan: &Self::Plan) -> bool {
        false
    }
    /// Ask the algorithm about a partition.
    fn decide(
        &self,
        job: &K::Job,
        plan: &Self::Plan,
        partition: &K::Data,
        context: &Context<'_>,
    ) -> Result<Self::Decision>;
    /// Write a partition, in random order: the first begins a draft, the others are appended to it.
    /// The records of the partition may be brought into that order.
    fn write(
        &self,
        job: &K::Job,
        plan: &Self::Plan,
        partition: Partition<'_, K, Self>,
        context: &Context<'_>,
    ) -> Result<(Draft, Self::Witness)>;
    /// All partitions are written: end what is still open.
    fn close(&self, _draft: &mut Draft, _witness: &mut Self::Witness) -> Result<()> {
        Ok(())
    }
    /// Read the draft back from its bytes and compare it with the original: what it says must be
    /// true. One pass does both, so that a draft is never held twice.
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
    /// What a ledger records of the release, for later ones to be judged beside. `None` for forms
    /// which nothing can be.
    fn record(
        &self,
        _written: &Written<'_, K, Self>,
        _read: &Self::Read,
    ) -> Result<Option<serde_json::Value>> {
        Ok(None)
    }
    /// Write what goes beside the release, such as a recoding. The files have no names yet: they
    /// get them with the release.
    fn write_beside(&self, _written: &Written<'_, K, Self>) -> Result<Vec<AtomicFile>> {
        Ok(Vec::new())
    }

    /// Lies that the verifier of this form must see through: tests tell each of them. A form that
    /// can be lied to and has none here fails the tests.
    fn lies(&self) -> Vec<Lie<K::Data, Self::Decision>>;

    /// The facts of the plan. Reads the input, because sizes and time depend on it, and writes
    /// nothing.
    fn explain(&self, job: &K::Job, context: &Context<'_>) -> Result<PlanFacts>;

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

    /// What a release keeps of the original that the request names, measured from its bytes: for
    /// comparing releases. A form that can't measure anything from a file says so.
    fn utility(&self, _: &AuditRequest<K::Job>, _: &Context<'_>) -> Result<Utility> {
        let remark = format!("no metric of {} is measured from a file", self.name());
        Ok(Utility { remarks: vec![remark], ..Utility::default() })
    }

    /// Publish new records by a saved recoding. The job is the saved one with the new input and
    /// output. What comes of it is verified like any other release.
    fn apply(&self, _: &K::Job, _: &ApplyRequest, _: &Context<'_>) -> Result<Report> {
        let message = format!("a recoding of {} can't be applied to new records", self.name());
        Err(Error::unsupported(message).hint("run the job that it was made by on the new records"))
    }

    /// The attacks that can be played on releases of this form.
    fn attacks(&self) -> Vec<&'static Info> {
        Vec::new()
    }
    /// Open a release beside its original, so that attacks can be played on it. It may be a draft,
    /// whose manifest the request has.
    fn stage(&self, _: &AttackRequest<K::Job>, _: &Context<'_>) -> Result<Box<dyn Stage>> {
        Err(no_attacks(self.name()))
    }

    /// Answer queries over a release.
    fn query(&self, request: &QueryRequest<K::Job>, context: &Context<'_>) -> Result<Answers>;
}

/// The partitions of a run of a form.
pub type Store<K, F> = Box<dyn Partitions<<K as Kind>::Data, <F as Form<K>>::Decision>>;

/// A partition in memory that is to be written.
pub struct Partition<'a, K: Kind, F: Form<K> + ?Sized> {
    /// Its records.
    pub data: &'a mut K::Data,
    /// What was decided about it.
    pub decision: &'a mut F::Decision,
    /// The draft so far, with its witness; none before the first partition.
    pub before: Option<(Draft, F::Witness)>,
    /// Its random numbers.
    pub random: &'a dyn Fn() -> Result<ChaCha20Rng>,
    /// Whether it is all there is.
    pub is_everything: bool,
}

/// A job whose draft was written: what verifying, measuring and reporting may look at.
pub struct Written<'a, K: Kind, F: Form<K> + ?Sized> {
    /// The job.
    pub job: &'a K::Job,
    /// The original, where it is in memory; else what is known of it without its partitions.
    pub data: &'a K::Data,
    /// The plan.
    pub plan: &'a F::Plan,
    /// The partitions, with what was decided about each.
    pub partitions: &'a dyn Partitions<K::Data, F::Decision>,
    /// Which record each row is.
    pub witness: &'a F::Witness,
}

impl<'a, K: Kind, F: Form<K> + ?Sized> Written<'a, K, F> {
    /// The decision about all records, for a form that needs them at once.
    pub fn decision(&self) -> &'a F::Decision {
        self.partitions.held().expect("a form that needs all records at once keeps its decision")
    }
}
