//! Turns a report saved with `--json` into its two pages:
//! `cargo run -p sfumato-report --example render -- report.json private.html public.html`.

use std::error::Error;
use std::{env, fs};

use sfumato_report::{PublicReport, Report, render_private, render_public, summary};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [json, private, public] = args.as_slice() else {
        return Err("usage: render REPORT.json PRIVATE.html PUBLIC.html".into());
    };
    let report = Report::from_json(&fs::read_to_string(json)?)?;
    fs::write(private, render_private(&report))?;
    fs::write(public, render_public(&PublicReport::from(&report)))?;
    eprint!("{}", summary(&report));
    Ok(())
}
