//! Releases with different columns: the sheet of a file, and several sheets joined, with the
//! relation between their texts resolved.

use sfumato_core::chain::{Published, PublishedClass};
use sfumato_core::column::{RawColumn, RawTable};
use sfumato_core::joined::{Apart, Attribute, JoinAsked, Joined, JoinedRelease, Sheet};
use sfumato_core::{Error, FastMap, FastSet, Result};

use super::cells::Cell;
use super::past::{Meaning, cell, meets, numbered};
use super::published::{BETWEEN, texts};

/// The most different texts of one column that are compared with each other.
const MOST_TEXTS: usize = 20_000;

/// All columns of a file.
pub fn sheet(raw: &RawTable) -> Sheet {
    let columns: Vec<&RawColumn> = raw.columns.iter().collect();
    let mut rows: FastMap<Vec<u32>, u64> = FastMap::default();
    for row in 0..raw.n_rows {
        let cells = columns.iter().map(|column| column.codes.get(row)).collect();
        *rows.entry(cells).or_default() += 1;
    }
    let mut rows: Vec<(Vec<u32>, u64)> = rows.into_iter().collect();
    rows.sort_unstable();
    Sheet {
        columns: columns.iter().map(|column| column.name.clone()).collect(),
        texts: columns.iter().map(|column| texts(column)).collect(),
        rows,
    }
}

/// The sheet of a release: what was noted with it, or its quasi and sensitive columns.
pub fn sheet_of(release: &Published) -> Result<Sheet> {
    if let Some(sheet) = &release.sheet {
        return Ok(sheet.clone());
    }
    let n = release.sensitive.len();
    let parts: Vec<Vec<&str>> =
        release.values.iter().map(|value| value.split(BETWEEN).collect()).collect();
    let has_none = n == 0 && release.values.iter().all(String::is_empty);
    if !has_none && parts.iter().any(|parts| parts.len() != n) {
        return Err(Error::input(format!(
            "{}: the names of its sensitive columns weren't noted, so it can't be joined",
            release.name
        ))
        .hint("record it again with 'sfumato ledger add', or name its file in 'before'"));
    }
    let mut texts = release.texts.clone();
    let mut code: Vec<Vec<u32>> = Vec::with_capacity(n);
    for at in 0..n {
        let own: Vec<String> = parts.iter().map(|parts| parts[at].to_string()).collect();
        let (all, mut number) = numbered(&[own.as_slice()]);
        texts.push(all.into_iter().map(String::from).collect());
        code.extend(number.pop());
    }
    let of_class = |class: &PublishedClass| {
        let rows = class.values.iter().map(|(value, n)| {
            let secrets = code.iter().map(|codes| codes[*value as usize]);
            (class.cells.iter().copied().chain(secrets).collect(), *n)
        });
        rows.collect::<Vec<(Vec<u32>, u64)>>()
    };
    Ok(Sheet {
        columns: release.columns.iter().chain(&release.sensitive).cloned().collect(),
        texts,
        rows: release.classes.iter().flat_map(of_class).collect(),
    })
}

/// The columns that decide what is asked: those of X and Y, those that several releases have, and
/// those with values that nobody has together.
fn kept<'a>(sheets: &[(String, &'a Sheet)], asked: &[JoinAsked]) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for (at, (_, sheet)) in sheets.iter().enumerate() {
        for name in &sheet.columns {
            let is_common = sheets
                .iter()
                .enumerate()
                .any(|(other, (_, sheet))| other != at && sheet.columns.contains(name));
            let is_asked = asked.iter().any(|asked| {
                let apart = asked.apart.iter().flatten().map(|(column, _)| column);
                asked.x.iter().chain(&asked.y).chain(apart).any(|column| column == name)
            });
            if (is_common || is_asked) && !found.contains(&name.as_str()) {
                found.push(name);
            }
        }
    }
    found
}

