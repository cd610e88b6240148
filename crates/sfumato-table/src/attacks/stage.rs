//! What attackers of tables look at: the release as anybody reads it, and the people who judge
//! them.
//!
//! Everything is read once into codes that people and published rows share. Rows that are published
//! alike are a class; in a bucket release rows of one group have its sensitive values in any order.

use sfumato_core::chain::Chain;
use sfumato_core::column::{Codes, Dictionary, RawColumn, RawTable};
use sfumato_core::dataset::{Column, Domain, Hierarchy, Role};
use sfumato_core::observer::Observer;
use sfumato_core::registry::Call;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::attack::AttackRequest;
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::input::read_options;
use sfumato_engine::manifest::Manifest;
use sfumato_engine::paths::resolve;
use std::ops::Range;
use std::path::Path;

use super::labels::{Labels, is_readable};
use crate::audit::TableAuditRequest;
use crate::data::encode::encode;
use crate::data::read::Dataset;
use crate::forms::buckets::read::{is_linked, read_linked, read_permuted};
use crate::forms::generalized::cover::Cover;
use crate::job::{ColumnSpec, InputSpec, Job, LedgerSpec};

/// What attackers of a table look at.
pub struct TableStage {
    /// The form of the release.
    pub form: &'static str,
    /// The columns that an attacker may know.
    pub quasi: Vec<Quasi>,
    /// The columns that an attacker wants to learn.
    pub sensitive: Vec<Sensitive>,
    /// Columns that the release publishes as they are and that the original has, too.
    pub kept: Vec<Kept>,
    /// How many people the original has. They are the first people.
    pub n: usize,
    /// The people of the control group, after the original.
    pub control: Range<usize>,
    /// The people of the population, after the control group.
    pub population: Range<usize>,
    /// How many rows the release has.
    pub n_rows: usize,
    /// Rows that are published alike in the quasi columns.
    pub classes: Vec<Class>,
    /// The class of each row.
    pub class_of_row: Vec<u32>,
    /// Rows that share their sensitive values: the classes, or the groups of a bucket release.
    pub groups: Vec<Group>,
    /// The models that the release was made for, as far as they are known.
    pub models: Vec<Call>,
    /// The algorithm that made it, if that is known.
    pub algorithm: Option<String>,
    /// Another release of the same people.
    pub other: Option<Box<TableStage>>,
    /// The other release and this one after it, with what their texts mean, as far as that is
    /// known: classes are those of the stages.
    pub chain: Option<Result<Chain>>,
}

/// A column that an attacker may know.
pub struct Quasi {
    /// The name of the column.
    pub name: String,
    /// What each published text may stand for.
    pub covers: Vec<Cover>,
    /// The text of each class.
    pub text_of_class: Vec<u32>,
    /// The published texts.
    pub texts: Vec<String>,
    /// The code of each person.
    pub people: Vec<u32>,
    /// The number of codes, with that of missing, which is the last.
    pub n_codes: usize,
    /// The number behind each code, if values are numbers, dates or times.
    pub numbers: Option<Vec<f64>>,
    /// The number that each published text is, if it is one: of perturbed values.
    pub number_of_text: Vec<Option<f64>>,
}

/// A column that an attacker wants to learn.
pub struct Sensitive {
    /// The name of the column.
    pub name: String,
    /// The code of each person.
    pub people: Vec<u32>,
    /// The code of each row.
    pub rows: Vec<u32>,
    /// How many rows have each code.
    pub overall: Vec<u64>,
    /// The text of each code but the last, which is that of missing.
    pub labels: Vec<String>,
    /// The number behind each code, if values are numbers, dates or times.
    pub numbers: Option<Vec<f64>>,
    /// The tree of its values, if it has one.
    pub tree: Option<Hierarchy>,
    /// Its values as models see them.
    pub domain: Domain,
}

/// A column that is published as it is.
pub struct Kept {
    /// The name of the column.
    pub name: String,
    /// The code of each person of the original.
    pub people: Vec<u32>,
    /// The code of each row.
    pub rows: Vec<u32>,
}

/// Rows that are published alike in the quasi columns, of one group.
pub struct Class {
    /// The rows.
    pub rows: Vec<u32>,
    /// The group that they are in.
    pub group: u32,
}

