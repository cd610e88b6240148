//! What a job is judged beside: the releases of its ledger, and files that it names.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use sfumato_core::chain::Published;
use sfumato_core::dataset::{Domain, LevelTable, Table};
use sfumato_core::facts::Fact;
use sfumato_core::joined::JoinAsked;
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::{Bind, Requirement, SensitiveColumn};
use sfumato_core::{Error, Result};
use sfumato_engine::ledger::{Ledger, Recorded};
use sfumato_engine::paths::resolve;

use super::cells::{Cell, Labels};
use super::people::People;
use super::published::{Who, in_order};
use super::sheet::sheet;
use super::{Meaning, Past, published};
use crate::audit::{TableAuditRequest, job_of, read_columns};
use crate::data::encode::build_levels;
use crate::job::{InputSpec, Job};

/// The earlier releases of a job, if it names a ledger or files. Texts are understood as the table
/// of the job has them.
pub fn recall(job: &Job, table: &Table, asked: Vec<JoinAsked>) -> Result<Option<Past>> {
    let Some(spec) = &job.ledger else { return Ok(None) };
    let quasi: Vec<String> = table.quasi().iter().map(|column| column.name.clone()).collect();
    let sensitive: Vec<String> =
        table.sensitive().iter().map(|column| column.name.clone()).collect();
    let (mut releases, salt) = match &spec.path {
        Some(path) => {
            let ledger = Ledger::open(Path::new(&resolve(&job.base, path)))?;
            let releases = match asked.is_empty() {
                true => of_ledger(&ledger, &quasi)?,
                false => as_recorded(&ledger, &quasi)?,
            };
            (releases, Some(ledger.begun()?.salt.clone()))
        }
        None => (Vec::new(), None),
    };
    for path in &spec.before {
        let path = resolve(&job.base, path);
        releases.push(match asked.is_empty() {
            true => of_file(&path, &job.input, (&quasi, &sensitive), Who::Nobody)?,
            false => whole_file(&path, &job.input, (&quasi, &sensitive), Who::Nobody)?,
        });
    }
    let meanings = table.quasi().into_iter().map(|column| match &column.hierarchy {
        Some(tree) => Meaning::Labels(Labels::of_tree(tree)),
        None => Meaning::Texts { are_values: true },
    });
    let (meanings, people) = (meanings.collect(), People::default());
    let elsewhere = noted_elsewhere(&releases, &quasi, &[])?;
    Ok(Some(Past { meanings, releases, salt, people, asked, elsewhere, columns: quasi }))
}

/// What models ask of the join of releases.
pub fn asked_joins<'a>(bound: impl Iterator<Item = &'a dyn Requirement>) -> Vec<JoinAsked> {
    let mut found: Vec<JoinAsked> = Vec::new();
    for asked in bound.filter_map(|asked| asked.asks_join()) {
        if !found.contains(asked) {
            found.push(asked.clone());
        }
    }
    found
}

/// What a file publishes with all its columns, of which some of the quasi and sensitive ones may be
/// missing.
pub fn whole_file(
    path: &str,
    input: &InputSpec,
    (quasi, sensitive): (&[String], &[String]),
    who: Who<'_>,
) -> Result<Published> {
    let input = InputSpec { path: path.to_string(), ..input.clone() };
    let job = Job { input, ..Job::default() };
    let options = crate::data::read::options_of(&job)?;
    let mut all = |header: &[String]| Ok(vec![true; header.len()]);
    let raw = sfumato_io::read(path, &options, &mut all, &sfumato_core::observer::Unobserved)?;
    let there = |names: &[String]| -> Vec<String> {
        names.iter().filter(|name| raw.column(name).is_some()).cloned().collect()
    };
    let mut found = published(&raw, (&there(quasi), &there(sensitive)), who, path)?;
    found.sheet = Some(sheet(&raw));
    Ok(found)
}

/// The releases of a ledger's present chain, which may have other columns than these.
pub fn as_recorded(ledger: &Ledger, quasi: &[String]) -> Result<Vec<Published>> {
    let read = |recorded: &Recorded| match of_record(recorded, quasi) {
        Ok(found) => Ok(found),
        Err(error) => match Published::deserialize(&recorded.facts) {
            Ok(found) if recorded.kind == "table" => {
                Ok(Published { name: recorded.path.clone(), ..found })
            }
            _ => Err(error),
        },
    };
    ledger.releases().into_iter().map(read).collect()
}

