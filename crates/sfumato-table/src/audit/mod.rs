//! Measures what a file really promises, whoever made it, from the published cells alone, without a
//! job or recoding.

pub mod buckets;
pub(crate) mod earlier;
mod failing;
pub(crate) mod matches;
pub(crate) mod probes;
mod stated;
mod truth;
mod words;

use std::cell::{Cell, RefCell};

use serde::Serialize;
use sfumato_core::chain::Chain;
use sfumato_core::column::{Codes, Dictionary};
use sfumato_core::dataset::{Role, Table};
use sfumato_core::group::{ClassTable, Guarantee, Tally, evaluate_with};
use sfumato_core::observer::Observer;
use sfumato_core::population::Presence;
use sfumato_core::registry::Call;
use sfumato_core::traits::{Bind, ClassSizes};
use sfumato_core::{Error, Result};
use sfumato_report as shown;

use crate::data::class_index::{ClassIndex, class_sizes};
use crate::data::encode::encode;
use crate::data::read::Dataset;
use crate::forms::generalized::make_plan::bind_table;
use crate::forms::generalized::statistics::with_statistics;
use crate::job::{Case, ColumnSpec, InputSpec, Job, LedgerSpec};
use crate::population::of_release;
use crate::pseudonyms::{Linkage, Pseudonyms, linkage};
pub(crate) use matches::{PublishedColumn, published};
use probes::probes;
use sfumato_engine::audit::{self as engine, Figures};
use sfumato_engine::job::Population;
use sfumato_engine::threads::at_once;

/// What to audit, and against what.
#[derive(Debug, Clone, Default)]
pub struct TableAuditRequest {
    /// The file.
    pub input: InputSpec,
    /// The columns an attacker may know.
    pub quasi: Vec<String>,
    /// The columns an attacker wants to learn.
    pub sensitive: Vec<String>,
    /// The column that says which rows belong to one person.
    pub subject: Option<String>,
    /// The subject and sensitive columns in which case doesn't matter.
    pub ignore_case: Vec<String>,
    /// The column with the group of a row in a permuted bucket release.
    pub group: Option<String>,
    /// Models that must hold.
    pub models: Vec<String>,
    /// Hierarchies of sensitive columns, for hierarchical t-closeness, and of quasi columns, for
    /// what labels cover in the original.
    pub hierarchies: Vec<(String, Call)>,
    /// Where relative paths of hierarchies and of a ledger start from.
    pub base: std::path::PathBuf,
    /// The data that the file was made from, to show the risk before.
    pub original: Option<InputSpec>,
    /// How columns of the original write their dates or numbers.
    pub written: Vec<(String, String)>,
    /// What was published of the same people before.
    pub ledger: Option<LedgerSpec>,
    /// How many bytes of memory the audit may use. If it is given, files are read in blocks, and
    /// classes that don't fit wait on disk.
    pub memory: Option<u64>,
    /// The folder for classes that don't fit into memory. By default the system's temporary folder.
    pub spill: Option<std::path::PathBuf>,
    /// The population that the data were drawn from.
    pub population: Option<Population>,
    /// The table of the population, for models about its people.
    pub population_table: Option<String>,
    /// The columns that are pseudonyms, as the manifest says.
    pub pseudonyms: Vec<String>,
    /// The hash that the file must have, if its manifest says what its columns are.
    pub sha256: Option<String>,
}

/// What a file achieves, whatever is required of it.
#[derive(Debug, Clone, Serialize)]
pub struct Audit {
    /// The SHA-256 hash of the file.
    pub sha256: String,
    /// The number of rows.
    #[serde(skip)]
    pub rows: u64,
    /// The columns taken as quasi-identifying.
    pub quasi: Vec<String>,
    /// The columns taken as sensitive.
    pub sensitive: Vec<String>,
    /// The strongest parameters with which each model holds, whether it was required or not.
    pub achieved: Vec<Achieved>,
    /// The classes.
    pub classes: shown::Classes,
    /// The number of rows that are published as `*` in every quasi column.
    pub fully_suppressed: u64,
    /// Risks: on the original, if it was given, and on the file.
    pub risks: shown::Ordered<shown::Change>,
    /// The form of a bucket release, whose groups take the place of classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buckets: Option<String>,
    /// The classes that don't meet a requirement.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failing: Vec<failing::Failing>,
    /// Whether the rows are true of the original, if it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<truth::Truth>,
    /// What the pseudonyms of the file let a recipient link.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pseudonyms: Vec<Linkage>,
}