/// Rows that share their sensitive values.
pub struct Group {
    /// How many rows there are.
    pub n: u64,
    /// For each sensitive column the codes with their numbers, by code.
    pub counts: Vec<Vec<(u32, u64)>>,
}

/// The release as it was read.
struct Released {
    raw: RawTable,
    /// The group of each row of a bucket release.
    group_of_row: Option<Vec<u32>>,
    sensitive: Vec<String>,
}

impl TableStage {
    /// Open a release beside its original.
    pub fn open(
        form: &'static str,
        request: &AttackRequest<Job>,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let mut stage = Self::open_one(form, request, observer)?;
        if let Some(other) = &request.other {
            let release = AuditRequest {
                manifest: Manifest::find(Path::new(&resolve(&other.base, &other.input.path)))?,
                job: other.clone(),
                ..request.release.clone()
            };
            let alone = AttackRequest { release, population: None, control: None, other: None };
            stage.other = Some(Box::new(Self::open_one(form, &alone, observer)?));
            stage.chain = (form == "generalized").then(|| chain_of(form, request, other, observer));
        }
        Ok(stage)
    }

    fn open_one(
        form: &'static str,
        request: &AttackRequest<Job>,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let asked = placed(TableAuditRequest::of(&request.release)?, &request.release.job);
        let Released { raw, group_of_row, sensitive } = released(form, &asked, observer)?;
        let quasi: Vec<String> = match asked.quasi.is_empty() {
            true if form == "buckets" => {
                let names = raw.columns.iter().map(|column| column.name.clone());
                names.filter(|name| !sensitive.contains(name)).collect()
            }
            true => {
                return Err(Error::params("no quasi column was named")
                    .hint("say what an attacker may know with --qi a,b,c"));
            }
            false => asked.quasi.clone(),
        };
        let named = |name: &String| quasi.contains(name) || sensitive.contains(name);
        if let Some(name) = quasi.iter().chain(&sensitive).find(|name| raw.column(name).is_none()) {
            return Err(Error::params(format!("the release has no column '{name}'"))
                .in_file(&asked.input.path)
                .hint(format!("its columns are {}", raw.header.join(", "))));
        }
        let kept: Vec<String> = raw.header.iter().filter(|name| !named(name)).cloned().collect();
        let columns = Columns { quasi: &quasi, sensitive: &sensitive, kept: &kept, asked: &asked };
        let original = columns.read(request.original()?, true, observer)?;
        let mut others = Vec::new();
        for job in [&request.control, &request.population] {
            others.push(job.as_ref().map(|job| columns.read(job, false, observer)).transpose()?);
        }
        let (n, n_rows) = (original.n_rows, raw.n_rows);
        let n_of = |raw: &Option<RawTable>| raw.as_ref().map_or(0, |raw| raw.n_rows);
        let control = n..n + n_of(&others[0]);
        let population = control.end..control.end + n_of(&others[1]);
        let n_people = population.end;
        let kept = kept.iter().filter_map(|name| kept_column(name, &original, &raw)).collect();
        let parts: Vec<&RawTable> =
            std::iter::once(&original).chain(others.iter().flatten()).chain([&raw]).collect();
        let (mut job, stacked) = columns.stack(&parts, request.original()?);
        let roles = crate::audit::roles_of(&mut job, &stacked.header)?;
        let pseudonyms = Default::default();
        let table = encode(&job, Dataset { raw: stacked, roles, pseudonyms })?.table;
        let find = |name: &String| {
            let column = table.columns.iter().find(|column| column.name == *name);
            column.ok_or_else(|| Error::input(format!("the original has no column '{name}'")))
        };
        let published: Vec<&RawColumn> = quasi.iter().filter_map(|name| raw.column(name)).collect();
        let (classes, class_of_row) = classes(&published, group_of_row.as_deref(), n_rows);
        let mut of_quasi = Vec::new();
        for (name, raw) in quasi.iter().zip(&published) {
            let has_tree = job.columns.get(name).is_some_and(|spec| spec.hierarchy.is_some());
            of_quasi.push(Quasi::new(find(name)?, raw, (n_people, form, has_tree), &classes)?);
        }
        let mut of_sensitive = Vec::new();
        for name in &sensitive {
            of_sensitive.push(Sensitive::new(find(name)?, n_people, n_rows));
        }
        let groups = groups(&classes, &of_sensitive);
        let made_by = &request.release.job;
        let algorithm = Some(made_by.recode.algorithm.clone());
        Ok(TableStage {
            form,
            quasi: of_quasi,
            kept,
            n,
            control,
            population,
            n_rows,
            classes,
            class_of_row,
            groups,
            sensitive: of_sensitive,
            models: asked.models.iter().filter_map(|model| model.parse().ok()).collect(),
            algorithm: algorithm.filter(|name| name != "auto"),
            other: None,
            chain: None,
        })
    }

