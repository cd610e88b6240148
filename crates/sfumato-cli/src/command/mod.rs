//! The commands, one file each.

mod anonymize;
mod answer;
mod apply;
mod attack;
mod audit;
mod cluster;
mod collaborate;
mod compare;
mod completions;
mod demo;
mod evaluate;
mod explain;
mod explore;
mod flags;
mod generate;
pub mod groups;
mod hierarchy;
mod init;
mod ledger;
mod list;
mod man;
mod out_folder;
mod query;
mod reduce;
mod reproduce;
mod reveal;
mod risk;
mod run;
mod serve;
mod serve_sets;
mod text;
mod views;

use clap::{Parser, Subcommand};
use sfumato_core::{Error, Result};

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
    /// Show the values of the data that an error is about; without it an error says where they are.
    #[arg(long, global = true)]
    pub show_values: bool,
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
    Explain(Box<explain::Explain>),
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
    /// Which records, columns and values carry the risk, before anything is published
    Risk(risk::Risk),
    /// Play the adversaries against a release and count what they learn
    Attack(Box<attack::Attack>),
    /// What releases of the same data keep of it, side by side: metrics, questions, columns
    Compare(compare::Compare),
    /// Ask a release: counts, sums, means and extremes, with an estimate and bounds
    Query(query::Query),
    /// Answers instead of data: sums, means and counts over a private table, with an auditor and a
    /// log
    Answer(answer::Answer),
    /// Apply a saved recoding to new rows
    Apply(apply::Apply),
    /// From pseudonyms back to values, for whoever holds the key
    Reveal(reveal::Reveal),
    /// Build, check or draw a hierarchy
    Hierarchy(hierarchy::Hierarchy),
    /// The catalogue, with papers
    List(list::List),
    /// Synthetic data of a stated shape, seeded
    Generate(generate::Generate),
    /// Experiments of papers, run again: their figures as tables and pictures, beside what the
    /// papers say
    Reproduce(reproduce::Reproduce),
    /// The web UI and HTTP API over a folder, for this machine alone
    Serve(serve::Serve),
    /// Sets of items on demand, over HTTP on this machine: each held by at least k records
    ServeSets(serve_sets::ServeSets),
    /// Tag documents, train a tagger on corrected tags, and measure what detectors find
    Text(text::Text),
    /// Earlier releases of the same people: begin a ledger, record, show, check, propose
    Ledger(ledger::Ledger),
    /// Several holders, one release, nothing pooled: init, serve, run
    Collaborate(collaborate::Collaborate),
    /// What views of one table tell together of the people in it
    Views(views::Views),
    /// Completions for a shell
    Completions(completions::Completions),
    /// The manual, a page for each command
    Man(man::Man),
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
            eprintln!("{}", sfumato_report::tame_lines(text));
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
        Command::Risk(command) => command.run(&context),
        Command::Attack(command) => command.run(&context),
        Command::Compare(command) => command.run(&context),
        Command::Query(command) => command.run(&context),
        Command::Answer(command) => command.run(&context),
        Command::Apply(command) => command.run(&context),
        Command::Reveal(command) => command.run(&context),
        Command::Hierarchy(command) => command.run(&context),
        Command::List(command) => command.run(&context),
        Command::Generate(command) => command.run(&context),
        Command::Reproduce(command) => command.run(&context),
        Command::Serve(command) => command.run(&context),
        Command::ServeSets(command) => command.run(&context),
        Command::Text(command) => command.run(&context),
        Command::Ledger(command) => command.run(&context),
        Command::Collaborate(command) => command.run(&context),
        Command::Views(command) => command.run(&context),
        Command::Completions(command) => command.run(&context),
        Command::Man(command) => command.run(&context),
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
    use std::io::{IsTerminal as _, Write as _};
    let mut stdout = std::io::stdout().lock();
    // Names and values of the data must not move the cursor of whoever looks at them; a file or
    // another program gets them as they are.
    let tamed = stdout.is_terminal().then(|| sfumato_report::tame_lines(text));
    let text = tamed.as_deref().unwrap_or(text);
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::io(std::path::Path::new("standard output"), "write", &error))
        }
        _ => Ok(()),
    }
}

/// Print words for people, in which names and values of the data may be.
pub fn print_words(text: &str) -> Result<()> {
    print(&sfumato_report::tame_lines(text))
}

/// A value as JSON for standard output.
pub fn to_json<T: serde::Serialize>(value: &T) -> Result<String> {
    serde_json::to_string_pretty(value)
        .map_err(|error| Error::internal(format!("the answer can't be written: {error}")))
}
