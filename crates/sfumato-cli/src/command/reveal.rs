//! `sfumato reveal`: from pseudonyms back to values, for whoever holds the key.

use clap::Args;
use sfumato_core::{Error, Result};
use sfumato_engine::input::read_options;
use sfumato_engine::job::InputSpec;
use sfumato_table::pseudonyms::{DEFAULT_FILE, Method, Secrets};

use super::{Context, print};

#[derive(Args)]
pub struct Reveal {
    /// The pseudonyms; without any, all of the column of the release.
    #[arg(value_name = "PSEUDONYM")]
    pseudonyms: Vec<String>,
    /// The column that they are of.
    #[arg(long, value_name = "COLUMN")]
    column: String,
    /// The file of the key and the mapping.
    #[arg(long, value_name = "FILE", default_value = DEFAULT_FILE)]
    key: String,
    /// The name under which the key knows the column, if the job says another space.
    #[arg(long, value_name = "SPACE")]
    space: Option<String>,
    /// A release that has the pseudonyms.
    #[arg(long, value_name = "FILE")]
    release: Option<String>,
    /// The data that the release was made from: a keyed hash is looked up among their values.
    #[arg(long, value_name = "DATA")]
    original: Option<String>,
}

impl Reveal {
    pub fn run(self, context: &Context) -> Result<u8> {
        let secrets = Secrets::read(&self.key)?;
        let space = self.space.as_deref().unwrap_or(&self.column);
        let values = match &self.original {
            Some(path) => texts(path, &self.column, context)?,
            None => Vec::new(),
        };
        let undo = secrets.undo(space, values.iter().map(String::as_str))?;
        if undo.method == Method::Hash && self.original.is_none() {
            return Err(Error::params("a keyed hash is looked up among the values of the data")
                .hint("say --original DATA"));
        }
        let asked = match (&self.pseudonyms[..], &self.release) {
            ([], Some(path)) => texts(path, &self.column, context)?,
            ([], None) => {
                return Err(Error::params("no pseudonym was named")
                    .hint("name some, or a release that has them with --release FILE"));
            }
            (named, _) => named.to_vec(),
        };
        let mut lines = String::from("pseudonym,value\n");
        let mut unknown = 0;
        for pseudonym in asked.iter().filter(|pseudonym| !pseudonym.is_empty()) {
            match undo.value(pseudonym) {
                Some(value) => {
                    lines += &format!("{},{}\n", cell(pseudonym), cell(&value));
                }
                None => unknown += 1,
            }
        }
        print(&lines)?;
        if unknown > 0 {
            context.say(&format!("{unknown} of {} pseudonyms aren't known here", asked.len()));
        }
        Ok(if unknown > 0 { 2 } else { 0 })
    }
}

/// The different texts of a column of a file.
fn texts(path: &str, column: &str, context: &Context) -> Result<Vec<String>> {
    let input = InputSpec { path: path.into(), ..InputSpec::default() };
    let mut select = |header: &[String]| match header.iter().any(|name| name == column) {
        true => Ok(header.iter().map(|name| name == column).collect()),
        false => Err(Error::params(format!("the file has no column '{column}'")).in_file(path)),
    };
    let raw = sfumato_io::read(path, &read_options(&input)?, &mut select, &context.progress)?;
    let found = raw.column(column);
    Ok(found.map_or(Vec::new(), |column| column.values.iter().map(String::from).collect()))
}

/// A cell of a CSV file.
fn cell(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    }
}