    /// Whether nothing says what an attacker wants to learn; in words what is missing.
    pub fn lacks_sensitive(&self) -> Option<String> {
        self.sensitive.is_empty().then(|| "a sensitive column (--sensitive)".into())
    }

    /// What is missing for attacks that need a control group.
    pub fn lacks_control(&self) -> Option<String> {
        self.control.is_empty().then(|| "people who aren't in the data (--control)".into())
    }
}

/// The chain of another release and this one.
fn chain_of(
    form: &str,
    request: &AttackRequest<Job>,
    other: &Job,
    observer: &dyn Observer,
) -> Result<Chain> {
    let asked = placed(TableAuditRequest::of(&request.release)?, &request.release.job);
    let raw = released(form, &asked, observer)?.raw;
    let before = vec![resolve(&other.base, &other.input.path)];
    let before = LedgerSpec { path: None, before };
    let quasi = asked.quasi.clone();
    // Models aren't judged here: columns that a join would ask for aren't read.
    let asked = TableAuditRequest { models: Vec::new(), subject: None, ..asked };
    crate::audit::earlier::chain(&asked, &before, (&quasi, &raw), observer)
}

/// Paths that start from where the user is, for a job that has its own folder.
fn placed(asked: TableAuditRequest, job: &Job) -> TableAuditRequest {
    let path = resolve(&job.base, &asked.input.path);
    TableAuditRequest { input: InputSpec { path, ..asked.input.clone() }, ..asked }
}

/// Read the release, whatever its form.
fn released(form: &str, asked: &TableAuditRequest, observer: &dyn Observer) -> Result<Released> {
    let path = &asked.input.path;
    if form != "buckets" {
        let raw = sfumato_io::read(
            path,
            &read_options(&asked.input)?,
            &mut sfumato_io::select_all,
            observer,
        )?;
        if raw.n_rows == 0 {
            return Err(Error::input("the file has a header and no rows").in_file(path));
        }
        return Ok(Released { raw, group_of_row: None, sensitive: asked.sensitive.clone() });
    }
    let table = match (is_linked(path), &asked.group) {
        (true, _) => read_linked(path, observer)?,
        (false, Some(group)) => read_permuted(&asked.input, group, &asked.sensitive, observer)?,
        (false, None) => {
            let message = "nothing says which column has the group of a record";
            return Err(Error::params(message).in_file(path).hint("name it with --group COLUMN"));
        }
    };
    Ok(Released {
        raw: table.raw,
        group_of_row: Some(table.group_of_row),
        sensitive: table.sensitive,
    })
}

/// Which columns are read of people, and how.
struct Columns<'a> {
    quasi: &'a [String],
    sensitive: &'a [String],
    kept: &'a [String],
    asked: &'a TableAuditRequest,
}