/// What the texts of columns mean that aren't among some, by what is named or was noted with
/// releases.
pub fn noted_elsewhere(
    releases: &[Published],
    known: &[String],
    named: &[(String, Call)],
) -> Result<Vec<(String, Meaning)>> {
    let mut found: Vec<(String, Meaning)> = Vec::new();
    for release in releases {
        for name in &release.columns {
            if known.contains(name) || found.iter().any(|(other, _)| other == name) {
                continue;
            }
            let meaning = match levels_of(named, name)? {
                Some(levels) => Meaning::Labels(Labels::of_levels(&levels)),
                None => noted_of(releases, name),
            };
            found.push((name.clone(), meaning));
        }
    }
    // Columns that are no quasi columns of any release are joined, too.
    for (name, _) in named {
        if known.contains(name) || found.iter().any(|(other, _)| other == name) {
            continue;
        }
        if let Some(levels) = levels_of(named, name)? {
            found.push((name.clone(), Meaning::Labels(Labels::of_levels(&levels))));
        }
    }
    Ok(found)
}

/// What was noted of a column with the releases that have it.
fn noted_of(releases: &[Published], name: &str) -> Meaning {
    let place = |release: &Published| release.columns.iter().position(|column| column == name);
    let having = || releases.iter().filter_map(move |release| Some((release, place(release)?)));
    let noted = || having().filter_map(|(release, at)| release.labels.get(at));
    match noted().any(|labels| !labels.is_empty()) {
        true => {
            let texts = having().flat_map(|(release, at)| &release.texts[at]);
            Meaning::Labels(Labels::of_noted(noted().flatten(), texts))
        }
        false => Meaning::Texts { are_values: false },
    }
}

/// What a file publishes, read as an input is.
pub fn of_file(
    path: &str,
    input: &InputSpec,
    (quasi, sensitive): (&[String], &[String]),
    who: Who<'_>,
) -> Result<Published> {
    let subject = match who {
        Who::Column(subject) => Some(subject.to_string()),
        Who::Nobody | Who::Rows(_) => None,
    };
    let input = InputSpec { path: path.to_string(), ..input.clone() };
    let request = TableAuditRequest {
        input: input.clone(),
        quasi: quasi.to_vec(),
        sensitive: sensitive.to_vec(),
        subject,
        ..TableAuditRequest::default()
    };
    let mut job = job_of(&request, &input);
    let read = read_columns(&mut job, &sfumato_core::observer::Unobserved);
    let raw = read
        .map_err(|error| match error.place.file {
            Some(_) => error,
            None => error.in_file(path),
        })?
        .raw;
    published(&raw, (quasi, sensitive), who, path)
}

/// The releases of a ledger's present chain, with their columns in this order.
pub fn of_ledger(ledger: &Ledger, quasi: &[String]) -> Result<Vec<Published>> {
    ledger.releases().into_iter().map(|recorded| of_record(recorded, quasi)).collect()
}

/// What a ledger recorded of a release.
pub fn of_record(recorded: &Recorded, quasi: &[String]) -> Result<Published> {
    let wrong = |what: &str| {
        Error::input(format!("what the ledger recorded of {} {what}", recorded.path))
            .hint("start another chain with 'sfumato ledger new-chain LEDGER', or another ledger")
    };
    if recorded.kind != "table" {
        return Err(wrong("isn't about a table"));
    }
    // Read in place: a ledger that knows who is who is large, and isn't copied.
    let mut found = Published::deserialize(&recorded.facts)
        .map_err(|error| wrong(&format!("can't be read: {error}")))?;
    let place = |name: &String| found.columns.iter().position(|column| column == name);
    let order: Option<Vec<usize>> = quasi.iter().map(place).collect();
    let Some(order) = order.filter(|order| order.len() == found.columns.len()) else {
        return Err(wrong("has other quasi columns"));
    };
    found.name = recorded.path.clone();
    if found.columns == quasi {
        return Ok(found);
    }
    let mut ordered = found.clone();
    ordered.columns = quasi.to_vec();
    ordered.texts = order.iter().map(|at| found.texts[*at].clone()).collect();
    if !found.labels.is_empty() {
        ordered.labels = order.iter().map(|at| found.labels[*at].clone()).collect();
    }
    for (class, old) in ordered.classes.iter_mut().zip(&found.classes) {
        class.cells = order.iter().map(|at| old.cells[*at]).collect();
    }
    Ok(ordered)
}

