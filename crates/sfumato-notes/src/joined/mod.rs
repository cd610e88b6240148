//! Rows and texts that say the same: quasi columns are generalized together with what texts give
//! away of them, and texts say no more than their row.

mod attack;
mod audit;
mod decide;
mod explain;
mod joint;
mod lies;
mod read_back;
mod report;
mod rewrite;
mod write;

use sfumato_core::dataset::Role;
use sfumato_core::facts::{Fact, Facts, Promises};
use sfumato_core::registry::Info;
use sfumato_core::traits::Requirements;
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
use sfumato_table::forms::generalized::Generalized;
use sfumato_table::forms::generalized::make_plan::bind_models;
use sfumato_table::kind::Tables;
use sfumato_text::data::{Replaced, SpanLine};
use sfumato_text::forms::redacted::Replacement;
use sfumato_text::job::Level;

use crate::data::Noted;
use crate::job::Job;
use crate::kind::Notes;
use audit::Opened;
use decide::Sealed;
use read_back::Read;
use write::Witness;

/// The form of rows with texts that say no more than they do.
pub struct Joined;

/// What will run.
pub struct Plan {
    requirements: Requirements,
    how: Replacement,
    level: Level,
}

/// A row of the release: the note that it is, and its cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The number of the note in the original.
    pub record: usize,
    /// What is published in the columns of the release but for the text.
    pub cells: Vec<Option<String>>,
    /// What is replaced in its text.
    pub replaced: Vec<Replaced>,
}

/// What was decided.
pub struct Decision {
    /// The rows as they will be written.
    pub rows: Vec<Row>,
    /// What the verifier of tables let pass, which nobody changes afterwards.
    sealed: Sealed,
}

/// The form of tables in which columns are published.
const GENERALIZED: Generalized<'static> = Generalized { stand_in: None, say: None };

impl Form<Notes> for Joined {
    type Plan = Plan;
    type Decision = Decision;
    type Witness = Witness;
    type Read = Read;
    type Opened = Opened;