/// The strongest parameter with which a model still holds.
#[derive(Debug, Clone, Serialize)]
pub struct Achieved {
    /// The model.
    pub model: String,
    /// The sensitive column it is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The parameter of the model that was measured.
    pub measure: String,
    /// The value. `None` if no value suffices.
    pub value: Option<serde_json::Number>,
}

impl TableAuditRequest {
    /// The audit of a table, for a job that says what its columns are.
    pub fn of(request: &engine::AuditRequest<Job>) -> Result<Self> {
        let job = &request.job;
        let named = |role: Role| -> Vec<String> {
            let columns = job.columns.0.iter().filter(|(_, spec)| spec.role == role);
            columns.map(|(name, _)| name.clone()).collect()
        };
        let (mut quasi, mut sensitive) = (named(Role::Quasi), named(Role::Sensitive));
        let mut sha256 = None;
        // What nobody says, the release may say itself.
        if let Some(manifest) = request.manifest.as_ref().filter(|_| job.columns.0.is_empty()) {
            (quasi, sensitive) = (manifest.details_of("quasi"), manifest.details_of("sensitive"));
            sha256 = manifest.holding("rows").ok().map(|file| file.sha256.clone());
        }
        let detail = |name: &str| {
            let manifest = request.manifest.as_ref()?;
            manifest.details.get(name)?.as_str().map(String::from)
        };
        let is_folder = std::path::Path::new(&job.input.path).is_dir();
        let group = job.output.group.clone().or_else(|| detail("group").filter(|_| !is_folder));
        let ignoring = job.columns.0.iter().filter(|(_, spec)| spec.case == Case::Ignore);
        let ignore_case = ignoring.map(|(name, _)| name.clone()).collect();
        let hierarchies = job
            .columns
            .0
            .iter()
            .filter_map(|(name, spec)| Some((name.clone(), spec.hierarchy.clone()?)));
        let of_original = request.original.iter().flat_map(|original| &original.columns.0);
        let written = of_original
            .filter_map(|(name, spec)| Some((name.clone(), spec.written.clone()?)))
            .collect();
        Ok(TableAuditRequest {
            written,
            input: job.input.clone(),
            quasi,
            sensitive,
            subject: named(Role::Subject).into_iter().next(),
            ignore_case,
            group,
            models: job.privacy.models.clone(),
            hierarchies: hierarchies.collect(),
            base: job.base.clone(),
            original: request.original.as_ref().map(|original| original.input.clone()),
            ledger: job.ledger.clone(),
            memory: request.memory,
            spill: request.spill.clone(),
            population: job.privacy.population,
            population_table: job.population.as_ref().map(|population| population.path.clone()),
            pseudonyms: request
                .manifest
                .as_ref()
                .map_or(Vec::new(), |manifest| manifest.details_of("pseudonyms")),
            sha256,
        })
    }
}

/// A file that was read to be audited.
pub enum Opened {
    /// A file in memory.
    Held(Box<Held>),
    /// A file that is read in blocks. Requirements are checked while classes pass.
    Passed(Box<Passed>),
}

/// A file in memory.
pub struct Held {
    request: TableAuditRequest,
    quasi: Vec<String>,
    table: Table,
    /// The quasi columns as they are published, and the code of `*`.
    published: Vec<(Codes, Option<u32>)>,
    /// The texts of the quasi columns, if they may have to be compared with the original.
    texts: Vec<matches::PublishedColumn>,
    classes: ClassTable,
    before: Option<ClassSizes>,
    sha256: String,
    /// Whether matches were searched in the original.
    is_linked: Cell<bool>,
    /// The texts of the quasi columns, if there is a requirement that classes may fail.
    labels: Vec<(String, Dictionary)>,
    /// The classes that fail a requirement.
    failing: RefCell<Vec<failing::Failing>>,
    truth: Option<truth::Truth>,
    pseudonyms: Vec<Linkage>,
    /// This release with those of the same people before it, if any were named.
    chain: Option<Chain>,
    /// Whom of a population the rows may be about, if one was named.
    presence: Option<Presence>,
    /// The class of each row.
    class_of_row: Vec<u32>,
}