/// Note the leaves below published labels that don't say by themselves what they mean, so that
/// later releases, and the owner of the ledger, understand them.
pub fn note_labels(found: &mut Published, table: &Table) {
    let of_column = |(texts, column): (&Vec<String>, &&sfumato_core::dataset::Column)| {
        let mut noted: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let Some(tree) = &column.hierarchy else { return noted };
        for node in 0..tree.n_nodes() as u32 {
            let label = tree.label(node);
            let is_leaf = tree.leaves(node) == 1 && tree.level(node) == 0;
            if is_leaf || Cell::of_text(label) != Cell::Word || !texts.iter().any(|t| t == label) {
                continue;
            }
            let leaves = (tree.lo(node)..tree.hi(node)).map(|code| tree.label(tree.leaf(code)));
            let all = noted.entry(label.to_string()).or_default();
            all.extend(leaves.map(String::from));
            all.sort();
            all.dedup();
        }
        noted
    };
    found.labels = found.texts.iter().zip(&table.quasi()).map(of_column).collect();
}

/// What the texts of releases mean: the labels of the hierarchies that are named, where these have
/// labels of their own, what was noted with the releases, or what the texts say themselves.
pub fn meanings(releases: &[Published], named: &[(String, Call)]) -> Result<Vec<Meaning>> {
    let columns = releases.first().map_or(&[][..], |first| &first.columns);
    let meaning = |(name, noted): (&String, Meaning)| match levels_of(named, name)? {
        Some(levels) => Ok(Meaning::Labels(Labels::of_levels(&levels))),
        None => Ok(noted),
    };
    let noted = columns.iter().map(|name| noted_of(releases, name));
    columns.iter().zip(noted).map(meaning).collect()
}

/// The levels of the hierarchy that is named for a column. None if it is made from values: then its
/// labels are ranges or masks, which say what they mean.
fn levels_of(named: &[(String, Call)], column: &str) -> Result<Option<LevelTable>> {
    let Some((_, call)) = named.iter().find(|(name, _)| name == column) else { return Ok(None) };
    let none: [&str; 0] = [];
    let built = build_levels(&Job::default(), call, &Domain::of_texts(none), &[]);
    let levels = built
        .map_err(|error| Error {
            message: format!("column '{column}': {}", error.message),
            ..error
        })?
        .levels;
    Ok((levels.n_leaves() > 0).then_some(levels))
}

/// Note the leaves below labels of a release that was made elsewhere.
fn note_levels(found: &mut Published, named: &[(String, Call)]) -> Result<()> {
    for (name, _) in named {
        if !found.columns.contains(name) {
            return Err(Error::params(format!("'{name}' is no quasi column of the release"))
                .hint("name it with --qi, or leave its --hierarchy out"));
        }
    }
    let mut labels = Vec::with_capacity(found.columns.len());
    for (column, texts) in found.columns.iter().zip(&found.texts) {
        let mut noted: BTreeMap<String, Vec<String>> = BTreeMap::new();
        if let Some(levels) = levels_of(named, column)? {
            for text in texts.iter().filter(|text| Cell::of_text(text) == Cell::Word) {
                let below = leaves_below(&levels, text);
                if below.iter().any(|leaf| leaf != text) {
                    noted.insert(text.clone(), below);
                }
            }
        }
        labels.push(noted);
    }
    found.labels = labels;
    Ok(())
}

/// The texts of the leaves below a label, wherever it stands.
fn leaves_below(levels: &LevelTable, label: &str) -> Vec<String> {
    let mut found = std::collections::BTreeSet::new();
    let Some(leaves) = levels.levels.first() else { return Vec::new() };
    for level in &levels.levels {
        let below = level.iter().zip(leaves.iter()).filter(|(above, _)| *above == label);
        found.extend(below.map(|(_, leaf)| leaf.to_string()));
    }
    found.into_iter().collect()
}

/// What a file publishes, for a ledger to record, with what the labels of named hierarchies mean.
pub fn of_release(
    path: &str,
    columns: (&[String], &[String]),
    named: &[(String, Call)],
) -> Result<Published> {
    let mut found = in_order(&of_file(path, &InputSpec::default(), columns, Who::Nobody)?);
    note_levels(&mut found, named)?;
    Ok(found)
}

/// Bind a model without a table, for what it says of earlier releases: that depends on no column.
pub fn bind_about_earlier(model: &str) -> Result<Vec<Box<dyn Requirement>>> {
    let call: Call = model.parse()?;
    let found = crate::models::find(&call.name)?;
    if !found.info().about.asks.contains(&Fact::Earlier) {
        return Ok(Vec::new());
    }
    let domain = Domain::of_texts([""]);
    let on = call.args.get("on").map(ToString::to_string).unwrap_or_default();
    let column = SensitiveColumn { name: &on, domain: &domain, hierarchy: None, is_guard: false };
    let bind = Bind { quasi: Vec::new(), sensitive: vec![column] };
    found.bind(&Params::check(found.info(), &call.args)?, &bind)
}
