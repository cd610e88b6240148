//! Mixed records in classes: columns are generalized, and the items of each class are generalized
//! or left out, so that what is promised holds for whoever knows both.

mod attack;
mod audit;
mod decide;
mod explain;
mod judged;
mod lies;
mod promises;
mod read_back;
mod report;
mod write;

use sfumato_core::dataset::Role;
use sfumato_core::facts::{Fact, Facts, Hiding, Promises};
use sfumato_core::registry::{Call, Info, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{AttackRequest, Stage};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::context::Context;
use sfumato_engine::destinations::check_places;
use sfumato_engine::draft::Draft;
use sfumato_engine::explain::PlanFacts;
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::kind::KindJob as _;
use sfumato_engine::lie::Lie;
use sfumato_engine::manifest::{Described, ManifestFile};
use sfumato_engine::paths::resolve;
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::verify::Checked;
use sfumato_io::{AtomicFile, Sink, format_of_destination, write_text_unnamed};
use sfumato_report as shown;
use sfumato_table::kind::Tables;
use sfumato_table::sealed::Sealed;

use crate::algorithms::{self, MixedAlgorithm};
use crate::data::{MixedData, Rows};
use crate::job::Job;
use crate::kind::Mixed;
use audit::Opened;
use judged::{GENERALIZED, Judged};
use promises::{Promised, bind_both, largest};
use read_back::Read;
use write::Witness;

/// The form of mixed records in classes.
pub struct Classes;

/// What will run.
pub struct Plan {
    promised: Promised,
    /// How many rows each class must have for the promises about items.
    k: u64,
    algorithm: &'static dyn MixedAlgorithm,
    params: Params,
}

/// A row of the release: the record that it is, its cells, and what is published of its items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The number of the record in the original.
    pub record: usize,
    /// What is published in the columns of the release but for the items.
    pub cells: Vec<Option<String>>,
    /// The units that are published of its items, ascending.
    pub units: Vec<u32>,
}

/// What was decided.
pub struct Decision {
    /// The rows as they will be written.
    pub rows: Vec<Row>,
    /// What the verifier of tables let pass, which nobody changes afterwards.
    sealed: Sealed,
    /// What is lost of items: 1 for each that is left out.
    items_lost: f64,
    /// How many classes there are.
    classes: usize,
}

impl Form<Mixed> for Classes {
    type Plan = Plan;
    type Decision = Decision;
    type Witness = Witness;
    type Read = Read;
    type Opened = Opened;

