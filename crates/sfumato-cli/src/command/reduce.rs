//! `sfumato reduce DATA --columns A,B,C --dimensions R -o OUT`: columns of numbers times a random
//! matrix. It promises nothing, and says so.

use clap::Args;
use sfumato_core::{Error, Result};
use sfumato_evaluate::reduce::{Entries, Settings, reduce};
use sfumato_report::reduce::words;

use super::flags::{self, Flags};
use super::{Context, print, set_threads};
use sfumato_engine::flags::values::names;

/// Shown below the flags of `reduce --help`.
const NO_PROMISE: &str = "\
This is the dimensionality-reduction transform of the literature (DRBT): the columns are \
normalized and multiplied with a random matrix, so \
that distances stay about the same and can be clustered. It protects by hiding the matrix and \
promises nothing: every record stands alone, \
and who knows some records, or how the columns are distributed, can often undo it. For a release \
with a promise use 'sfumato cluster'.";

#[derive(Args)]
#[command(after_long_help = NO_PROMISE)]
pub struct Reduce {
    /// The data.
    #[arg(value_name = "DATA")]
    input: String,
    /// The columns of numbers that matter for clustering; all others are left out.
    #[arg(long, value_name = "A,B", required = true)]
    columns: Vec<String>,
    /// How many columns to write. The fewer they are, the less they tell.
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..))]
    dimensions: u32,
    /// How the matrix is drawn.
    #[arg(long, value_name = "HOW", default_value = "normal")]
    entries: EntriesArg,
    /// The file to write.
    #[arg(short, long, value_name = "OUT")]
    output: String,
    /// Makes the matrix and the order repeatable. Not for release: whoever knows it knows the
    /// matrix.
    #[arg(long, value_name = "N", value_parser =
        clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
    #[command(flatten)]
    flags: Flags<flags::Read>,
    /// Print what was done to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

/// How the matrix is drawn.
#[derive(Clone, Copy, clap::ValueEnum)]
enum EntriesArg {
    /// Normal numbers, columns scaled to length 1.
    Normal,
    /// Mostly zeros.
    Sparse,
}

impl Reduce {
    pub fn run(self, context: &Context) -> Result<u8> {
        if self.output == "-" {
            return Err(Error::params("what is reduced goes to a file, not to standard output"));
        }
        let input = self.flags.job(&self.input, &[])?.input()?;
        let settings = Settings {
            columns: names(&self.columns),
            dimensions: self.dimensions as usize,
            entries: match self.entries {
                EntriesArg::Normal => Entries::Normal,
                EntriesArg::Sparse => Entries::Sparse,
            },
            output: self.output.clone(),
            seed: self.seed,
        };
        set_threads(context, None)?;
        let done = reduce(&input, &settings, &context.progress)?;
        if self.json {
            print(&(done.to_json() + "\n"))?;
        } else {
            context.say(words(&done).trim_end());
        }
        Ok(0)
    }
}