/// A file that was read in blocks.
#[derive(Debug)]
pub struct Passed {
    /// The path of the file.
    pub path: String,
    /// The sensitive columns, for models to be bound to.
    pub table: Table,
    /// The guarantees of the models, in their order.
    pub found: Vec<Guarantee>,
    /// All other figures of the audit.
    pub audit: Audit,
}

/// Read a file that is to be audited.
pub fn open(request: TableAuditRequest, observer: &dyn Observer) -> Result<Opened> {
    if request.quasi.is_empty() {
        // Whoever mistypes the name of a file isn't helped by a word about columns.
        sfumato_io::check_there(&request.input.path)?;
        return Err(Error::params("no quasi column was named")
            .hint("say what an attacker may know with --qi a,b,c"));
    }
    if let Some(memory) = request.memory {
        if request.ledger.is_some() {
            return Err(Error::unsupported(
                "releases are read together in memory: they don't go with --memory",
            ));
        }
        if request.population_table.is_some() {
            return Err(Error::unsupported(
                "a population is compared with a release in memory: it doesn't go with --memory",
            ));
        }
        // What pseudonyms link takes all rows at once.
        let passing = TableAuditRequest { pseudonyms: Vec::new(), ..request.clone() };
        let passed = crate::spill::audit::audit(&passing, memory, observer)?;
        check_hash(&request, &passed.audit.sha256)?;
        return Ok(Opened::Passed(Box::new(passed)));
    }
    let mut job = job_of(&request, &request.input);
    let dataset = read_columns(&mut job, observer)?;
    let named = job.columns.0.iter().filter(|(_, spec)| spec.role == Role::Quasi);
    let quasi: Vec<String> = named.map(|(name, _)| name.clone()).collect();
    let sha256 = dataset.raw.source.sha256.clone();
    check_hash(&request, &sha256)?;
    // Grouped by the texts as published: which of them mean missing is nobody's business here.
    let columns = dataset.raw.columns.iter().filter(|column| quasi.contains(&column.name));
    let published: Vec<(Codes, Option<u32>)> = columns
        .map(|column| {
            let star = column.values.iter().position(|text| text == "*").map(|code| code as u32);
            (column.codes.clone(), star)
        })
        .collect();
    let labels: Vec<(String, Dictionary)> = match request.models.is_empty() {
        true => Vec::new(),
        false => {
            let columns = dataset.raw.columns.iter();
            let columns = columns.filter(|column| quasi.contains(&column.name));
            columns.map(|column| (column.name.clone(), column.values.clone())).collect()
        }
    };
    // Kept only where they may have to be compared with the original, cell by cell.
    let texts = match request.models.is_empty() || request.original.is_none() {
        true => Vec::new(),
        false => matches::published(&dataset.raw, &quasi),
    };
    let truth = match &request.original {
        None => None,
        Some(original) => {
            // Statistics of regions are columns that the original doesn't have.
            let shared: Vec<String> =
                request.quasi.iter().chain(&request.sensitive).cloned().collect();
            let published = matches::published(&dataset.raw, &shared);
            Some(truth::check(&request, original, &published)?)
        }
    };
    let chain = match &request.ledger {
        Some(ledger) => Some(earlier::chain(&request, ledger, (&quasi, &dataset.raw), observer)?),
        None => None,
    };
    let presence = match &request.population_table {
        Some(_) if request.subject.is_some() => {
            return Err(Error::unsupported(
                "rows are counted among the people of a population: a subject column can't be \
                 named with --population-table",
            ));
        }
        Some(path) => Some(of_release(&request, path, (&quasi, &dataset.raw), observer)?),
        None => None,
    };
    let table = encode(&job, dataset)?.table;
    let before = match &request.original {
        None => None,
        Some(original) => {
            let mut job = job_of(&request, original);
            let dataset = read_columns(&mut job, observer)?;
            let table = encode(&job, dataset)?.table;
            Some(sizes_in_people(&table))
        }
    };
    let (classes, class_of_row) = classes_of(&table, &published);
    let pseudonyms = table
        .columns
        .iter()
        .filter(|column| request.pseudonyms.contains(&column.name))
        .map(|column| {
            let is_missing =
                |code: u32| code >= column.domain.missing() || column.domain.label(code).is_empty();
            let about = (column.name.as_str(), "pseudonym");
            linkage(about, &column.codes, &is_missing, Some(&class_of_row), table.n_rows)
        })
        .collect();
    let is_linked = Cell::new(false);
    Ok(Opened::Held(Box::new(Held {
        request,
        quasi,
        table,
        published,
        texts,
        classes,
        before,
        sha256,
        is_linked,
        labels,
        failing: RefCell::default(),
        truth,
        pseudonyms,
        chain,
        presence,
        class_of_row,
    })))
}

