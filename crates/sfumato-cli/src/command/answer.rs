//! `sfumato answer TABLE 'QUERY' --log LOG`: answers instead of data, with an auditor or with
//! noise; `--audit` judges what was answered, `--reconstruct` shows why answers are capped.

use std::fmt::Write as _;

use clap::Args;
use sfumato_core::observer::Unobserved;
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_engine::job::InputSpec;
use sfumato_table::answers::offline::{Audited, OfflineRequest, audit};
use sfumato_table::answers::{AnswerRequest, Answered, Asked, UNITS, answer, reconstruct};

use super::{Context, print, print_words, to_json};

#[derive(Args)]
pub struct Answer {
    /// The private table.
    #[arg(value_name = "TABLE", required_unless_present = "audit")]
    file: Option<String>,
    /// count, sum(COLUMN), avg(COLUMN), min(COLUMN) or max(COLUMN), and 'where age >= 40 and
    /// sex = m'.
    #[arg(value_name = "QUERY", required_unless_present_any = ["audit", "reconstruct"])]
    query: Option<String>,
    /// The log of all queries. It is begun if it isn't there; only its owner can read it.
    #[arg(long, value_name = "LOG", required_unless_present_any = ["audit", "reconstruct"])]
    log: Option<String>,
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
    /// Answer with noise, and spend at most so much on all answers together.
    #[arg(long, value_name = "E", value_parser = epsilon)]
    epsilon: Option<u64>,
    /// What this answer may cost of the budget (a tenth of all without it).
    #[arg(long, value_name = "E", value_parser = epsilon)]
    spend: Option<u64>,
    /// Between what a record adds to a sum with noise; numbers beyond count as the bound.
    #[arg(long, value_name = "LOW..HIGH", value_parser = bounds, allow_hyphen_values = true)]
    bounds: Option<(String, String)>,
    /// Judge what a log, or a list of queries about the table, told; several are pooled.
    #[arg(long, value_name = "LOG", conflicts_with_all = ["query", "log", "epsilon", "spend"])]
    audit: Vec<String>,
    /// Show how much of a secret condition comes back from counts over random sets.
    #[arg(long, value_name = "CONDITION", conflicts_with_all = ["query", "log", "audit"])]
    reconstruct: Option<String>,
    /// How many counts the reconstruction uses (four for each record without it).
    #[arg(long, value_name = "N", value_parser = super::flags::whole, requires = "reconstruct")]
    counts: Option<u64>,
    /// How much each count is wrong at most (0 without it).
    #[arg(long, value_name = "N", value_parser = super::flags::whole, requires = "reconstruct")]
    error: Option<u64>,
    /// What separates the cells of the table.
    #[arg(long, value_name = "C")]
    delimiter: Option<char>,
    /// Print the answer to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

/// An epsilon, in millionths.
fn epsilon(text: &str) -> std::result::Result<u64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (1e-6..=1000.0).contains(number));
    number
        .map(|number| (number * UNITS as f64) as u64)
        .ok_or_else(|| "an epsilon from 0.000001 to 1000 is needed, such as 0.5".into())
}

fn bounds(text: &str) -> std::result::Result<(String, String), String> {
    let both = text.split_once("..").map(|(low, high)| (low.to_string(), high.to_string()));
    both.ok_or_else(|| "two numbers are needed, such as 0..100".into())
}

impl Answer {
    pub fn run(self, context: &Context) -> Result<u8> {
        if !self.audit.is_empty() {
            return self.audited();
        }
        if let Some(condition) = &self.reconstruct {
            return self.reconstructed(condition);
        }
        let json = self.json;
        self.answered(answer(&self.request()?, &context.progress)?, json)
    }

    fn input(&self) -> Option<InputSpec> {
        let path = self.file.clone()?;
        Some(InputSpec { path, delimiter: self.delimiter, ..InputSpec::default() })
    }

    fn request(&self) -> Result<AnswerRequest> {
        let missing = || Error::params("a table, a query and a log are needed");
        Ok(AnswerRequest {
            input: self.input().ok_or_else(missing)?,
            query: self.query.clone().ok_or_else(missing)?,
            log: self.log.clone().ok_or_else(missing)?,
            policy: Asked {
                min_set: self.min_set,
                max_overlap: self.max_overlap,
                max_answers: self.max_answers,
                id: self.id.clone(),
                budget: self.epsilon,
            },
            spend: self.spend,
            bounds: self.bounds.clone(),
        })
    }

    fn answered(&self, answered: Answered, json: bool) -> Result<u8> {
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

    fn audited(&self) -> Result<u8> {
        let (logs, table, min_set) = (self.audit.clone(), self.input(), self.min_set);
        let found = audit(&OfflineRequest { logs, table, min_set }, &Unobserved)?;
        match self.json {
            true => print(&(to_json(&found)? + "\n"))?,
            false => print_words(&words(&found))?,
        }
        Ok(if found.holds { 0 } else { ErrorKind::Infeasible.exit_code() })
    }

    fn reconstructed(&self, condition: &str) -> Result<u8> {
        let input = self.input().ok_or_else(|| Error::params("a table is needed"))?;
        let error = self.error.unwrap_or(0);
        let found = reconstruct(&input, condition, self.counts, error, &Unobserved)?;
        match self.json {
            true => print(&(to_json(&found)? + "\n"))?,
            false => print_words(&format!(
                "records    {}\nanswers    {}, each wrong by at most {}\nrebuilt    {:.1} % of the \
                 records\nguessed    {:.1} % by whoever knows only how many there are\n",
                found.records,
                found.answers,
                found.error,
                100.0 * found.rebuilt,
                100.0 * found.guessed
            ))?,
        }
        Ok(0)
    }
}

/// What an audit found, in words.
fn words(found: &Audited) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "queries    {} answered, {} denied", found.answered, found.denied);
    if found.epsilon > 0.0 {
        let _ = writeln!(text, "epsilon    {} spent", found.epsilon);
    }
    if found.small_counts > 0 {
        let _ = writeln!(text, "counts     {} are about too few records", found.small_counts);
    }
    for told in &found.columns {
        let _ = writeln!(text, "{} ({} answers)", told.column, told.answers);
        for group in &told.disclosed {
            let records: Vec<String> = group.iter().map(u64::to_string).collect();
            let _ = writeln!(text, "  tells record {}", records.join(" and "));
        }
        if let Some(why) = &told.not_judged {
            let _ = writeln!(text, "  not judged: {why}");
        }
    }
    let verdict = if found.holds { "nothing was disclosed" } else { "it doesn't hold" };
    let _ = writeln!(text, "verdict    {verdict}");
    text
}
