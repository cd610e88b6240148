//! `sfumato man FOLDER`: the manual, a page for each command.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory as _};
use sfumato_core::{Error, Result};

use super::{Arguments, Context, groups};

#[derive(Args)]
pub struct Man {
    /// The folder for the pages: sfumato.1, sfumato-anonymize.1 and so on.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

impl Man {
    pub fn run(self, context: &Context) -> Result<u8> {
        let io = |path: &Path, what, error| Error::io(path, what, &error);
        std::fs::create_dir_all(&self.folder).map_err(|error| io(&self.folder, "create", error))?;
        let mut command = groups::grouped(Arguments::command());
        // Names of pages are made from the names of commands with those above them.
        command.build();
        let mut written = 0;
        let pages = std::iter::once(&command).chain(command.get_subcommands());
        for page in pages.filter(|page| page.get_name() != "help") {
            let name = page.get_display_name().unwrap_or(page.get_name());
            let path = self.folder.join(format!("{name}.1"));
            let mut text = Vec::new();
            clap_mangen::Man::new(page.clone())
                .render(&mut text)
                .map_err(|error| io(&path, "write", error))?;
            std::fs::write(&path, text).map_err(|error| io(&path, "write", error))?;
            written += 1;
        }
        context.say(&format!("{written} pages in {}", self.folder.display()));
        Ok(0)
    }
}
