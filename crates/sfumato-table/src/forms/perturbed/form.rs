//! Perturbed values of a table as a form of release: the steps of the pipeline.

use rayon::prelude::*;
use sfumato_core::dataset::{Column, Role, Table};
use sfumato_core::facts::{Fact, Facts, Promises};
use sfumato_core::registry::{Call, Info, Params};
use sfumato_core::traits::Requirements;
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{AttackRequest, Stage, offered};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::compare::Utility;
use sfumato_engine::context::Context;
use sfumato_engine::draft::Draft;
use sfumato_engine::explain::PlanFacts;
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::lie::Lie;
use sfumato_engine::manifest::Described;
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::random::{generator, shuffle};
use sfumato_engine::verify::{Checked, failed_verification};
use sfumato_io::AtomicFile;
use sfumato_report as shown;

use super::audit::{self, OpenedValues};
use super::read_back::{ReadValues, read_back};
use crate::algorithms::perturbed::{
    self, Draws, Perturbing, PerturbingAlgorithm, microaggregation,
};
use crate::audit::TableAuditRequest;
use crate::forms::generalized::apply::Layout;
use crate::forms::generalized::check_destinations::check_destinations;
use crate::forms::generalized::make_plan::{bind_models, bind_table};
use crate::forms::whole_values::{self, Foreseen};
use crate::job::Job;
use crate::kind::{TableData, Tables};
use crate::metrics::perturbed::{Both, measure};

/// The form of values that are published otherwise, of one of two families: values that were drawn,
/// about which no model can judge, and means of groups, whose rows are alike.
#[derive(Clone, Copy)]
pub struct Perturbed {
    family: Family,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Values,
    Groups,
}

impl Perturbed {
    /// Values that were drawn or changed one by one.
    pub const VALUES: Perturbed = Perturbed { family: Family::Values };
    /// Means of groups.
    pub const GROUPS: Perturbed = Perturbed { family: Family::Groups };

    fn family(self) -> &'static [&'static dyn PerturbingAlgorithm] {
        match self.family {
            Family::Values => perturbed::ALL,
            Family::Groups => microaggregation::ALL,
        }
    }
    fn has(self, name: &str) -> bool {
        self.family().iter().any(|algorithm| algorithm.info().name == name)
    }
}

/// What will run: the algorithm and its parameters.
pub struct PerturbedPlan {
    algorithm: &'static dyn PerturbingAlgorithm,
    params: Params,
    /// The promises; of drawn values none, since no model can judge them.
    promises: Requirements,
    /// How many people a model asks to be alike.
    k: Option<u64>,
}

/// The call of the algorithm that a job asks for.
fn asked(job: &Job) -> Option<Call> {
    job.recode.algorithm.parse().ok()
}

/// What a release says.
pub enum Opened {
    /// Of drawn values: that it is whole.
    Values(OpenedValues),
    /// Of means: its classes too.
    Groups(Box<crate::audit::Opened>),
}

impl<'t> Form<Tables<'t>> for Perturbed {
    type Plan = PerturbedPlan;
    type Decision = Table;
    type Witness = Layout;
    type Read = ReadValues;
    type Opened = Opened;

