//! `sfumato collaborate init|serve|run`: several holders, one release, nothing pooled.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use sfumato_collab::coordinator::{Coordinator, DryRun, Report, dry_run, release};
use sfumato_collab::daemon;
use sfumato_collab::job::Agreement;
use sfumato_core::Result;
use sfumato_engine::paths::resolve;

use super::run::{from_here, refuse_to_replace};
use super::{Context, print, set_threads, to_json};

#[derive(Args)]
pub struct Collaborate {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make a folder for a holder or a requester: a key, a certificate, and a commented holder.toml
    Init(Init),
    /// The daemon of a holder: it keeps its table and takes part in what its policy allows
    Serve(Serve),
    /// Let the holders of a JOB.toml make one release
    Run(Run),
}

#[derive(Args)]
struct Init {
    /// The folder.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The name that the others know it by; that of the folder without it.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The holder's table: its columns are written into holder.toml.
    #[arg(long, value_name = "DATA")]
    data: Option<String>,
    /// Where the daemon will listen.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7101")]
    listen: String,
    /// For whoever asks for releases and has no table: no holder.toml.
    #[arg(long, conflicts_with = "data")]
    requester: bool,
}

#[derive(Args)]
struct Serve {
    /// The folder of the holder.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Another place to listen than holder.toml says; port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Print the address on standard output.
    #[arg(long)]
    print_address: bool,
}

#[derive(Args)]
struct Run {
    /// The job.
    #[arg(value_name = "JOB.toml")]
    job: String,
    /// All tables are local: every holder is read from its own file, and nothing is sent.
    #[arg(long)]
    dry_run: bool,
    /// Another place for the release.
    #[arg(short, long, value_name = "OUT")]
    output: Option<String>,
    /// Replace a release that is already there.
    #[arg(long)]
    force: bool,
    /// Print the report about the collaboration to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Collaborate {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        match self.command {
            Command::Init(init) => init.run(context),
            Command::Serve(serve) => serve.run(context),
            Command::Run(run) => run.run(context),
        }
    }
}

impl Init {
    fn run(self, context: &Context) -> Result<u8> {
        let made = sfumato_collab::holder::init(
            &self.folder,
            self.name.as_deref(),
            self.data.as_deref(),
            (!self.requester).then_some(self.listen.as_str()),
        )?;
        context.say(&made);
        Ok(0)
    }
}

impl Serve {
    fn run(self, context: &Context) -> Result<u8> {
        daemon::serve(&self.folder, self.listen.as_deref(), |address| match self.print_address {
            // Nobody may be there to read it, which is no reason to stop.
            true => drop(print(&format!("{address}\n"))),
            false => context.say(&format!("listening on {address}\nCtrl-C ends the daemon.")),
        })?;
        Ok(0)
    }
}

impl Run {
    fn run(self, context: &Context) -> Result<u8> {
        let mut agreement = Agreement::read(&self.job)?;
        if let Some(output) = &self.output {
            agreement.output.path = from_here(output, &agreement.base)?;
        }
        if !self.force {
            refuse_to_replace(&resolve(&agreement.base, &agreement.output.path), "")?;
        }
        let parts = match self.dry_run {
            true => {
                let parts = dry_run(&agreement, &DryRun::default())?;
                parts.into_iter().map(|(part, _)| part).collect()
            }
            false => {
                let mut coordinator = Coordinator::new(&agreement)?;
                for offer in coordinator.offers()? {
                    let names: Vec<&str> =
                        offer.columns.iter().map(|column| column.name.as_str()).collect();
                    context.say(&format!(
                        "{:<12} has {}, for k of at least {}",
                        offer.holder,
                        names.join(", "),
                        offer.min_k
                    ));
                }
                coordinator.run()?
            }
        };
        let released = release(&agreement, &parts)?;
        let report = Report::of(&parts, &released);
        if let Some(path) = &agreement.output.report {
            let path = resolve(&agreement.base, path);
            let text = to_json(&report)? + "\n";
            sfumato_io::write_text_atomically(std::path::Path::new(&path), &text, true)?;
        }
        if self.json {
            print(&(to_json(&report)? + "\n"))?;
        } else {
            context.say(&report.words());
        }
        Ok(0)
    }
}