/// Join sheets. `meaning` says what the texts of a column mean.
pub fn joined(
    sheets: &[(String, &Sheet)],
    asked: &[JoinAsked],
    meaning: &dyn Fn(&str) -> Result<Meaning>,
) -> Result<Joined> {
    let names = kept(sheets, asked);
    let mut attributes: Vec<Attribute> = Vec::with_capacity(names.len());
    let mut cells_of: Vec<Vec<Cell>> = Vec::with_capacity(names.len());
    // For each attribute the number of each text of each sheet that has it.
    let mut numbers: Vec<FastMap<usize, Vec<u32>>> = Vec::with_capacity(names.len());
    for name in &names {
        let place = |sheet: &Sheet| sheet.columns.iter().position(|column| column == name);
        let having: Vec<(usize, &[String])> = sheets
            .iter()
            .enumerate()
            .filter_map(|(at, (_, sheet))| Some((at, sheet.texts[place(sheet)?].as_slice())))
            .collect();
        let of_sheets: Vec<&[String]> = having.iter().map(|(_, texts)| *texts).collect();
        let (texts, number) = numbered(&of_sheets);
        let meaning = meaning(name)?;
        let is_common = having.len() > 1;
        if is_common && texts.len() > MOST_TEXTS {
            return Err(Error::resources(format!(
                "column '{name}': {} different texts are too many to be compared with each other",
                texts.len()
            ))
            .hint("generalize it, or leave it out of one of the releases"));
        }
        let cells = texts.iter().map(|text| match is_common {
            true => cell(name, &meaning, text),
            // Where nothing is compared, nothing has to be understood.
            false => Ok(cell(name, &meaning, text).unwrap_or(Cell::Word)),
        });
        let cells: Vec<Cell> = cells.collect::<Result<_>>()?;
        let are_numbers = cells.iter().any(|cell| matches!(cell, Cell::Span(_)))
            && texts
                .iter()
                .zip(&cells)
                .all(|(text, cell)| text.is_empty() || matches!(cell, Cell::Span(_) | Cell::Any));
        let is_compared = !are_numbers || asked.iter().any(|asked| asked.numbers);
        let meets = match is_common && is_compared {
            true => Some(meets(name, &meaning, &texts, &number, 0)?),
            false => None,
        };
        attributes.push(Attribute {
            name: (*name).to_string(),
            texts: texts.iter().map(|text| (*text).to_string()).collect(),
            meets,
        });
        cells_of.push(cells);
        numbers.push(having.iter().map(|(at, _)| *at).zip(number).collect());
    }
    let release = |(at, (name, sheet)): (usize, &(String, &Sheet))| {
        let own: Vec<(usize, usize)> = (0..names.len())
            .filter_map(|attribute| {
                let place = sheet.columns.iter().position(|column| column == names[attribute])?;
                Some((attribute, place))
            })
            .collect();
        let mut rows: FastMap<Vec<u32>, u64> = FastMap::default();
        for (row, n) in &sheet.rows {
            let cells =
                own.iter().map(|(attribute, place)| numbers[*attribute][&at][row[*place] as usize]);
            *rows.entry(cells.collect()).or_default() += n;
        }
        let mut rows: Vec<(Vec<u32>, u64)> = rows.into_iter().collect();
        rows.sort_unstable();
        let attributes = own.into_iter().map(|(attribute, _)| attribute).collect();
        JoinedRelease { name: name.clone(), attributes, rows }
    };
    let releases = sheets.iter().enumerate().map(release).collect();
    let mut found = Joined { attributes, releases, apart: Vec::new() };
    let pairs: FastSet<&[(String, String); 2]> =
        asked.iter().flat_map(|asked| &asked.apart).collect();
    let mut pairs: Vec<_> = pairs.into_iter().collect();
    pairs.sort_unstable();
    for [(one, a), (other, b)] in pairs {
        let attributes = [found.attribute(one)?, found.attribute(other)?];
        let below = |attribute: usize, value: &str, name: &str| -> Result<Vec<u32>> {
            let above = cell(name, &meaning(name)?, value)?;
            let texts = (0u32..).zip(&found.attributes[attribute].texts);
            let own = texts
                .zip(&cells_of[attribute])
                .filter(|((_, text), cell)| text.as_str() == value || above.is_above(cell));
            Ok(own.map(|((number, _), _)| number).collect())
        };
        let (a, b) = (below(attributes[0], a, one)?, below(attributes[1], b, other)?);
        let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (*a, *b))).collect();
        found.apart.push(Apart { attributes, pairs });
    }
    Ok(found)
}
