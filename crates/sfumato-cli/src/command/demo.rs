//! `sfumato demo`: a first run that needs no data of the user's.

use std::path::Path;

use clap::Args;
use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};
use sfumato_generate as generators;
use sfumato_report::numbers::count;

use super::run::load;
use super::{Context, set_threads};

#[derive(Args)]
pub struct Demo {
    /// The folder to work in.
    #[arg(short, long, value_name = "FOLDER", default_value = "sfumato-demo")]
    output: String,
    /// How many patients to generate.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    rows: u64,
}

/// The job of the demo, as a user would write it.
const JOB: &str = r#"# The demo's job. Change something and run it again: sfumato run release.toml
[input]
path = "patients.csv"

[columns]
name      = { role = "identifier" }
person    = { role = "subject" }
birth     = { role = "identifier" }
age       = { role = "quasi", hierarchy = { interval = { width = 5, levels = 4 } } }
sex       = { role = "quasi" }
zip       = { role = "quasi", hierarchy = { mask = { from = "right" } }, weight = 2.0 }
job       = { role = "quasi", hierarchy = { file = "job.csv" } }
admission = { role = "quasi", hierarchy = { date = { levels = ["month", "quarter", "year"] } } }
diagnosis = { role = "sensitive" }
cost      = { role = "identifier" }   # an exact bill is nearly unique: it would name its patient

[privacy]
models = ["k-anonymity(k=10)", "l-diversity-entropy(l=2, on=diagnosis)"]
max_suppression = "1%"

[output]
path = "release.csv"
report = "report.html"
public_report = "public-report.html"
recoding = "recoding.json"
"#;

impl Demo {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        let folder = Path::new(&self.output);
        std::fs::create_dir_all(folder)
            .map_err(|error| Error::io(folder, "make the folder", &error))?;
        let call: Call = "patients(visits=2)".parse()?;
        let generator = generators::find(&call.name)?;
        let params = Params::check(generator.info(), &call.args)?;
        let mut file = sfumato_io::AtomicFile::create(&folder.join("patients.csv"), false)?;
        generators::generate(generator, &params, self.rows, 1, &mut file, &context.progress)?;
        file.commit()?;
        for (name, text) in generator.companions(&params) {
            sfumato_io::write_text_atomically(&folder.join(name), &text, false)?;
        }
        let job_path = folder.join("release.toml");
        sfumato_io::write_text_atomically(&job_path, JOB, false)?;
        let in_folder = |name: &str| folder.join(name).display().to_string();
        context.say(&format!(
            "1. Made up {} rows of patients (nobody real) in {}",
            count(self.rows),
            in_folder("patients.csv")
        ));
        context.say(&format!(
            "2. Wrote the job in {}: what each column is, and what must hold",
            in_folder("release.toml")
        ));
        let report = sfumato_kinds::RELEASES
            .run(&load(&job_path.display().to_string())?, &context.progress)?;
        context.say(&format!(
            "3. Anonymized it, read the written file back, checked it, and only then gave it its \
                name: {}\n",
            in_folder("release.csv")
        ));
        context.say(&sfumato_report::summary(&report));
        context.say(&format!(
            "\nLook at {}, compare {} with {}, then try:\n\
             \x20 sfumato audit {}\n\
             \x20 sfumato explain {}\n\
             \x20 sfumato init {}          (what Sfumato would guess about your own file)\n\
             \x20 sfumato list models      (what else you can ask for)",
            in_folder("report.html"),
            in_folder("patients.csv"),
            in_folder("release.csv"),
            in_folder("release.csv"),
            in_folder("release.toml"),
            in_folder("patients.csv"),
        ));
        Ok(0)
    }
}
