//! `sfumato init DATA [-o release.toml]`

use std::path::Path;

use clap::Args;
use sfumato_core::{Error, Result};

use sfumato_engine::job::guesses::unconfirmed;
use sfumato_io::Source;

use super::flags::{self, Flags};
use super::{Context, print, set_threads};

#[derive(Args)]
pub struct Init {
    /// The data.
    #[arg(value_name = "DATA")]
    input: String,
    /// Where to write the job; standard output without it.
    #[arg(short, long, value_name = "release.toml")]
    output: Option<String>,
    #[command(flatten)]
    flags: Flags<flags::Read>,
    /// Replace a job that is already there.
    #[arg(long)]
    force: bool,
}

impl Init {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        if let Some(path) =
            self.output.as_deref().filter(|path| Path::new(path).exists() && !self.force)
        {
            return Err(Error::params("the file is already there")
                .in_file(path)
                .hint("--force replaces it"));
        }
        let output = self.output.as_deref().filter(|path| *path != "-");
        let input = self.flags.job(&self.input, &[])?.input()?;
        let name = match sfumato_io::files_of(&self.input)? {
            None => match sfumato_io::name_inside(&self.input) {
                Some(name) => format!("{name}.csv"),
                None => file_name(&self.input).unwrap_or("data.csv".into()),
            },
            // Several files are one release, in the format that they have.
            Some(files) => {
                let first = files.first().and_then(|file| file_name(file)).unwrap_or_default();
                let is_inside = sfumato_io::name_inside(&first).is_some();
                let ending = first.split_once('.').filter(|_| !is_inside);
                let ending = ending.map_or("csv", |(_, ending)| ending);
                let folder = Path::new(&self.input).is_dir().then(|| file_name(&self.input));
                format!("{}.{ending}", folder.flatten().unwrap_or("files".into()))
            }
        };
        let text = sfumato_table::init::init(
            &input,
            &format!("released-{name}"),
            &path_in_job(&self.input, output),
            &context.progress,
        )?;
        match output {
            None => print(&text)?,
            Some(path) => {
                sfumato_io::write_text_atomically(Path::new(path), &text, false)?;
                let then = match unconfirmed(&text).len() {
                    0 => "then".to_string(),
                    1 => "1 line is marked CHECK. Look at it, delete the word, then".to_string(),
                    n => format!("{n} lines are marked CHECK. Look at each, delete the word, then"),
                };
                context.say(&format!("wrote {path}: {then}: sfumato run {path}"));
            }
        }
        Ok(0)
    }
}

fn file_name(path: &str) -> Option<String> {
    Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned())
}

/// The path of the data as the job must write it: paths in a job start from its own folder.
fn path_in_job(input: &str, job: Option<&str>) -> String {
    let folder =
        job.and_then(|job| Path::new(job).parent()).filter(|folder| !folder.as_os_str().is_empty());
    let is_relative = Source::of(input).is_path() && Path::new(input).is_relative();
    let (Some(folder), true) = (folder, is_relative) else { return input.into() };
    match Path::new(input).strip_prefix(folder) {
        Ok(inside) => inside.display().to_string(),
        Err(_) => {
            std::path::absolute(input).map_or(input.into(), |path| path.display().to_string())
        }
    }
}
