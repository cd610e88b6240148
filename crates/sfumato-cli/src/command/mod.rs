//! The commands, one file each.

mod anonymize;
mod apply;
mod audit;
mod basket_flags;
mod bucket_flags;
mod cluster;
mod completions;
mod data_flags;
mod demo;
mod evaluate;
mod explain;
mod explore;
mod generate;
mod hierarchy;
mod init;
mod input_flags;
mod list;
mod memory_flags;
mod out_folder;
mod query;
mod reduce;
mod reproduce;
mod run;
mod serve_sets;

use clap::{Parser, Subcommand};
use sfumato_core::{Error, Result};
use sfumato_table::job::Effort;

use crate::progress::Progress;

/// Publish personal data so that nobody in it can be singled out, and keep it useful.
#[derive(Parser)]
#[command(name = "sfumato", version, max_term_width = 110)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// How many threads; all cores without it.
    #[arg(long, global = true, value_name = "N")]
    threads: Option<usize>,
    /// No progress, no summary: only errors.
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[derive(Subcommand)]
enum Command {
    /// A first run with nothing at hand: generate, anonymize, verify, report
    Demo(demo::Demo),
    /// Look at a file, guess types, roles and hierarchies, and write a commented release.toml
    Init(init::Init),
    /// Read, anonymize, verify, measure, write, report: everything from a release.toml
    Run(run::Run),
    /// Read, anonymize, verify, measure, write, report: everything from flags; --print-job shows
    /// the release.toml they stand for
    Anonymize(Box<anonymize::Anonymize>),
    /// The plan of a release.toml, without running it
    Explain(explain::Explain),
    /// What k costs: loss and risk of several algorithms for several k, as a table and a picture
    Explore(Box<explore::Explore>),
    /// What can be learnt of a release: the recipient's tasks done on held-out rows, by algorithm
    /// and learner
    Evaluate(Box<evaluate::Evaluate>),
    /// Whether the clusters of the data survive anonymizing, with algorithms that know them and
    /// that don't
    Cluster(Box<cluster::Cluster>),
    /// Multiply columns of numbers by a random matrix: distances stay, nothing is promised
    Reduce(reduce::Reduce),
    /// Measure what any release really promises, ours or another tool's
    Audit(audit::Audit),
    /// Ask a release: counts, sums, means and extremes, with an estimate and bounds
    Query(query::Query),
    /// Apply a saved recoding to new rows
    Apply(apply::Apply),
    /// Build, check or draw a hierarchy
    Hierarchy(hierarchy::Hierarchy),
    /// The catalogue, with papers
    List(list::List),
    /// Synthetic data of a stated shape, seeded
    Generate(generate::Generate),
    /// Experiments of papers, run again: their figures as tables and pictures, beside what the
    /// papers say
    Reproduce(reproduce::Reproduce),
    /// Sets of items on demand, over HTTP on this machine: each held by at least k records
    ServeSets(serve_sets::ServeSets),
    /// Completions for a shell
    Completions(completions::Completions),
}

/// What every command has at hand: the progress bar, and the global flags.
pub struct Context {
    /// Shows how far a run is.
    pub progress: Progress,
    /// Whether to print only errors.
    pub quiet: bool,
    /// The number of threads asked for.
    pub threads: Option<usize>,
}

impl Context {
    /// Print a text for the person at the terminal.
    pub fn say(&self, text: &str) {
        if !self.quiet {
            eprintln!("{text}");
        }
    }
}

/// Run a command line.
pub fn run(arguments: Arguments) -> Result<u8> {
    let context = Context {
        progress: Progress::new(arguments.quiet),
        quiet: arguments.quiet,
        threads: arguments.threads,
    };
    match arguments.command {
        Command::Demo(command) => command.run(&context),
        Command::Init(command) => command.run(&context),
        Command::Run(command) => command.run(&context),
        Command::Anonymize(command) => command.run(&context),
        Command::Explain(command) => command.run(&context),
        Command::Explore(command) => command.run(&context),
        Command::Evaluate(command) => command.run(&context),
        Command::Cluster(command) => command.run(&context),
        Command::Reduce(command) => command.run(&context),
        Command::Audit(command) => command.run(&context),
        Command::Query(command) => command.run(&context),
        Command::Apply(command) => command.run(&context),
        Command::Hierarchy(command) => command.run(&context),
        Command::List(command) => command.run(&context),
        Command::Generate(command) => command.run(&context),
        Command::Reproduce(command) => command.run(&context),
        Command::ServeSets(command) => command.run(&context),
        Command::Completions(command) => command.run(&context),
    }
}

