//! Reads paths from lines: the steps of each, one after the other, without times.

use sfumato_core::column::RawTable;
use sfumato_core::{Error, FastMap, Result};

use super::layout::{Label, Layout};
use super::read::{Loaded, ReleaseLayout};
use super::{PathData, Paths, SensitiveColumn, Step};

/// A character that no line has: a line is read as one cell.
pub const NEVER: u8 = 0x1F;

/// The name of the sensitive value of a line.
pub const LABEL: &str = "label";

/// The words of a line.
fn words(line: &str, separator: Option<char>) -> Vec<&str> {
    match separator {
        None => line.split_whitespace().collect(),
        Some(_) if line.trim().is_empty() => Vec::new(),
        Some(separator) => line.split(separator).map(str::trim).collect(),
    }
}

/// The paths of lines.
pub fn of_table(
    table: RawTable,
    separator: Option<char>,
    label: Option<Label>,
    layout: &Layout,
) -> Result<Loaded> {
    let Some(column) = table.columns.first() else {
        return Err(Error::input("the file has no lines"));
    };
    let mut codes: FastMap<&str, u32> = FastMap::default();
    let mut labels: FastMap<&str, u32> = FastMap::default();
    let (mut places, mut values) = (Vec::new(), Vec::new());
    // Each different line is taken apart once.
    let mut lines: Vec<(Vec<u32>, u32)> = Vec::with_capacity(column.values.len());
    for (code, line) in (0..).zip(column.values.iter()) {
        let wrong = |message: &str| {
            let line = column.codes.iter().position(|other| other == code).unwrap_or(0) + 1;
            Error::input(message).at_line(line as u64)
        };
        let mut all = words(line, separator);
        let value = match label {
            None => 0,
            Some(label) => {
                if all.is_empty() {
                    return Err(wrong("this line has no sensitive value"));
                }
                let at = if label == Label::First { 0 } else { all.len() - 1 };
                let word = all.remove(at);
                *labels.entry(word).or_insert_with(|| {
                    values.push(word.to_string());
                    values.len() as u32 - 1
                })
            }
        };
        if all.contains(&"") {
            return Err(wrong("this line has a step without a name"));
        }
        let path = all.into_iter().map(|word| {
            *codes.entry(word).or_insert_with(|| {
                places.push(word.to_string());
                places.len() as u32 - 1
            })
        });
        lines.push((path.collect(), value));
    }
    let paths: Paths =
        column.codes.iter().map(|line| lines[line as usize].0.iter().copied()).collect();
    let sensitive = label.map(|_| SensitiveColumn {
        name: LABEL.into(),
        is_missing: values.iter().map(String::is_empty).collect(),
        values,
        of_record: column.codes.iter().map(|line| lines[line as usize].1).collect(),
        native_type: None,
    });
    let steps = (0..places.len() as u32).map(|place| Step { time: 0, place }).collect();
    Ok(Loaded {
        data: PathData {
            places,
            times: Vec::new(),
            steps,
            paths,
            sensitive: sensitive.into_iter().collect(),
            quasi: Vec::new(),
        },
        tracks: None,
        regions: None,
        release: ReleaseLayout { layout: layout.clone(), columns: Vec::new() },
        generalized: Vec::new(),
        repeated: 0,
        in_order: true,
        is_numbered: true,
        source: table.source,
    })
}
