//! `sfumato explore DATA [flags]`: what k costs, by several algorithms, as a table and a picture.
//! It publishes nothing.

use std::path::Path;

use clap::Args;
use sfumato_core::{Error, Result};
use sfumato_engine::Job;
use sfumato_engine::destinations::check_paths;
use sfumato_evaluate::explore::{Grid, explore_any};
use sfumato_report::explore::{Exploration, csv, draw_lattice, draw_tradeoff, words};

use super::flags::{self, Flags};
use super::{Context, print, set_threads};

/// Shown below the flags of `explore --help`.
const KNEE: &str = "\
The data is anonymized for each k by each algorithm; every result is verified before its figures \
are shown, and nothing is published. A table with generalized cells is read once and anonymized in \
memory; every other kind and form goes through a whole run into a temporary folder for each. The k \
is that of the first model that has one, or else of the form's own: of the l of \
l-diversity-distinct where tables become buckets, of the p of privacy-degree where baskets do.

The knee of an algorithm's curve is the k whose loss, drawn against the logarithm of k with both \
axes scaled to 0..1, lies \
farthest from the straight line between the first and the last k.";

#[derive(Args)]
#[command(after_long_help = KNEE)]
pub struct Explore {
    /// The data, as for anonymize, or a release.toml, whose k is replaced by --ks.
    #[arg(value_name = "DATA")]
    input: String,
    #[command(flatten)]
    flags: Flags<flags::Explore>,
    /// The values of k; those above the number of records are left out.
    #[arg(long, value_name = "K,K", default_value = "2,5,10,25,50,100")]
    ks: String,
    /// The algorithms, such as 'mondrian,mondrian(relaxed=true)'. By default the one that auto
    /// would choose, and mondrian.
    #[arg(long, value_name = "A,B")]
    algorithms: Vec<String>,
    /// The picture: loss against k and against risk, as .svg.
    #[arg(short, long, value_name = "FILE.svg")]
    output: Option<String>,
    /// The table as CSV.
    #[arg(long, value_name = "FILE")]
    csv: Option<String>,
    /// The lattice of full-domain recodings as .svg, if it is small.
    #[arg(long, value_name = "FILE.svg")]
    lattice: Option<String>,
    /// The k of the lattice. By default the k of the first knee, or else the smallest k.
    #[arg(long, value_name = "K", requires = "lattice", value_parser =
        clap::value_parser!(u64).range(1..))]
    lattice_k: Option<u64>,
    /// Print everything to standard output as one JSON object instead of the table.
    #[arg(long)]
    json: bool,
}

impl Explore {
    pub fn run(self, context: &Context) -> Result<u8> {
        let job = sfumato_kinds::RELEASES.expand(&self.flags.job_of(&self.input, &[])?)?;
        let grid = Grid {
            ks: ks(&self.ks)?,
            algorithms: calls(&self.algorithms),
            with_lattice: self.lattice.is_some(),
            lattice_k: self.lattice_k,
        };
        self.check_destinations(&job)?;
        set_threads(context, job.threads())?;
        let explored = explore_any(&sfumato_kinds::RELEASES, &job, &grid, &context.progress)?;
        let shown = if self.json { explored.to_json() + "\n" } else { words(&explored) };
        if !explored.is_feasible() {
            print(&shown)?;
            return Err(Error::infeasible("no algorithm can meet the requirements at any k").hint(
                "ask for less, or allow more records to be suppressed; nothing was written",
            ));
        }
        self.write(&explored)?;
        print(&shown)?;
        Ok(0)
    }

    /// Refuse what can't be written before anything is read.
    fn check_destinations(&self, job: &Job) -> Result<()> {
        for path in self.output.iter().chain(&self.lattice) {
            if Path::new(path).extension().and_then(|extension| extension.to_str()) != Some("svg") {
                return Err(Error::params(format!("a picture is .svg, not '{path}'")));
            }
        }
        let outputs: Vec<String> =
            [&self.output, &self.csv, &self.lattice].into_iter().flatten().cloned().collect();
        if outputs.iter().any(|path| path == "-") {
            return Err(Error::params("--csv needs a file: standard output has the table")
                .hint("--json prints everything to standard output"));
        }
        check_paths(&job.input_path(), &outputs)
    }

    fn write(&self, explored: &Exploration) -> Result<()> {
        let write = |path: &String, text: &str| {
            sfumato_io::write_text_atomically(Path::new(path), text, false)
        };
        if let Some(path) = &self.output {
            write(path, &draw_tradeoff(explored))?;
        }
        if let Some(path) = &self.csv {
            write(path, &csv(explored))?;
        }
        if let (Some(path), Some(lattice)) = (&self.lattice, &explored.lattice) {
            write(path, &draw_lattice(lattice))?;
        }
        Ok(())
    }
}

/// Parse a list of values of k.
fn ks(given: &str) -> Result<Vec<u64>> {
    let k =
        |word: &str| word.trim().parse::<u64>().ok().filter(|k| (1..=i64::MAX as u64).contains(k));
    given.split(',').map(k).collect::<Option<_>>().ok_or_else(|| {
        Error::params(format!(
            "--ks must be whole numbers of at least 1 such as 2,5,10, not '{given}'"
        ))
    })
}

/// Split a list of algorithms at commas outside brackets and quotes. Commas inside them belong to
/// an algorithm's parameters.
pub fn calls(given: &[String]) -> Vec<String> {
    let mut calls = Vec::new();
    for list in given {
        let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
        let mut call = String::new();
        for c in list.chars() {
            match c {
                '"' if !escaped => quoted = !quoted,
                '(' | '[' if !quoted => depth += 1,
                ')' | ']' if !quoted => depth = depth.saturating_sub(1),
                _ => {}
            }
            escaped = quoted && c == '\\' && !escaped;
            if c == ',' && depth == 0 && !quoted {
                calls.push(std::mem::take(&mut call));
            } else {
                call.push(c);
            }
        }
        calls.push(call);
    }
    calls.into_iter().map(|call| call.trim().to_string()).filter(|call| !call.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algorithms_are_split_at_commas_outside_brackets() {
        let split = |list: &str| calls(&[list.to_string()]);
        assert_eq!(split("mondrian, peel"), ["mondrian", "peel"]);
        assert_eq!(
            split("mondrian(relaxed=true, tighten=false),peel(a=[1,2]), ,x"),
            ["mondrian(relaxed=true, tighten=false)", "peel(a=[1,2])", "x"]
        );
        assert_eq!(split("a(b=\"),\\\",\"),c"), ["a(b=\"),\\\",\")", "c"]);
        assert_eq!(split("a(b,c"), ["a(b,c"], "what isn't closed is refused by whoever reads it");
        assert_eq!(split(")a,b"), [")a", "b"]);
        assert_eq!(calls(&["a".into(), "b,c".into()]), ["a", "b", "c"]);
        assert!(split(" , ").is_empty());
    }

    #[test]
    fn ks_are_whole_numbers() {
        assert_eq!(ks("2, 5,10").unwrap(), [2, 5, 10]);
        for wrong in ["", "2,", "0", "-1", "2;5", "ten", "99999999999999999999"] {
            assert!(ks(wrong).is_err(), "{wrong}");
        }
    }
}
