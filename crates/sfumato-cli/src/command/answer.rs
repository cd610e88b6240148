//! `sfumato answer TABLE 'QUERY' --log LOG`: answers instead of data, with an auditor.

use clap::Args;
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_engine::job::InputSpec;
use sfumato_table::answers::{AnswerRequest, Asked, answer};

use super::{Context, print, to_json};

#[derive(Args)]
pub struct Answer {
    /// The private table.
    #[arg(value_name = "TABLE")]
    file: String,
    /// count, sum(COLUMN) or avg(COLUMN), and 'where age >= 40 and sex = m'.
    #[arg(value_name = "QUERY")]
    query: String,
    /// The log of all queries. It is begun if it isn't there; only its owner can read it.
    #[arg(long, value_name = "LOG")]
    log: String,
    /// The smallest set of records that is answered about, and that is left out (3 without it).
    #[arg(long, value_name = "N", value_parser = super::flags::whole)]
    min_set: Option<u64>,
    /// How many records two sets may share at most; any number without it.
    #[arg(long, value_name = "N", value_parser = super::flags::whole)]
    max_overlap: Option<u64>,
    /// How many answers are given at most; then the service is closed.
    #[arg(long, value_name = "N", value_parser = super::flags::whole)]
    max_answers: Option<u64>,
    /// The column that says which record is which, so that the table may change.
    #[arg(long, value_name = "COLUMN")]
    id: Option<String>,
    /// What separates the cells of the table.
    #[arg(long, value_name = "C")]
    delimiter: Option<char>,
    /// Print the answer to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Answer {
    pub fn run(self, context: &Context) -> Result<u8> {
        let Answer { file, query, log, min_set, max_overlap, max_answers, id, delimiter, json } =
            self;
        let input = InputSpec { path: file, delimiter, ..InputSpec::default() };
        let policy = Asked { min_set, max_overlap, max_answers, id };
        let request = AnswerRequest { input, query, log, policy };
        let answered = answer(&request, &context.progress)?;
        if json {
            print(&(to_json(&answered)? + "\n"))?;
        }
        if let Some(reason) = &answered.reason {
            if json {
                return Ok(ErrorKind::Infeasible.exit_code());
            }
            return Err(Error::infeasible(format!("the query is denied: {reason}"))
                .hint("ask about more records, or about others than those of earlier queries"));
        }
        match answered.answer {
            Some(found) if !json => print(&format!("{found}\n"))?,
            _ => {}
        }
        Ok(0)
    }
}