impl Columns<'_> {
    /// Read people. Those of a population needn't have the columns that nobody knows.
    fn read(&self, job: &Job, is_original: bool, observer: &dyn Observer) -> Result<RawTable> {
        let path = resolve(&job.base, &job.input.path);
        let mut options = read_options(&job.input)?;
        for (name, spec) in &job.columns.0 {
            if let Some(written) = &spec.written {
                options.written.push((name.clone(), written.parse()?));
            }
        }
        let mut select = |header: &[String]| {
            let must = self.quasi.iter().chain(self.sensitive.iter().filter(|_| is_original));
            if let Some(name) = must.into_iter().find(|name| !header.contains(name)) {
                return Err(Error::input(format!("the file has no column '{name}'"))
                    .in_file(&path)
                    .hint(format!("its columns are {}", header.join(", "))));
            }
            let is_read = |name: &String| {
                self.quasi.contains(name)
                    || self.sensitive.contains(name)
                    || (is_original && self.kept.contains(name))
            };
            Ok(header.iter().map(is_read).collect())
        };
        let raw = sfumato_io::read(&path, &options, &mut select, observer)?;
        match raw.n_rows {
            0 => Err(Error::input("the file has a header and no rows").in_file(path)),
            _ => Ok(raw),
        }
    }

    /// All people and the published rows, one after the other, so that they share their codes. In
    /// quasi columns rows have no value: what they cover is found later.
    fn stack(&self, parts: &[&RawTable], original: &Job) -> (Job, RawTable) {
        let n_rows = parts.iter().map(|raw| raw.n_rows).sum();
        let mut job = Job {
            base: original.base.clone(),
            input: InputSpec { path: String::new(), ..original.input.clone() },
            ..Job::default()
        };
        let mut columns = Vec::new();
        let named = self.quasi.iter().map(|name| (name, Role::Quasi));
        for (name, role) in named.chain(self.sensitive.iter().map(|name| (name, Role::Sensitive))) {
            let known = original.columns.get(name).cloned();
            let hierarchy = self.asked.hierarchies.iter().find(|(column, _)| column == name);
            let known = known.unwrap_or_else(|| ColumnSpec::of_role(role));
            let hierarchy = hierarchy.map(|(_, call)| call.clone()).or(known.hierarchy.clone());
            let spec = ColumnSpec {
                hierarchy,
                written: None,
                kind: known.kind.clone(),
                case: known.case,
                unknown: known.unknown.clone(),
                ..ColumnSpec::of_role(role)
            };
            job.columns.0.push((name.clone(), spec));
            let last = parts.len() - 1;
            let is_there = |part: usize| role == Role::Sensitive || part < last;
            columns.push(stacked(name, parts, &is_there));
        }
        let header = columns.iter().map(|column| column.name.clone()).collect();
        (job, RawTable { columns, n_rows, header, source: Default::default() })
    }
}

/// A column of several tables, one after the other. What a table doesn't have is null.
fn stacked(name: &str, parts: &[&RawTable], is_there: &dyn Fn(usize) -> bool) -> RawColumn {
    let mut values = Dictionary::new();
    let mut code_of: FastMap<String, u32> = FastMap::default();
    let mut null: Option<u32> = None;
    let mut codes = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        let column = part.column(name).filter(|_| is_there(place));
        let mut nothing = |values: &mut Dictionary| *null.get_or_insert_with(|| values.push(""));
        let Some(column) = column else {
            let code = nothing(&mut values);
            codes.extend(std::iter::repeat_n(code, part.n_rows));
            continue;
        };
        let mut renumbered = Vec::with_capacity(column.values.len());
        for code in 0..column.values.len() as u32 {
            let text = column.values.get(code);
            renumbered.push(match Some(code) == column.null {
                true => nothing(&mut values),
                false => *code_of.entry(text.to_string()).or_insert_with(|| values.push(text)),
            });
        }
        codes.extend((0..part.n_rows).map(|row| renumbered[column.codes.get(row) as usize]));
    }
    RawColumn { name: name.into(), codes: Codes::U32(codes), values, null, native_type: None }
}

/// A column that both have, in codes that they share.
fn kept_column(name: &str, original: &RawTable, release: &RawTable) -> Option<Kept> {
    original.column(name)?;
    let column = stacked(name, &[original, release], &|_| true);
    let all: Vec<u32> = column.codes.iter().collect();
    let (people, rows) = all.split_at(original.n_rows);
    Some(Kept { name: name.into(), people: people.to_vec(), rows: rows.to_vec() })
}

/// Rows that are published alike, by their texts and their group, in the order in which they first
/// appear.
fn classes(
    published: &[&RawColumn],
    group_of_row: Option<&[u32]>,
    n_rows: usize,
) -> (Vec<Class>, Vec<u32>) {
    let mut classes: Vec<Class> = Vec::new();
    let mut class_of: FastMap<Vec<u32>, u32> = FastMap::default();
    let mut class_of_row = Vec::with_capacity(n_rows);
    for row in 0..n_rows {
        let texts = published.iter().map(|column| column.codes.get(row));
        let key: Vec<u32> = texts.chain(group_of_row.map(|groups| groups[row])).collect();
        let class = *class_of.entry(key).or_insert_with(|| {
            let class = classes.len() as u32;
            let group = group_of_row.map_or(class, |groups| groups[row]);
            classes.push(Class { rows: Vec::new(), group });
            class
        });
        classes[class as usize].rows.push(row as u32);
        class_of_row.push(class);
    }
    (classes, class_of_row)
}