    fn name(&self) -> &'static str {
        match self.family {
            Family::Values => "perturbed",
            Family::Groups => "microaggregated",
        }
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        self.family().iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        match self.family {
            Family::Values => &[],
            Family::Groups => &[Fact::Classes, Fact::SensitiveValues, Fact::Projections],
        }
    }
    fn metrics(&self) -> Vec<&'static Info> {
        crate::metrics::perturbed::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        (self.family == Family::Groups).then_some(("k-anonymity", "k"))
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        Ok(asked(job).is_some_and(|call| self.has(&call.name)))
    }

    fn check(&self, job: &Job) -> Result<()> {
        if job.ledger.is_some() {
            return Err(Error::unsupported(
                "a chain of releases has no perturbed values: nothing that later releases could be \
                 judged beside can be read from them",
            )
            .hint("publish generalized cells, or leave the ledger out"));
        }
        if let (Family::Values, Some(model)) = (self.family, job.privacy.models.first()) {
            return Err(Error::unsupported(format!(
                "{model} can't be judged on perturbed values: nothing in the file tells whether it \
                    holds"
            ))
            .hint("leave models out; the report will say that nothing is promised"));
        }
        if job.output.recoding.is_some() || job.output.buckets.is_some() || job.output.keep_order {
            return Err(Error::unsupported(
                "perturbed values have no recoding to save and no buckets, and leave in random \
                    order",
            ));
        }
        check_destinations(job)
    }
    fn plan(&self, job: &Job, data: &TableData, _: &Context<'_>) -> Result<PerturbedPlan> {
        let call = asked(job)
            .ok_or_else(|| failed_verification("no perturbing algorithm was asked for"))?;
        let algorithm = perturbed::find(&call.name)?;
        let table = &data.encoded.table;
        let quasi = table.quasi();
        if quasi.is_empty() {
            return Err(Error::params("no column is to be perturbed")
                .hint("name the columns with --qi a,b"));
        }
        let takes = algorithm.takes();
        if let Some(column) = quasi.iter().find(|column| !takes.takes(column)) {
            return Err(Error::unsupported(format!(
                "column '{}' can't be published by {}, which takes {}",
                column.name,
                call.name,
                takes.describe()
            ))
            .hint("give it another role, such as keep or identifier"));
        }
        let promises = match job.privacy.models.is_empty() {
            true => Requirements::new(Vec::new()),
            false => bind_models(&job.privacy.models, &bind_table(table))?,
        };
        let serves = &algorithm.info().capabilities;
        if let Some(other) = promises.iter().find(|promise| !serves.can_serve(promise.fact())) {
            return Err(Error::unsupported(format!(
                "{} can't keep {}: it looks at no sensitive values",
                call.name,
                other.describe()
            ))
            .hint("ask for k-anonymity alone, or take another algorithm, such as mondrian"));
        }
        let params = Params::check(algorithm.info(), &call.args)?;
        let k = (!job.privacy.models.is_empty()).then(|| promises.min_people());
        Ok(PerturbedPlan { algorithm, params, promises, k })
    }
    fn decide(
        &self,
        job: &Job,
        plan: &PerturbedPlan,
        data: &TableData,
        _: &Context<'_>,
    ) -> Result<Table> {
        let table = &data.encoded.table;
        let mut draws = Draws(generator(job.run.seed)?);
        let task = Perturbing::of(table, plan.k);
        let mut published = plan.algorithm.perturb(&plan.params, &task, &mut draws)?.into_iter();
        let mut perturbed = table.clone();
        for column in perturbed.columns.iter_mut().filter(|column| column.role == Role::Quasi) {
            *column = published
                .next()
                .ok_or_else(|| failed_verification("a column was left out of what is published"))?;
        }
        Ok(perturbed)
    }
    fn write(
        &self,
        job: &Job,
        _: &PerturbedPlan,
        Partition { data, decision: perturbed, .. }: Partition<'_, Tables<'t>, Self>,
        context: &Context<'_>,
    ) -> Result<(Draft, Layout)> {
        let encoded = &mut data.encoded;
        let n_rows = perturbed.n_rows;
        let mut order: Vec<u32> = (0..n_rows as u32).collect();
        // Another stream than the noise: who knows one must not know the other.
        let mut random = generator(job.run.seed)?;
        random.set_stream(1);
        shuffle(&mut order, &mut random);
        for table in [&mut encoded.table, perturbed] {
            let columns = table.columns.par_iter_mut();
            columns.for_each(|column| column.codes = column.codes.gather(&order));
            table.subject = table.subject.as_ref().map(|subject| subject.gather(&order));
        }
        whole_values::write(job, perturbed, &encoded.source, context.observer)
    }
    fn read_back(
        &self,
        written: &Written<'_, Tables<'t>, Self>,
        draft: &mut Draft,
        context: &Context<'_>,
    ) -> Result<ReadValues> {
        crate::pseudonyms::verify(&written.data.encoded.pseudonyms)?;
        let original = &written.data.encoded.table;
        let is_other = |(before, after): (&Column, &Column)| {
            before.role != Role::Quasi && before.codes != after.codes
        };
        if written.decision().n_rows != original.n_rows {
            return Err(failed_verification("there aren't as many rows as records"));
        }
        if original.columns.iter().zip(&written.decision().columns).any(is_other) {
            return Err(failed_verification("a column changed that wasn't to be perturbed"));
        }
        let plan = written.plan;
        let task = Perturbing::of(original, plan.k);
        let published = written.decision().quasi();
        if let Some(fault) = plan.algorithm.fault(&plan.params, &task, &published) {
            return Err(failed_verification(&fault));
        }
        let file = (draft.path()?, written.witness);
        read_back(written.decision(), file, &plan.promises, context.observer)
    }
    fn promises<'a>(&self, plan: &'a PerturbedPlan) -> &'a dyn Promises {
        &plan.promises
    }
    fn facts<'a>(
        &self,
        _: &'a Written<'_, Tables<'t>, Self>,
        read: &'a ReadValues,
    ) -> Box<dyn Facts + 'a> {
        Box::new(read)
    }
    fn vouches(&self, plan: &PerturbedPlan) -> Option<(String, bool)> {
        // What models judged on the bytes needs nobody to vouch for.
        let promises = plan.algorithm.info().capabilities.promises_privacy;
        plan.promises.iter().next().is_none().then(|| (plan.params.describe(), promises))
    }
    fn checked_how(&self) -> &'static str {
        match self.family {
            Family::Values => "by the mechanism alone",
            Family::Groups => "read back from the written file and grouped by what it says",
        }
    }
    fn known_to_fail(&self, plan: &PerturbedPlan) -> Option<&'static str> {
        let info = plan.algorithm.info();
        (!info.capabilities.keeps_promises).then_some(info.name)
    }
    fn describe(&self, written: &Written<'_, Tables<'t>, Self>, read: &ReadValues) -> Described {
        let mut described = whole_values::describe(written.job, read);
        let quasi = written.data.encoded.table.quasi();
        let numbers = quasi.iter().filter(|column| column.domain.kind.is_number());
        let numbers: Vec<String> = numbers.map(|column| column.name.clone()).collect();
        described.details.insert(audit::NUMBERS.into(), numbers.into());
        described
    }
    fn report(
        &self,
        written: &Written<'_, Tables<'t>, Self>,
        read: &ReadValues,
        _: &Checked,
    ) -> Result<shown::Report> {
        let encoded = &written.data.encoded;
        let PerturbedPlan { algorithm, params, .. } = written.plan;
        let published = written.decision().quasi();
        let original = encoded.table.quasi();
        let promises = written.plan.promises.iter().next().is_some();
        let mut warnings = warnings(algorithm.info(), promises);
        if written.job.run.seed.is_some() {
            warnings
                .push("a seed was given: not for release, what was drawn can be replayed".into());
        }
        let details = serde_json::json!({ "chosen": "by the job", "shape": "perturbed values" });
        let mut report = shown::Report {
            metrics: measure(
                crate::metrics::perturbed::ALL.iter().copied(),
                &Both { original: &original, published: &published },
            ),
            warnings,
            classes: (self.family == Family::Groups).then(|| read.classes.clone()),
            words: shown::Words {
                truthful: match self.family {
                    Family::Values => TRUTHFUL,
                    Family::Groups => TRUE_MEANS,
                },
                ..shown::Words::default()
            },
            ..whole_values::report(encoded, (algorithm.info(), params), details, read)
        };
        encoded.pseudonyms.tell(&mut report, written.job, &encoded.table, None);
        Ok(report)
    }

    fn write_beside(&self, written: &Written<'_, Tables<'t>, Self>) -> Result<Vec<AtomicFile>> {
        let saved = written.data.encoded.pseudonyms.save(written.job)?;
        Ok(saved.into_iter().collect())
    }

    fn lies(&self) -> Vec<Lie<TableData, Table>> {
        match self.family {
            Family::Values => super::lies::lies(),
            Family::Groups => super::lies::lies_of_groups(),
        }
    }

    fn explain(&self, job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
        whole_values::explain(job, context, |data| {
            let plan = self.plan(job, data, context)?;
            let table = &data.encoded.table;
            let names: Vec<&str> =
                table.quasi().iter().map(|column| column.name.as_str()).collect();
            Ok(Foreseen {
                publishes: format!("{} perturbed, the rest as it is", names.join(", ")),
                call: plan.params.describe(),
                summary: plan.algorithm.info().summary.into(),
                suppresses: "no records: every value is published, perturbed",
                beside: "and what is read back",
            })
        })
    }

    fn open(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Opened> {
        match self.family {
            Family::Values => Ok(Opened::Values(audit::open(request, context.observer)?)),
            Family::Groups => {
                // Means needn't cover the originals: the classes of the file are judged alone.
                let request = AuditRequest { original: None, ..request.clone() };
                let opened =
                    crate::audit::open(TableAuditRequest::of(&request)?, context.observer)?;
                Ok(Opened::Groups(Box::new(opened)))
            }
        }
    }
    fn bind<'a>(&self, models: &[String], opened: &'a Opened) -> Result<Box<dyn Promises + 'a>> {
        match opened {
            Opened::Values(_) => {
                audit::refuse_models(models)?;
                Ok(Box::new(Requirements::new(Vec::new())))
            }
            Opened::Groups(opened) => {
                let bound = bind_models(models, &opened.bind())?;
                let states = Form::<Tables<'t>>::states(self);
                let other = bound.iter().find(|model| !states.contains(&model.fact()));
                if let Some(other) = other.map(|other| other.describe()) {
                    let message = format!(
                        "{other} can't be judged on means of groups: they needn't cover their \
                         originals"
                    );
                    return Err(Error::unsupported(message)
                        .hint("ask for a model about classes, such as k-anonymity"));
                }
                Ok(Box::new(bound))
            }
        }
    }
    fn state<'a>(&self, opened: &'a Opened) -> Box<dyn Facts + 'a> {
        match opened {
            Opened::Values(opened) => Box::new(opened),
            Opened::Groups(opened) => Box::new(&**opened),
        }
    }
    fn audit_evidence(&self, opened: &Opened, scope: &str) -> &'static str {
        match opened {
            Opened::Values(_) => "none",
            Opened::Groups(opened) => opened.evidence(scope),
        }
    }
    fn figures(&self, opened: &Opened) -> Result<Figures> {
        match opened {
            Opened::Values(opened) => Ok(opened.figures()),
            Opened::Groups(opened) => opened.figures(),
        }
    }
    fn attacks(&self) -> Vec<&'static Info> {
        offered(crate::attacks::ALL, Form::<Tables<'t>>::name(self))
    }
    fn stage(&self, request: &AttackRequest<Job>, context: &Context<'_>) -> Result<Box<dyn Stage>> {
        crate::attacks::stage(Form::<Tables<'t>>::name(self), request, context)
    }

    fn utility(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Utility> {
        super::utility::utility(request, context.observer)
    }

    fn query(&self, _: &QueryRequest<Job>, _: &Context<'_>) -> Result<Answers> {
        Err(Error::unsupported("perturbed values give no bounds that hold")
            .hint("estimate from the file itself: means are kept on average"))
    }
}

/// What recipients must not rely on.
const TRUTHFUL: &str = "Records aren't truthful: numbers were changed at random, so that no \
    published record is anybody's. Only what many of them say together means something.";

/// The same of means of groups.
const TRUE_MEANS: &str = "Published numbers are means of groups of records, rounded. No published \
    record is anybody's, and every sum over a group is right.";

/// What to look out for, by what the algorithm promises.
fn warnings(info: &Info, is_judged: bool) -> Vec<String> {
    match (info.capabilities.promises_privacy, is_judged) {
        (_, true) => Vec::new(),
        (true, false) => vec![format!(
            "{} makes a promise about single values alone: columns that are published as they are \
             may say what they were",
            info.name
        )],
        (false, false) => vec![
            "nothing is promised: what was done keeps nobody from being found by the nearest \
             record, and where columns are correlated noise can be filtered out"
                .to_string(),
        ],
    }
}