/// Refuse a file with another hash than in its manifest, since the manifest then describes the
/// columns of another file.
fn check_hash(request: &TableAuditRequest, sha256: &str) -> Result<()> {
    match request.sha256.as_deref().is_none_or(|expected| expected == sha256) {
        true => Ok(()),
        false => Err(Error::input("this isn't the file that the manifest beside it describes")
            .in_file(&request.input.path)
            .hint(
                "it was changed, or a run was killed while it put both in place: make the release \
                 again, or name its columns with --qi and --sensitive",
            )),
    }
}

impl Opened {
    /// The columns to which models are bound.
    pub fn bind(&self) -> Bind<'_> {
        match self {
            Opened::Held(held) => bind_table(&held.table),
            Opened::Passed(passed) => bind_table(&passed.table),
        }
    }

    /// What a guarantee of a scope rests on.
    pub fn evidence(&self, scope: &str) -> &'static str {
        match self {
            Opened::Held(held) => matches::evidence(scope, held.is_linked.get()),
            Opened::Passed(_) => "measured in the file",
        }
    }

    /// What the file achieves besides its guarantees.
    pub fn audit(&self) -> Result<Audit> {
        let held = match self {
            Opened::Passed(passed) => return Ok(passed.audit.clone()),
            Opened::Held(held) => held,
        };
        let achieved = |probe: probes::BoundProbe| {
            probe.achieved(evaluate_with(&probe.requirements, &held.classes, &at_once))
        };
        let summaries = &held.classes.summaries;
        let people = ClassSizes::from_sizes(summaries.iter().map(|summary| summary.people));
        Ok(Audit {
            sha256: held.sha256.clone(),
            rows: held.table.n_rows as u64,
            quasi: held.quasi.clone(),
            sensitive: held.request.sensitive.clone(),
            achieved: probes(&held.table)?.into_iter().flat_map(achieved).collect(),
            fully_suppressed: fully_suppressed(&held.published, &held.classes),
            risks: risks(held.before.as_ref(), &people, held.request.population),
            classes: shown::Classes::from_sizes(people.iter()),
            buckets: None,
            failing: held.failing.borrow().clone(),
            truth: held.truth.clone(),
            pseudonyms: held.pseudonyms.clone(),
        })
    }

    /// The figures of the audit for programs and people.
    pub fn figures(&self) -> Result<Figures> {
        let path = match self {
            Opened::Held(held) => &held.request.input.path,
            Opened::Passed(passed) => &passed.path,
        };
        self.audit()?.figures(path)
    }
}

/// The job that reads only the columns of an audit. Published quasi cells are read as texts,
/// whatever they look like, and need no hierarchy.
pub(crate) fn job_of(request: &TableAuditRequest, input: &InputSpec) -> Job {
    let is_original =
        request.original.as_ref().is_some_and(|original| std::ptr::eq(original, input));
    let base = request.base.clone();
    let mut job = Job { input: input.clone(), base, ..Job::default() };
    for name in &request.quasi {
        let kind = Some("text".into());
        let written = is_original.then(|| written_of(request, name)).flatten();
        let spec = ColumnSpec { kind, written, ..ColumnSpec::of_role(Role::Quasi) };
        job.columns.0.push((name.clone(), spec));
    }
    let others = request.sensitive.iter().map(|name| (name, Role::Sensitive));
    for (name, role) in others.chain(request.subject.iter().map(|name| (name, Role::Subject))) {
        let hierarchy = hierarchy_of(request, name);
        let case = match request.ignore_case.contains(name) {
            true => Case::Ignore,
            false => Case::Matters,
        };
        let written = is_original.then(|| written_of(request, name)).flatten();
        let spec = ColumnSpec { hierarchy, case, written, ..ColumnSpec::of_role(role) };
        job.columns.0.push((name.clone(), spec));
    }
    for name in request.pseudonyms.iter().filter(|_| !is_original) {
        if job.columns.get(name).is_none() {
            job.columns.0.push((name.clone(), ColumnSpec::of_role(Role::Keep)));
        }
    }
    job
}