fn groups(classes: &[Class], sensitive: &[Sensitive]) -> Vec<Group> {
    let n_groups = classes.iter().map(|class| class.group as usize + 1).max().unwrap_or(0);
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); n_groups];
    for class in classes {
        rows[class.group as usize].extend(&class.rows);
    }
    let counts = |rows: &[u32], column: &Sensitive| {
        let mut codes: Vec<u32> = rows.iter().map(|row| column.rows[*row as usize]).collect();
        codes.sort_unstable();
        let runs = codes.chunk_by(|a, b| a == b);
        runs.map(|run| (run[0], run.len() as u64)).collect::<Vec<(u32, u64)>>()
    };
    let group = |rows: &Vec<u32>| Group {
        n: rows.len() as u64,
        counts: sensitive.iter().map(|column| counts(rows, column)).collect(),
    };
    rows.iter().map(group).collect()
}

impl Quasi {
    fn new(
        column: &Column,
        raw: &RawColumn,
        (n_people, form, has_tree): (usize, &str, bool),
        classes: &[Class],
    ) -> Result<Self> {
        let labels = Labels::new(column);
        let (mut covers, mut texts, mut unread) = (Vec::new(), Vec::new(), 0);
        for code in 0..raw.values.len() as u32 {
            let text = raw.values.get(code);
            let is_null = Some(code) == raw.null;
            let cover = if is_null { labels.of_null() } else { labels.of_text(text) };
            // Perturbed values are numbers that nobody had: they cover nothing.
            if cover == Cover::nothing()
                && form == "generalized"
                && !is_readable(column, text, has_tree)
            {
                unread += 1;
            }
            covers.push(cover);
            texts.push(text.to_string());
        }
        if unread > 0 {
            let labels = if unread == 1 { "label".into() } else { format!("{unread} labels") };
            return Err(Error::params(format!(
                "what {labels} of column '{}' stand for isn't known: no value, no range, not *",
                column.name
            ))
            .hint(format!(
                "say what labels mean with --hierarchy {}=FILE or --job release.toml",
                column.name
            )));
        }
        let numbers = numbers(column);
        let number_of_text = texts.iter().map(|text| text.trim().parse::<f64>().ok()).collect();
        Ok(Quasi {
            name: column.name.clone(),
            covers,
            text_of_class: classes
                .iter()
                .map(|class| raw.codes.get(class.rows[0] as usize))
                .collect(),
            texts,
            people: (0..n_people).map(|person| column.codes.get(person)).collect(),
            n_codes: column.domain.len() + 1,
            numbers,
            number_of_text,
        })
    }
}

impl Sensitive {
    fn new(column: &Column, n_people: usize, n_rows: usize) -> Self {
        let rows: Vec<u32> =
            (n_people..n_people + n_rows).map(|row| column.codes.get(row)).collect();
        let mut overall = vec![0u64; column.domain.len() + 1];
        rows.iter().for_each(|code| overall[*code as usize] += 1);
        Sensitive {
            name: column.name.clone(),
            people: (0..n_people).map(|person| column.codes.get(person)).collect(),
            rows,
            overall,
            labels: column.domain.labels().map(|label| label.into_owned()).collect(),
            numbers: numbers(column),
            tree: column.hierarchy.clone(),
            domain: column.domain.clone(),
        }
    }

    /// The number of codes, with that of missing, which is the last.
    pub fn n_codes(&self) -> usize {
        self.overall.len()
    }
}

/// The numbers behind the codes of a column of numbers, dates or times.
fn numbers(column: &Column) -> Option<Vec<f64>> {
    let numbers = (0..column.domain.len() as u32).map(|code| column.domain.number(code));
    column.domain.kind.is_ordered().then(|| numbers.collect()).flatten()
}