/// The largest number of threads that is accepted. More can only be a mistake, and would need
/// gigabytes for their stacks.
const MOST_THREADS: usize = 1024;

/// Start as many threads as were asked for: by the flag, or else by the job.
pub fn set_threads(context: &Context, job: Option<usize>) -> Result<()> {
    match context.threads.or(job) {
        None => Ok(()),
        Some(n) if n == 0 || n > MOST_THREADS => {
            Err(Error::params(format!("threads must be from 1 to {MOST_THREADS}, not {n}")))
        }
        Some(n) => rayon::ThreadPoolBuilder::new()
            .num_threads(n)
            .build_global()
            .map_err(|error| Error::resources(format!("can't start {n} threads: {error}"))),
    }
}

/// Write to standard output. A reader that closed the stream is no error.
pub fn print(text: &str) -> Result<()> {
    use std::io::Write as _;
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::io(std::path::Path::new("standard output"), "write", &error))
        }
        _ => Ok(()),
    }
}

/// A value as JSON for standard output.
pub fn to_json<T: serde::Serialize>(value: &T) -> Result<String> {
    serde_json::to_string_pretty(value)
        .map_err(|error| Error::internal(format!("the answer can't be written: {error}")))
}

/// Split `a,b,c` and `--flag a --flag b` alike; a name with a comma is written in double quotes.
pub fn names(given: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    for list in given {
        let (mut name, mut quoted, mut was_quoted) = (String::new(), false, false);
        let mut chars = list.chars().peekable();
        loop {
            match chars.next() {
                Some('"') if quoted && chars.peek() == Some(&'"') => name.extend(chars.next()),
                Some('"') if quoted || name.trim().is_empty() => {
                    quoted = !quoted;
                    was_quoted = true;
                }
                Some(c) if c != ',' || quoted => name.push(c),
                end => {
                    let taken = std::mem::take(&mut name);
                    let taken = if was_quoted { taken } else { taken.trim().to_string() };
                    if !taken.is_empty() {
                        names.push(taken);
                    }
                    was_quoted = false;
                    if end.is_none() {
                        break;
                    }
                }
            }
        }
    }
    names
}

/// Yes or no on the command line.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum YesOrNo {
    /// Yes.
    Yes,
    /// No.
    No,
}

impl YesOrNo {
    /// Whether the answer is yes.
    pub fn is_yes(self) -> bool {
        matches!(self, YesOrNo::Yes)
    }
}

/// How long to look for a better recoding.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum EffortArg {
    /// The first good answer.
    Low,
    /// A short search: about a second for thirty thousand records.
    Normal,
    /// A long search: about a minute for thirty thousand records.
    High,
}

impl From<EffortArg> for Effort {
    fn from(given: EffortArg) -> Effort {
        match given {
            EffortArg::Low => Effort::Low,
            EffortArg::Normal => Effort::Normal,
            EffortArg::High => Effort::High,
        }
    }
}

/// Split `column=value`.
pub fn pair<'a>(flag: &str, given: &'a str) -> Result<(&'a str, &'a str)> {
    given
        .split_once('=')
        .filter(|(column, value)| !column.is_empty() && !value.is_empty())
        .ok_or_else(|| Error::params(format!("--{flag} is written as column=value, not '{given}'")))
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn names_are_split_at_commas_outside_quotes() {
        let split = |list: &str| names(&[list.to_string()]);
        assert_eq!(split("a, b,,c"), ["a", "b", "c"]);
        assert_eq!(split("\"Alter, Jahre\",sex"), ["Alter, Jahre", "sex"]);
        assert_eq!(split("\"say \"\"hi\"\"\",it's 5\" wide"), ["say \"hi\"", "it's 5\" wide"]);
        assert_eq!(names(&["a".into(), "b,c".into()]), ["a", "b", "c"]);
    }
}
