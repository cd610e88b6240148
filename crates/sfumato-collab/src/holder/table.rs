//! A holder's table, read and not yet encoded: which rows take part isn't known before the others
//! were asked.

use sfumato_core::column::{Codes, RawColumn, RawTable};
use sfumato_core::dataset::{Role, Table};
use sfumato_core::observer::{Observer, Unobserved};
use sfumato_core::{Error, Result};
use sfumato_engine::input::read_options;
use sfumato_engine::paths::resolve;
use sfumato_table::data::encode::encode;
use sfumato_table::data::read::read_from;
use sfumato_table::job::ColumnSpec;
use sfumato_table::sealed::{cell, lend};

use crate::job::HolderJob;
use crate::protocol::ColumnNote;

/// The name of a column that stands in where a holder has no quasi column.
const NOTHING: &str = "#nothing";

/// A holder's table.
pub struct Holding {
    /// Its holder.toml.
    pub job: HolderJob,
    raw: RawTable,
}

impl Holding {
    /// Read the table of a holder.toml.
    pub fn read(job: HolderJob, observer: &dyn Observer) -> Result<Self> {
        let path = resolve(&job.base, &job.input.path);
        let mut options = read_options(&job.input)?;
        for (name, spec) in &job.columns.0 {
            if let Some(written) = &spec.written {
                options.written.push((name.clone(), written.parse()?));
            }
        }
        let mut unknown = None;
        let mut select = |header: &[String]| {
            let spec = |name: &String| job.columns.get(name);
            unknown = header.iter().find(|name| spec(name).is_none()).cloned();
            Ok(header.iter().map(|name| spec(name).is_some()).collect())
        };
        let raw = sfumato_io::read(&path, &options, &mut select, observer)?;
        if let Some(name) = unknown {
            return Err(Error::params(format!("the column '{name}' has no role"))
                .in_file(path)
                .hint("say in [columns] of holder.toml what it is; identifier drops it"));
        }
        let missing = job.columns.0.iter().find(|(name, _)| raw.column(name).is_none());
        if let Some((name, _)) = missing {
            return Err(Error::params(format!("the table has no column '{name}'"))
                .in_file(path)
                .hint("take it out of [columns] of holder.toml"));
        }
        if raw.n_rows == 0 {
            return Err(Error::input("the file has a header and no rows").in_file(path));
        }
        let refused = job.columns.0.iter().find(|(_, spec)| {
            matches!(spec.role, Role::Subject | Role::Guard) || spec.shown_as.is_some()
        });
        if let Some((name, spec)) = refused {
            return Err(Error::unsupported(format!(
                "the column '{name}' is {}, which no collaboration takes yet",
                spec.role.name()
            ))
            .hint("give it another role in holder.toml"));
        }
        Ok(Holding { job, raw })
    }

    /// How many rows it has.
    pub fn n_rows(&self) -> usize {
        self.raw.n_rows
    }

    /// The columns of it that are published, with their roles.
    pub fn schema(&self) -> Vec<ColumnNote> {
        let published = self.job.columns.0.iter().filter(|(_, spec)| spec.role.is_published());
        published.map(|(name, spec)| ColumnNote { name: name.clone(), role: spec.role }).collect()
    }

    /// The specification of a column.
    pub fn spec(&self, name: &str) -> Option<&ColumnSpec> {
        self.job.columns.get(name)
    }

    fn column(&self, name: &str) -> Result<&RawColumn> {
        self.raw.column(name).ok_or_else(|| {
            Error::params(format!("{} has no column '{name}'", self.job.holder.name))
                .hint("all holders must have it, or the job must name another one")
        })
    }

    /// The texts of a column. A missing one is an error: it names nobody.
    pub fn texts(&self, name: &str) -> Result<Vec<String>> {
        let column = self.column(name)?;
        let text = |row: usize| match cell(column, row).map(str::trim) {
            None | Some("") => Err(Error::input(format!("the column '{name}' has an empty cell"))
                .at_line(row as u64 + 2)
                .hint("leave the row out, or write something that names it")),
            Some(text) => Ok(text.to_string()),
        };
        (0..self.raw.n_rows).map(text).collect()
    }

    /// Rows of it in another order, column by column.
    pub fn gather(&self, rows: &[u32]) -> Vec<RawColumn> {
        let gathered =
            |column: &RawColumn| RawColumn { codes: column.codes.gather(rows), ..column.clone() };
        self.raw.columns.iter().map(gathered).collect()
    }

    /// Rows of it as a table of codes, with only the columns of some roles. A missing cell of a
    /// typed file stays missing.
    pub fn encode(
        &self,
        columns: &[RawColumn],
        n_rows: usize,
        is_asked: impl Fn(&str, Role) -> bool,
    ) -> Result<Table> {
        let mut job = self.job.table_job(&is_asked, Vec::new());
        let is_in = |column: &&RawColumn| job.columns.get(&column.name).is_some();
        let mut asked: Vec<&RawColumn> = columns.iter().filter(is_in).collect();
        if asked.is_empty() {
            return Ok(Table { n_rows, columns: Vec::new(), subject: None });
        }
        // A table by itself needs a quasi column; a holder's part doesn't.
        let nothing = RawColumn {
            name: NOTHING.into(),
            codes: Codes::from_iter(1, std::iter::repeat_n(0, n_rows)),
            values: ["0"].into_iter().collect(),
            null: None,
            native_type: None,
        };
        if !job.columns.0.iter().any(|(_, spec)| spec.role == Role::Quasi) {
            job.columns.0.push((NOTHING.into(), ColumnSpec::of_role(Role::Quasi)));
            asked.push(&nothing);
        }
        let loan = lend(&asked, n_rows)?;
        job.input.path = loan.name().into();
        let dataset = read_from(&job, loan.name(), &Unobserved)?;
        let mut table = encode(&job, dataset)?.table;
        table.columns.retain(|column| column.name != NOTHING);
        Ok(table)
    }
}
