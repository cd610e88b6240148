//! `sfumato init DATA [-o release.toml]`

use std::path::Path;

use clap::Args;
use sfumato_core::{Error, Result};

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
        let name = Path::new(&self.input)
            .file_name()
            .map_or("data.csv".into(), |n| n.to_string_lossy().to_string());
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
                context.say(&format!(
                    "wrote {path}: {} lines are marked CHECK. Look at them, then: sfumato run \
                        {path}",
                    text.lines().filter(|line| line.starts_with("# CHECK")).count()
                ));
            }
        }
        Ok(0)
    }
}

/// The path of the data as the job must write it: paths in a job start from its own folder.
fn path_in_job(input: &str, job: Option<&str>) -> String {
    let folder =
        job.and_then(|job| Path::new(job).parent()).filter(|folder| !folder.as_os_str().is_empty());
    let (Some(folder), true, false) = (folder, Path::new(input).is_relative(), input == "-") else {
        return input.into();
    };
    match Path::new(input).strip_prefix(folder) {
        Ok(inside) => inside.display().to_string(),
        Err(_) => {
            std::path::absolute(input).map_or(input.into(), |path| path.display().to_string())
        }
    }
}
