//! The paper's data at a smaller scale: with a thousandth of the records, amounts are written in
//! thousands, so that values repeat as often as in the paper.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use sfumato_core::dataset::Role;
use sfumato_core::observer::Observer;
use sfumato_core::registry::{Argument, Params};
use sfumato_core::{Error, Result};
use sfumato_generate::{find, generate};
use sfumato_table::job::ColumnSpec;

use crate::bench::{QUASI, Sheet, column, generated};

/// The columns that are written in larger units.
const AMOUNTS: [&str; 4] = ["salary", "commission", "hvalue", "loan"];

/// What the paper's sizes become where its largest input becomes a smaller one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scaled {
    /// Records that fit in memory: TM, two million in the paper.
    pub partition_rows: u64,
    /// The least class: a thousand.
    pub k: u64,
    /// What amounts are divided by.
    pub unit: u64,
}

impl Scaled {
    /// The paper's sizes, scaled from `paper_rows` records to `rows`.
    pub fn of(rows: u64, paper_rows: u64) -> Self {
        let share = |of_paper: u64| {
            u64::try_from(u128::from(of_paper) * u128::from(rows) / u128::from(paper_rows))
                .unwrap_or(of_paper)
        };
        Scaled {
            partition_rows: share(2_000_000).clamp(20, 2_000_000),
            k: share(1000).clamp(2, 1000),
            unit: (paper_rows / rows.max(1)).clamp(1, 5000),
        }
    }
}

/// The nine columns as numbers, and labels of role target.
pub fn numeric(labels: &[&str]) -> Vec<(String, ColumnSpec)> {
    let quasi = QUASI.iter().map(|name| column(name, Role::Quasi));
    quasi.chain(labels.iter().map(|label| column(label, Role::Target))).collect()
}

/// Generated rows with amounts in a unit.
pub fn sheet(label: &str, rows: u64, seed: u64, unit: u64) -> Result<Sheet> {
    let mut sheet = generated(label, rows, seed, None)?;
    if unit > 1 {
        for name in AMOUNTS {
            sheet.change(name, |text| in_unit(text, unit))?;
        }
    }
    Ok(sheet)
}

/// Write the data as a file, of any length.
pub fn write_csv(
    path: &Path,
    label: &str,
    rows: u64,
    seed: u64,
    unit: u64,
    observer: &dyn Observer,
) -> Result<()> {
    let generator = find("agrawal")?;
    let args = BTreeMap::from([("label".to_string(), Argument::Word(label.to_string()))]);
    let params = Params::check(generator.info(), &args)?;
    let file = File::create(path).map_err(|error| Error::io(path, "make this file", &error))?;
    let mut out = InUnit { out: BufWriter::new(file), unit, line: Vec::new(), amounts: None };
    generate(generator, &params, rows, seed, &mut out, observer)?;
    out.out.flush().map_err(|error| Error::io(path, "write this file", &error))
}

fn in_unit(text: &str, unit: u64) -> String {
    text.parse::<u64>().map_or_else(|_| text.to_string(), |amount| (amount / unit).to_string())
}

/// Divides amounts line by line.
struct InUnit<W> {
    out: W,
    unit: u64,
    line: Vec<u8>,
    /// Which cells are amounts, once the header was seen.
    amounts: Option<Vec<bool>>,
}

impl<W: Write> InUnit<W> {
    fn end_line(&mut self) -> std::io::Result<()> {
        let line = String::from_utf8_lossy(&self.line).into_owned();
        let cells: Vec<&str> = line.trim_end().split(',').collect();
        let text = match &self.amounts {
            None => {
                self.amounts = Some(cells.iter().map(|name| AMOUNTS.contains(name)).collect());
                cells.join(",")
            }
            Some(amounts) => {
                let cell = |(cell, is_amount): (&&str, &bool)| match is_amount {
                    true => in_unit(cell, self.unit),
                    false => (*cell).to_string(),
                };
                cells.iter().zip(amounts).map(cell).collect::<Vec<String>>().join(",")
            }
        };
        self.line.clear();
        writeln!(self.out, "{text}")
    }
}

impl<W: Write> Write for InUnit<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.unit <= 1 {
            return self.out.write(bytes);
        }
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.end_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_core::observer::Unobserved;

    #[test]
    fn files_and_sheets_hold_the_same_amounts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.csv");
        for unit in [1, 250] {
            write_csv(&path, "c2", 300, 7, unit, &Unobserved).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(Sheet::parse(&text), sheet("c2", 300, 7, unit).unwrap());
        }
        let salaries = sheet("none", 300, 7, 250).unwrap().numbers("salary").unwrap();
        assert!(salaries.iter().all(|salary| (80.0..=600.0).contains(salary)));
    }

    #[test]
    fn the_paper_is_the_paper() {
        let paper = Scaled { partition_rows: 2_000_000, k: 1000, unit: 1 };
        assert_eq!(Scaled::of(50_000_000, 50_000_000), paper);
        assert_eq!(
            Scaled::of(100_000, 50_000_000),
            Scaled { partition_rows: 4000, k: 2, unit: 500 }
        );
    }
}