/// The job that reads the quasi columns of the original with their types, and with the hierarchies
/// of published labels.
fn original_job(request: &TableAuditRequest, input: &InputSpec) -> Job {
    let base = request.base.clone();
    let mut job = Job { input: input.clone(), base, ..Job::default() };
    for name in &request.quasi {
        let (hierarchy, written) = (hierarchy_of(request, name), written_of(request, name));
        let spec = ColumnSpec { hierarchy, written, ..ColumnSpec::of_role(Role::Quasi) };
        job.columns.0.push((name.clone(), spec));
    }
    job
}

fn written_of(request: &TableAuditRequest, name: &str) -> Option<String> {
    request.written.iter().find(|(column, _)| column == name).map(|(_, form)| form.clone())
}

pub(crate) fn hierarchy_of(request: &TableAuditRequest, name: &str) -> Option<Call> {
    request.hierarchies.iter().find(|(column, _)| column == name).map(|(_, call)| call.clone())
}

/// Read the columns that a job names and skip the others.
pub fn read_columns(job: &mut Job, observer: &dyn Observer) -> Result<Dataset> {
    let mut roles = Vec::new();
    let options = crate::data::read::options_of(job)?;
    let path = job.input.path.clone();
    let mut select = |header: &[String]| {
        roles = roles_of(job, header)?;
        Ok(roles.iter().map(|role| *role != Role::Identifier).collect())
    };
    let raw = sfumato_io::read(&path, &options, &mut select, observer)?;
    if raw.n_rows == 0 {
        return Err(Error::input("the file has a header and no rows").in_file(&path));
    }
    Ok(Dataset { raw, roles, pseudonyms: Pseudonyms::default() })
}

/// The roles of a file's columns. Columns that the audit doesn't name become identifiers, which
/// aren't read.
pub(crate) fn roles_of(job: &mut Job, header: &[String]) -> Result<Vec<Role>> {
    with_statistics(job, header);
    let mut full = job.clone();
    for name in header.iter().filter(|name| job.columns.get(name).is_none()) {
        full.columns.0.push((name.clone(), ColumnSpec::of_role(Role::Identifier)));
    }
    crate::data::assign_roles::assign_roles(&full, header)
}

/// Group a table by its quasi columns as they are published. Columns are in the order of the file,
/// which the models see too.
fn classes_of(table: &Table, published: &[(Codes, Option<u32>)]) -> (ClassTable, Vec<u32>) {
    const BLOCK: usize = 1 << 16;
    let mut index = ClassIndex::new(published.len());
    let mut class_of_row = Vec::with_capacity(table.n_rows);
    for first in (0..table.n_rows).step_by(BLOCK) {
        let rows = first..(first + BLOCK).min(table.n_rows);
        let columns: Vec<Vec<u32>> = published
            .iter()
            .map(|(codes, _)| rows.clone().map(|row| codes.get(row)).collect())
            .collect();
        let slices: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
        index.add(&slices, rows.len(), Some(&mut class_of_row));
    }
    let tally = Tally {
        sensitive: table.sensitive().iter().map(|c| Some((&c.codes, c.domain.len() + 1))).collect(),
        subject: table.subject.as_ref(),
    };
    let classes = index.into_class_table(Some((&class_of_row, &tally)));
    (classes, class_of_row)
}

fn sizes_in_people(table: &Table) -> ClassSizes {
    let quasi: Vec<_> = table.quasi().iter().map(|column| &column.codes).collect();
    class_sizes(&quasi, table.n_rows, table.subject.as_ref())
}

fn fully_suppressed(published: &[(Codes, Option<u32>)], classes: &ClassTable) -> u64 {
    let is_star = |class: usize| {
        published.iter().zip(&classes.keys).all(|((_, star), keys)| *star == Some(keys[class]))
    };
    (0..classes.summaries.len())
        .filter(|class| is_star(*class))
        .map(|class| classes.summaries[class].rows)
        .sum()
}

pub(crate) fn risks(
    before: Option<&ClassSizes>,
    after: &ClassSizes,
    population: Option<Population>,
) -> shown::Ordered<shown::Change> {
    let none = ClassSizes::default();
    sfumato_engine::risks::risks(before.unwrap_or(&none), after, population)
        .into_iter()
        .map(|(name, before, after)| (name.replace('-', "_"), shown::Change { before, after }))
        .collect()
}