    fn name(&self) -> &'static str {
        "classes"
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        algorithms::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn algorithms_family(&self) -> String {
        "mixed-algorithms".into()
    }
    fn metrics(&self) -> Vec<&'static Info> {
        Form::<Tables<'static>>::metrics(&GENERALIZED)
    }
    fn metrics_family(&self) -> String {
        "metrics".into()
    }
    fn states(&self) -> &'static [Fact] {
        &[
            Fact::Classes,
            Fact::SensitiveValues,
            Fact::Projections,
            Fact::Hiding(Hiding::Matches),
            Fact::Combinations,
        ]
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        None
    }
    fn more_is_better(&self, metric: &str) -> bool {
        Form::<Tables<'static>>::more_is_better(&GENERALIZED, metric)
    }
    fn takes(&self, _: &Job) -> Result<bool> {
        Ok(true)
    }

    fn check(&self, job: &Job) -> Result<()> {
        job.items_column()?;
        job.separator()?;
        let both = bind_both(&job.models()?.1)?;
        largest(&both)?;
        let is_private = both.combinations()?.iter().any(|asked| asked.most.is_some());
        if is_private && job.baskets.hierarchy.is_some() {
            return Err(Error::unsupported(
                "with an item hierarchy nobody looks at sensitive items: coherence isn't kept",
            )
            .hint("leave --item-hierarchy out: items that harm are then left out"));
        }
        if is_private && job.baskets.sensitive.is_empty() {
            return Err(Error::params(
                "the model is about private items, and no item is named as one",
            )
            .hint("name them with --sensitive-items"));
        }
        if Sink::of(&job.output.path).path().is_some() {
            format_of_destination(&job.output.path)?;
        }
        let beside: Vec<&str> = job.output.item_hierarchy.as_deref().into_iter().collect();
        check_places(&job.common(), &beside)
    }
    fn plan(&self, job: &Job, data: &MixedData, context: &Context<'_>) -> Result<Plan> {
        let rows = Rows { units: data.quasi.clone(), sensitive: data.sensitive.clone() };
        let original = Judged::of(job, &data.table, rows, None, context)?;
        let promised = Promised::bind(&job.privacy.models, &original.columns)?;
        let call: Call = match job.recode.algorithm.as_str() {
            "auto" => "class-merging".parse()?,
            other => other.parse()?,
        };
        let algorithm = algorithms::find(&call.name)?;
        let params = Params::check(algorithm.info(), &call.args)?;
        let k = largest(&promised.both)?;
        Ok(Plan { promised, k, algorithm, params })
    }
    fn decide(
        &self,
        job: &Job,
        plan: &Plan,
        data: &MixedData,
        context: &Context<'_>,
    ) -> Result<Decision> {
        decide::decide(job, plan, data, context)
    }
    fn write(
        &self,
        job: &Job,
        _: &Plan,
        Partition { data, decision, .. }: Partition<'_, Mixed, Self>,
        context: &Context<'_>,
    ) -> Result<(Draft, Witness)> {
        write::write(job, data, decision, context)
    }
    fn read_back(
        &self,
        written: &Written<'_, Mixed, Self>,
        draft: &mut Draft,
        context: &Context<'_>,
    ) -> Result<Read> {
        read_back::read_back(written, draft, context)
    }
    fn promises<'a>(&self, plan: &'a Plan) -> &'a dyn Promises {
        &plan.promised
    }
    fn facts<'a>(&self, _: &'a Written<'_, Mixed, Self>, read: &'a Read) -> Box<dyn Facts + 'a> {
        Box::new(&read.judged)
    }
    fn checked_how(&self) -> &'static str {
        "counted over columns and items together, in the written file"
    }
    fn describe(&self, written: &Written<'_, Mixed, Self>, read: &Read) -> Described {
        let (job, data) = (written.job, written.data);
        let named = |role: Role| -> Vec<String> {
            let columns = job.columns.0.iter().filter(|(_, spec)| spec.role == role);
            columns.map(|(name, _)| name.clone()).collect()
        };
        let layout = format!("list(column={})", shown_word(&data.items_name));
        let mut details = toml::Table::new();
        details.insert("quasi".into(), named(Role::Quasi).into());
        details.insert("sensitive".into(), named(Role::Sensitive).into());
        details.insert("layout".into(), layout.into());
        details.insert("sensitive_items".into(), data.units.sensitive_names().to_vec().into());
        if let Some(separator) = written.witness.separator {
            details.insert("separator".into(), separator.to_string().into());
        }
        let rows = read.table.n_rows as u64;
        let sha256 = read.table.source.sha256.clone();
        let file = ManifestFile { holds: "rows".into(), rows, sha256, ..ManifestFile::default() };
        Described { rows, details, files: vec![file] }
    }
    fn report(
        &self,
        written: &Written<'_, Mixed, Self>,
        read: &Read,
        _: &Checked,
    ) -> Result<shown::Report> {
        report::report(written, read)
    }
    fn write_beside(&self, written: &Written<'_, Mixed, Self>) -> Result<Vec<AtomicFile>> {
        let (job, tree) = (written.job, &written.data.tree);
        let Some(path) = &job.output.item_hierarchy else { return Ok(Vec::new()) };
        let tree = tree.as_ref().ok_or_else(|| {
            Error::params("there is no item hierarchy to save")
                .hint("say how it is made with --item-hierarchy")
        })?;
        let text = sfumato_hierarchy::to_csv(&tree.to_levels(&[]), ';');
        let path = resolve(&job.base, path);
        Ok(vec![write_text_unnamed(std::path::Path::new(&path), &text, false)?])
    }

    fn lies(&self) -> Vec<Lie<MixedData, Decision>> {
        lies::lies()
    }
    fn explain(&self, job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
        explain::explain(job, context)
    }

    fn open(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Opened> {
        audit::open(request, context)
    }
    fn bind<'a>(&self, models: &[String], opened: &'a Opened) -> Result<Box<dyn Promises + 'a>> {
        Ok(Box::new(Promised::bind(models, &opened.judged.columns)?))
    }
    fn state<'a>(&self, opened: &'a Opened) -> Box<dyn Facts + 'a> {
        Box::new(&opened.judged)
    }
    fn audit_evidence(&self, opened: &Opened, scope: &str) -> &'static str {
        opened.judged.columns.evidence(scope)
    }
    fn figures(&self, opened: &Opened) -> Result<Figures> {
        audit::figures(opened)
    }
    fn attacks(&self) -> Vec<&'static Info> {
        attack::attacks()
    }
    fn stage(&self, request: &AttackRequest<Job>, context: &Context<'_>) -> Result<Box<dyn Stage>> {
        attack::stage(request, context)
    }
    fn query(&self, request: &QueryRequest<Job>, context: &Context<'_>) -> Result<Answers> {
        audit::query(request, context)
    }
}

/// A name as a parameter of a call.
fn shown_word(name: &str) -> String {
    sfumato_core::registry::Argument::Word(name.into()).to_string()
}
