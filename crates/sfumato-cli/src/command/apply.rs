//! `sfumato apply RECODING DATA -o OUT`: publish new rows as an earlier release was published;
//! `--sql`: the recoding as a statement.

use clap::{Args, ValueEnum};
use sfumato_core::{Error, Result};
use sfumato_engine::apply::{ApplyRequest, Unseen};
use sfumato_kinds::RELEASES;
use sfumato_table::recoding_file::{self, Dialect};

use super::run::{refuse_two_on_stdout, show};
use super::{Context, print, set_threads};

#[derive(Args)]
pub struct Apply {
    /// The recoding, as saved by --save-recoding.
    #[arg(value_name = "RECODING")]
    recoding: String,
    /// The new rows.
    #[arg(value_name = "DATA", required_unless_present = "sql")]
    input: Option<String>,
    /// The release of the new rows; - for standard output.
    #[arg(short, long, value_name = "OUT", required_unless_present = "sql")]
    output: Option<String>,
    /// Print the recoding as an SQL statement for data in a database, where each column is recoded
    /// by itself.
    #[arg(long, conflicts_with_all =
        ["input", "output", "unseen", "max_suppression", "seed", "keep_order", "report", "json"])]
    sql: bool,
    /// The table that the statement reads: people or schema.people.
    #[arg(long, value_name = "NAME", requires = "sql", conflicts_with_all =
        ["input", "output"], default_value = "data")]
    table: String,
    /// The kind of SQL.
    #[arg(long, value_enum, requires = "sql", conflicts_with_all =
        ["input", "output"], default_value = "ansi")]
    dialect: SqlDialect,
    /// What happens to rows that the recoding has no place for.
    #[arg(long, value_enum, default_value = "refuse")]
    unseen: OnUnseen,
    /// How many rows may be suppressed: 5% or 150 [default: 0]
    #[arg(long, value_name = "SHARE")]
    max_suppression: Option<String>,
    /// Makes the run repeatable to the byte. Not for release.
    #[arg(long, value_name = "N", value_parser =
        clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Leave the rows in their order. It may tell who is who; the report notes it.
    #[arg(long)]
    keep_order: bool,
    /// The private report: .html or .json.
    #[arg(long, value_name = "FILE")]
    report: Option<String>,
    /// Print the private report to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum OnUnseen {
    /// Stop and say how many there are.
    Refuse,
    /// Put them into the region that grows least, or the nearest range of a column that is recoded
    /// by itself.
    Extend,
    /// Suppress them, within --max-suppression.
    Drop,
}

#[derive(Clone, Copy, ValueEnum)]
enum SqlDialect {
    /// Standard SQL with window functions.
    Ansi,
    /// DuckDB.
    Duckdb,
    /// PostgreSQL.
    #[value(alias = "postgres")]
    Postgresql,
    /// Spark SQL, and Databricks.
    Spark,
    /// BigQuery.
    Bigquery,
}

impl From<SqlDialect> for Dialect {
    fn from(dialect: SqlDialect) -> Self {
        match dialect {
            SqlDialect::Ansi => Dialect::Ansi,
            SqlDialect::Duckdb => Dialect::DuckDb,
            SqlDialect::Postgresql => Dialect::PostgreSql,
            SqlDialect::Spark => Dialect::Spark,
            SqlDialect::Bigquery => Dialect::BigQuery,
        }
    }
}

impl Apply {
    pub fn run(self, context: &Context) -> Result<u8> {
        if self.sql {
            let file = recoding_file::load(&self.recoding)?;
            print(&recoding_file::to_sql(&file, &self.table, self.dialect.into())?)?;
            return Ok(0);
        }
        let (Some(input), Some(output)) = (self.input, self.output) else {
            return Err(Error::params("apply needs DATA and -o OUT, or --sql"));
        };
        refuse_two_on_stdout(Some(&output), self.json)?;
        let request = ApplyRequest {
            recoding: sfumato_io::read_text(&self.recoding)?,
            file: self.recoding,
            input,
            output,
            report: self.report,
            unseen: match self.unseen {
                OnUnseen::Refuse => Unseen::Refuse,
                OnUnseen::Extend => Unseen::Extend,
                OnUnseen::Drop => Unseen::Drop,
            },
            max_suppression: self.max_suppression,
            seed: self.seed,
            keep_order: self.keep_order,
        };
        set_threads(context, request.job()?.threads())?;
        let report = RELEASES.apply(&request, &context.progress)?;
        show(&report, self.json, context)?;
        Ok(0)
    }
}
