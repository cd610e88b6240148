//! `sfumato completions SHELL`

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use sfumato_core::Result;

use super::{Arguments, Context, print};

#[derive(Args)]
pub struct Completions {
    /// The shell.
    shell: Shell,
}

impl Completions {
    pub fn run(self, _: &Context) -> Result<u8> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "sfumato", &mut script);
        print(&String::from_utf8_lossy(&script))?;
        Ok(0)
    }
}
