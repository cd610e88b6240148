//! Audits files that don't fit into memory: they are read once in blocks, classes are merged on
//! disk, and the answer is the same.
//!
//! Memory holds only what is necessary: the values of sensitive columns, and for models about
//! projections all classes at once.

mod collect;
pub(super) mod projections;
mod room;
#[cfg(test)]
mod tests;
mod values;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use sfumato_core::column::{Codes, Provenance};
use sfumato_core::dataset::{Column, Domain, Missing, Role, Table};
use sfumato_core::group::{Guarantee, Histogram, Summary};
use sfumato_core::memory::Accountant;
use sfumato_core::observer::Observer;
use sfumato_core::traits::{Requirements, Scope};
use sfumato_core::{Error, Result};
use sfumato_io::spill::{SpillFolder, remove_orphans};
use sfumato_io::{LocalBlock, ReadOptions, scan_local};
use sfumato_report as shown;

use super::class_runs::{ClassRuns, Grouped, key_of};
use super::survey::missing_numbers;
use crate::audit::probes::probes;
use crate::audit::{Audit, Passed, TableAuditRequest, job_of, risks, roles_of};
use crate::data::encode::{Described, SavedLevels, canonical, describe_column, is_missing};
use crate::forms::generalized::make_plan::{bind_models, bind_table};
use crate::job::{InputSpec, Job};
use collect::{Collector, Sensitive};
use room::Room;
use sfumato_engine::exec::RESIDENT;
use sfumato_engine::input::read_options;
use values::MissingCells;

/// Audit a file with `memory` bytes of memory.
pub fn audit(request: &TableAuditRequest, memory: u64, observer: &dyn Observer) -> Result<Passed> {
    let room = Room::of(memory, request.subject.is_some())?;
    let books = Accountant::new(Some(memory));
    let _program = books.book("the program", RESIDENT);
    within(request, room, &books, observer)
}

fn within(
    request: &TableAuditRequest,
    room: Room,
    books: &Accountant,
    observer: &dyn Observer,
) -> Result<Passed> {
    let folder = spill_folder(request, books)?;
    let before = match &request.original {
        None => None,
        Some(original) => {
            let read = collect(request, original, room, true, &folder, observer)?;
            let grouped = read.classes.ask(&[], &Summary::default(), &|_, _| None)?;
            Some(grouped.people)
        }
    };
    let read = collect(request, &request.input, room, false, &folder, observer)?;
    let Read { mut job, header, roles, classes, people, sensitive, native_types, n_rows, source } =
        read;
    let (table, code_of, counts) = describe(&mut job, &header, &roles, sensitive, native_types)?;
    let release = match people {
        None => Summary::of_histograms(n_rows, histograms(&counts, &code_of)),
        Some(people) => release_of(people, n_rows, &code_of)?,
    };
    let requirements = match request.models.is_empty() {
        true => Requirements::new(Vec::new()),
        false => bind_models(&request.models, &bind_table(&table))?,
    };
    let probes = probes(&table)?;
    let asked: Vec<&Requirements> = std::iter::once(&requirements)
        .chain(probes.iter().map(|probe| &probe.requirements))
        .collect();
    let n_quasi = table.quasi().len();
    let star = key_of(vec![Some("*"); n_quasi]);
    let suppressed = AtomicU64::new(0);
    let seen = |key: &[u8], summary: &Summary| {
        if key == star {
            suppressed.fetch_add(summary.rows, Ordering::Relaxed);
        }
        (!code_of.is_empty()).then(|| summary.recode(&code_of))
    };
    let whole = requirements.iter().find(|requirement| !requirement.scope().is_met_by_classes());
    let Grouped { mut guarantees, people, .. } = match whole {
        None => classes.ask(&asked, &release, &seen)?,
        Some(model) => {
            projections::ask(classes, &asked, release, &seen, n_quasi, (model.model(), room.free))?
        }
    };
    let of_probes = guarantees.split_off(1);
    let is_about_matches =
        |found: &&Guarantee| !found.holds && found.scope == Scope::Matches.name();
    if let Some(found) = guarantees.iter().flatten().find(is_about_matches) {
        return Err(Error::unsupported(format!(
            "classes don't keep {}, and to look for matches the release and its original must be \
                in memory",
            found.model
        ))
        .hint("leave --memory out, and say what the release was made from with --original DATA"));
    }
    let of_role = |role: Role| job.columns.0.iter().filter(move |(_, spec)| spec.role == role);
    let achieved = probes.iter().zip(of_probes).flat_map(|(probe, found)| probe.achieved(found));
    let audit = Audit {
        sha256: source.sha256,
        rows: n_rows,
        quasi: of_role(Role::Quasi).map(|(name, _)| name.clone()).collect(),
        sensitive: request.sensitive.clone(),
        achieved: achieved.collect(),
        buckets: None,
        failing: Vec::new(),
        truth: None,
        pseudonyms: Vec::new(),
        fully_suppressed: suppressed.into_inner(),
        risks: risks(before.as_ref(), &people, request.population),
        classes: shown::Classes::from_sizes(people.iter()),
    };
    let found = guarantees.into_iter().flatten().collect();
    Ok(Passed { path: request.input.path.clone(), table, found, audit })
}

/// The folder for classes. It has the name of the file, so that the next audit finds what a killed
/// one left.
fn spill_folder(request: &TableAuditRequest, books: &Accountant) -> Result<SpillFolder> {
    let within: PathBuf = request.spill.clone().unwrap_or_else(std::env::temp_dir);
    let name = Path::new(&request.input.path).file_name();
    let destination = within.join(name.map_or("input".into(), |name| name.to_os_string()));
    remove_orphans(&destination, Some(&within));
    SpillFolder::create(&destination, Some(&within), books)
}