    fn name(&self) -> &'static str {
        "joined"
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        Form::<Tables<'static>>::algorithms(&GENERALIZED)
    }
    fn metrics(&self) -> Vec<&'static Info> {
        Form::<Tables<'static>>::metrics(&GENERALIZED)
    }
    fn algorithms_family(&self) -> String {
        "algorithms".into()
    }
    fn metrics_family(&self) -> String {
        "metrics".into()
    }
    fn states(&self) -> &'static [Fact] {
        Fact::OF_CUTS
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        Some(("k-anonymity", "k"))
    }
    fn more_is_better(&self, metric: &str) -> bool {
        Form::<Tables<'static>>::more_is_better(&GENERALIZED, metric)
    }
    fn takes(&self, _: &Job) -> Result<bool> {
        Ok(true)
    }

    fn check(&self, job: &Job) -> Result<()> {
        job.text_column()?;
        if job.level() == Level::Statistical && job.privacy.models.is_empty() {
            return Err(Error::params("no privacy model was asked for").hint(
                "say -k 10, or take out direct identifiers alone with --level partial, and quasi \
                 identifiers too with --level full",
            ));
        }
        if job.level() != Level::Statistical && !job.privacy.models.is_empty() {
            return Err(Error::params("models are kept at the statistical level alone")
                .hint("leave --level out, or the models"));
        }
        if Sink::of(&job.output.path).path().is_some() {
            format_of_destination(&job.output.path)?;
        }
        let beside: Vec<&str> = job.output.spans.as_deref().into_iter().collect();
        check_places(&job.common(), &beside)
    }
    fn plan(&self, job: &Job, noted: &Noted, context: &Context<'_>) -> Result<Plan> {
        let requirements = match job.level() {
            Level::Statistical => {
                let joint = joint::open_original(job, noted, context)?;
                bind_models(&job.privacy.models, &joint.bind())?
            }
            Level::Full | Level::Partial => Requirements::new(Vec::new()),
        };
        let how = Replacement::of(job.text.replace.as_deref());
        Ok(Plan { requirements, how, level: job.level() })
    }
    fn decide(
        &self,
        job: &Job,
        plan: &Plan,
        noted: &Noted,
        context: &Context<'_>,
    ) -> Result<Decision> {
        decide::decide(job, plan, noted, context)
    }
    fn write(
        &self,
        job: &Job,
        _: &Plan,
        Partition { data, decision, .. }: Partition<'_, Notes, Self>,
        context: &Context<'_>,
    ) -> Result<(Draft, Witness)> {
        write::write(job, data, decision, context)
    }
    fn read_back(
        &self,
        written: &Written<'_, Notes, Self>,
        draft: &mut Draft,
        context: &Context<'_>,
    ) -> Result<Read> {
        read_back::read_back(written, draft, context)
    }
    fn promises<'a>(&self, plan: &'a Plan) -> &'a dyn Promises {
        &plan.requirements
    }
    fn facts<'a>(&self, _: &'a Written<'_, Notes, Self>, read: &'a Read) -> Box<dyn Facts + 'a> {
        Box::new(read)
    }
    fn vouches(&self, plan: &Plan) -> Option<(String, bool)> {
        let what = match plan.level {
            Level::Statistical => return None,
            Level::Full => "direct and quasi identifiers that were found were taken out",
            Level::Partial => "direct identifiers that were found were taken out",
        };
        Some((what.into(), false))
    }
    fn checked_how(&self) -> &'static str {
        "counted over columns and texts together, in the written file"
    }
    fn known_to_fail(&self, _: &Plan) -> Option<&'static str> {
        None
    }
    fn describe(&self, written: &Written<'_, Notes, Self>, read: &Read) -> Described {
        let (job, noted) = (written.job, written.data);
        let named = |role: Role| -> Vec<String> {
            let columns = job.columns.0.iter().filter(|(_, spec)| spec.role == role);
            columns.map(|(name, _)| name.clone()).collect()
        };
        let is_shown = |name: &String| read.table.header.contains(name);
        let quasi: Vec<String> = noted
            .extractor
            .attributes
            .iter()
            .map(|attribute| attribute.name.clone())
            .filter(is_shown)
            .collect();
        let view: Vec<String> = noted
            .extractor
            .attributes
            .iter()
            .filter(|attribute| !attribute.classes.is_empty())
            .map(|attribute| format!("{}={}", attribute.name, attribute.classes.join("+")))
            .collect();
        // Which person a note is about isn't published, and neither is the column that says it.
        let text = &noted.table.columns[noted.text_at].name;
        let details: [(&str, toml::Value); 4] = [
            ("quasi", quasi.into()),
            ("sensitive", named(Role::Sensitive).into()),
            ("layout", format!("field={text}").into()),
            ("view", view.into()),
        ];
        let file = ManifestFile {
            holds: "rows".into(),
            rows: read.table.n_rows as u64,
            sha256: read.table.source.sha256.clone(),
            ..ManifestFile::default()
        };
        Described {
            rows: read.table.n_rows as u64,
            details: details.into_iter().map(|(key, value)| (key.into(), value)).collect(),
            files: vec![file],
        }
    }
    fn report(
        &self,
        written: &Written<'_, Notes, Self>,
        read: &Read,
        _: &Checked,
    ) -> Result<shown::Report> {
        Ok(report::report(written, read))
    }
    fn write_beside(&self, written: &Written<'_, Notes, Self>) -> Result<Vec<AtomicFile>> {
        let (job, noted) = (written.job, written.data);
        let Some(path) = &job.output.spans else { return Ok(Vec::new()) };
        let path = resolve(&job.base, path);
        let text = spans(noted, &written.decision().rows);
        Ok(vec![write_text_unnamed(std::path::Path::new(&path), &text, true)?])
    }

    fn lies(&self) -> Vec<Lie<Noted, Decision>> {
        lies::lies()
    }
    fn explain(&self, job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
        explain::explain(job, context)
    }

    fn open(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Opened> {
        audit::open(request, context)
    }
    fn bind<'a>(&self, models: &[String], opened: &'a Opened) -> Result<Box<dyn Promises + 'a>> {
        Ok(Box::new(bind_models(models, &opened.joint.bind())?))
    }
    fn state<'a>(&self, opened: &'a Opened) -> Box<dyn Facts + 'a> {
        Box::new(opened)
    }
    fn audit_evidence(&self, opened: &Opened, scope: &str) -> &'static str {
        opened.joint.evidence(scope)
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

/// What was replaced in the texts, as lines of JSON: documents are numbered as in the original.
fn spans(noted: &Noted, rows: &[Row]) -> String {
    let mut rows: Vec<&Row> = rows.iter().collect();
    rows.sort_by_key(|row| row.record);
    let mut out = String::new();
    for row in rows {
        let text = &noted.texts[row.record];
        let chars = |to: usize| Some(text[..to].chars().count());
        for one in &row.replaced {
            let line = SpanLine {
                document: row.record.into(),
                start: one.start,
                end: one.end,
                start_char: chars(one.start),
                end_char: chars(one.end),
                class: one.class.to_string(),
            };
            out += &serde_json::to_string(&line).expect("a span has only numbers and texts");
            out.push('\n');
        }
    }
    out
}
