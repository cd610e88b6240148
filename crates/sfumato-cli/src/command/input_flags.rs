//! Flags of commands that read a file without knowing its columns: how its bytes are meant.

use clap::Args;
use sfumato::Result;
use sfumato::job::InputSpec;

use super::YesOrNo;
use super::data_flags::delimiter;

#[derive(Args)]
pub struct InputFlags {
    /// Texts that mean missing, beside the empty one.
    #[arg(long, value_name = "TEXT")]
    pub missing: Vec<String>,
    /// The delimiter of a CSV file, if it shouldn't be guessed; \t for tab.
    #[arg(long, value_name = "C")]
    delimiter: Option<String>,
    /// Whether the first line of a CSV file names the columns, if that can't be guessed.
    #[arg(long, value_name = "WHICH")]
    header: Option<YesOrNo>,
    /// The format of the input, if its name doesn't tell: csv, parquet, arrow, jsonl.
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
}

impl InputFlags {
    /// How to read a file.
    pub fn spec(&self, path: &str) -> Result<InputSpec> {
        Ok(InputSpec {
            path: path.to_string(),
            format: self.format.clone(),
            delimiter: self.delimiter.as_deref().map(delimiter).transpose()?,
            header: self.header.map(YesOrNo::is_yes),
            missing: self.missing.clone(),
        })
    }
}