/// A file that was read.
struct Read {
    job: Job,
    header: Vec<String>,
    roles: Vec<Role>,
    classes: ClassRuns,
    people: Option<ClassRuns>,
    sensitive: Vec<Sensitive>,
    native_types: Vec<Option<String>>,
    n_rows: u64,
    source: Provenance,
}

/// Read a file and group its rows. For an original only the sizes of classes are wanted, and all
/// cells that mean missing are alike.
fn collect(
    request: &TableAuditRequest,
    input: &InputSpec,
    room: Room,
    is_original: bool,
    folder: &SpillFolder,
    observer: &dyn Observer,
) -> Result<Read> {
    let mut job = job_of(request, input);
    let reading = job.clone();
    let text = |text: &str| is_missing(&reading, text);
    let numbers = missing_numbers(&reading);
    let subject = request.subject.as_deref().and_then(|name| reading.columns.get(name));
    let subject_form = subject.and_then(canonical).unwrap_or_default();
    let options = ReadOptions {
        block_bytes: room.block_bytes,
        batch_rows: room.batch_rows,
        hash: !is_original,
        memory: folder.accountant().clone(),
        ..read_options(input)?
    };
    let (mut header, mut roles) = (Vec::new(), Vec::new());
    // The columns are known when the header is, which is after the sink was made.
    let collector: RefCell<Option<Collector<'_>>> = RefCell::new(None);
    let mut select = |names: &[String]| {
        roles = roles_of(&mut job, names)?;
        header = names.to_vec();
        let is_read =
            |role: Role| role != Role::Identifier && !(is_original && role == Role::Sensitive);
        let read =
            names.iter().cloned().zip(roles.iter().copied()).filter(|(_, role)| is_read(*role));
        let missing = MissingCells { text: &text, numbers: &numbers };
        *collector.borrow_mut() =
            Some(Collector::new(folder, room, missing, is_original, read.collect(), subject_form)?);
        Ok(roles.iter().map(|role| is_read(*role)).collect())
    };
    let mut sink = |block: &LocalBlock<'_>| match &mut *collector.borrow_mut() {
        Some(collector) => collector.block(block),
        None => Err(Error::internal("rows came before the header")),
    };
    let scanned = scan_local(&input.path, &options, &mut select, &mut sink, observer)?;
    let collector = collector.into_inner().filter(|collector| collector.n_rows > 0);
    let Some(collector) = collector else {
        return Err(Error::input("the file has a header and no rows").in_file(&input.path));
    };
    let (classes, people, sensitive, n_rows) = collector.finish(request.subject.as_deref())?;
    let (source, native_types) = (scanned.source, scanned.native_types);
    Ok(Read { job, header, roles, classes, people, sensitive, native_types, n_rows, source })
}

/// For each sensitive column, a value for each code of its file.
type PerCode<T> = Vec<Vec<T>>;

/// A table without rows to which models are bound, the new codes of sensitive values, and how many
/// rows have each.
fn describe(
    job: &mut Job,
    header: &[String],
    roles: &[Role],
    sensitive: Vec<Sensitive>,
    native_types: Vec<Option<String>>,
) -> Result<(Table, PerCode<u32>, PerCode<u64>)> {
    let mut table = Table { n_rows: 0, columns: Vec::new(), subject: None };
    let (mut code_of, mut counts) = (Vec::new(), Vec::new());
    let mut sensitive = sensitive.into_iter();
    let read = header.iter().zip(roles).filter(|(_, role)| **role != Role::Identifier);
    for ((name, role), native_type) in read.zip(native_types) {
        match (role, job.columns.get(name)) {
            (Role::Sensitive, Some(spec)) => {
                let Sensitive { values, counts: rows } = sensitive.next().unwrap_or_default();
                let raw = values.into_raw(name, native_type);
                let Described { column, code_of: codes, .. } =
                    describe_column(job, &raw, &rows, spec, &SavedLevels::default())?;
                table.columns.push(column);
                code_of.push(codes);
                counts.push(rows);
            }
            (Role::Quasi, _) => table.columns.push(Column {
                name: name.clone(),
                role: Role::Quasi,
                codes: Codes::for_domain(1),
                domain: Domain::of_texts(std::iter::empty::<&str>()),
                hierarchy: None,
                weight: 1.0,
                missing: Missing::Value,
                missing_text: String::new(),
                native_type: None,
            }),
            _ => {}
        }
    }
    Ok((table, code_of, counts))
}

fn histograms(counts: &PerCode<u64>, code_of: &PerCode<u32>) -> Vec<Histogram> {
    let histogram = |(counts, code_of): (&Vec<u64>, &Vec<u32>)| {
        Histogram::from_counts(code_of.iter().copied().zip(counts.iter().copied()))
    };
    counts.iter().zip(code_of).map(histogram).collect()
}

/// The number of people, and how many of them have each value.
fn release_of(people: ClassRuns, n_rows: u64, code_of: &PerCode<u32>) -> Result<Summary> {
    let mut counts: PerCode<u64> = code_of.iter().map(|codes| vec![0; codes.len()]).collect();
    let codes: PerCode<u32> = code_of
        .iter()
        .map(|codes| (0..codes.iter().max().map_or(0, |most| *most + 1)).collect())
        .collect();
    counts.iter_mut().zip(&codes).for_each(|(counts, codes)| counts.resize(codes.len(), 0));
    let mut n_people = 0;
    people.visit(&mut |_, person| {
        n_people += 1;
        for (histogram, counts) in person.recode(code_of).histograms.iter().zip(&mut counts) {
            histogram.entries().iter().for_each(|(code, _)| counts[*code as usize] += 1);
        }
        Ok(())
    })?;
    Ok(Summary::estimated(n_rows, n_people, histograms(&counts, &codes)))
}
