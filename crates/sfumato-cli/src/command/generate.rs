//! `sfumato generate KIND --rows N -o FILE`

use std::io::Write as _;
use std::path::Path;

use clap::Args;
use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};
use sfumato_generate as generators;

use super::{Context, set_threads};

#[derive(Args)]
pub struct Generate {
    /// The kind, such as 'census' or 'census(setting=sparse)'; 'sfumato list generators' shows all.
    #[arg(value_name = "KIND")]
    kind: String,
    /// How many rows.
    #[arg(long, value_name = "N")]
    rows: u64,
    /// Where to write the data; - for standard output.
    #[arg(short, long, value_name = "FILE")]
    output: String,
    /// The seed.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Write the files that go with the data (hierarchies, what items are worth) into this folder.
    #[arg(long, value_name = "FOLDER")]
    companions: Option<String>,
}

impl Generate {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        let call: Call = self.kind.parse()?;
        let generator = generators::find(&call.name)?;
        let params = Params::check(generator.info(), &call.args)?;
        if self.output == "-" {
            let mut out = std::io::BufWriter::new(std::io::stdout().lock());
            generators::generate(
                generator,
                &params,
                self.rows,
                self.seed,
                &mut out,
                &context.progress,
            )?;
            out.flush()
                .map_err(|error| Error::io(Path::new("standard output"), "write", &error))?;
        } else {
            let path = Path::new(&self.output);
            let mut file = sfumato_io::AtomicFile::create(path, false)?;
            generators::generate(
                generator,
                &params,
                self.rows,
                self.seed,
                &mut file,
                &context.progress,
            )
            .map_err(|error| error.in_file(&self.output))?;
            file.commit()?;
        }
        if let Some(folder) = &self.companions {
            std::fs::create_dir_all(folder)
                .map_err(|error| Error::io(Path::new(folder), "make the folder", &error))?;
            for (name, text) in generator.companions(&params) {
                sfumato_io::write_text_atomically(&Path::new(folder).join(name), &text, false)?;
            }
        }
        Ok(0)
    }
}
