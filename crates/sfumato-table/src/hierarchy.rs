//! Hierarchies outside a run: build one from a column, load a file, check that it covers a column.

use sfumato_core::column::RawColumn;
use sfumato_core::dataset::{Domain, LevelTable, ValueKind};
use sfumato_core::observer::Observer;
use sfumato_core::registry::{Argument, Call};
use sfumato_core::{Error, Result};
use sfumato_hierarchy::{Unknown, attach};

use crate::data::encode::{build_levels, count, sort_domain};
use crate::job::{InputSpec, Job};
use sfumato_engine::input::read_options;

/// Build a hierarchy for a column of a file.
pub fn build(
    input: &InputSpec,
    column: &str,
    call: &Call,
    observer: &dyn Observer,
) -> Result<LevelTable> {
    let (domain, counts) = read_domain(input, column, observer)?;
    let mut levels = build_levels(&Job::default(), call, &domain, &counts)?.levels;
    let top = levels.levels.last();
    if top.is_some_and(|top| top.iter().any(|label| label != top.get(0))) {
        levels.levels.push((0..levels.n_leaves()).map(|_| "*").collect());
    }
    Ok(levels)
}

/// Load a hierarchy file: CSV in the layout of ARX, or a tree in TOML or JSON.
pub fn load(path: &str) -> Result<LevelTable> {
    let name = if path.ends_with(".toml") || path.ends_with(".json") { "tree" } else { "file" };
    let args =
        std::collections::BTreeMap::from([("path".to_string(), Argument::Word(path.to_string()))]);
    let empty = Domain::of_texts(Vec::<&str>::new());
    Ok(build_levels(&Job::default(), &Call { name: name.into(), args }, &empty, &[])?.levels)
}

/// Check that a hierarchy has every value of a column.
pub fn check_covers(
    levels: &LevelTable,
    file: &str,
    input: &InputSpec,
    column: &str,
    observer: &dyn Observer,
) -> Result<()> {
    let (domain, counts) = read_domain(input, column, observer)?;
    attach(levels, &domain, &counts, column, file, Unknown::Refuse).map(|_| ())
}

/// The distinct values of one column, in order, with their counts.
fn read_domain(
    input: &InputSpec,
    column: &str,
    observer: &dyn Observer,
) -> Result<(Domain, Vec<u64>)> {
    let mut select = |header: &[String]| {
        if !header.iter().any(|name| name == column) {
            return Err(Error::params(format!("the file has no column '{column}'"))
                .in_file(&input.path)
                .hint(format!("its columns are {}", header.join(", "))));
        }
        Ok(header.iter().map(|name| name == column).collect())
    };
    let raw = sfumato_io::read(&input.path, &read_options(input)?, &mut select, observer);
    let raw = raw?;
    let column: &RawColumn = &raw.columns[0];
    let is_missing = |(code, text): (usize, &str)| {
        Some(code as u32) == column.null
            || text.is_empty()
            || input.missing.iter().any(|token| token == text)
    };
    let missing: Vec<bool> = column.values.iter().enumerate().map(is_missing).collect();
    let texts =
        column.values.iter().zip(&missing).filter(|(_, missing)| !**missing).map(|(text, _)| text);
    let sorted = sort_domain(&column.values, &missing, ValueKind::infer(texts));
    let counts = count(&column.codes, &sorted);
    Ok((sorted.domain, counts))
}
