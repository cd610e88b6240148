//! `sfumato views check VIEWS.sql --data T.csv`: what views of one table tell together.

use clap::{Args, Subcommand};
use sfumato_core::observer::Unobserved;
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_io::{ReadOptions, read, read_text, select_all};
use sfumato_table::views::{Asked, Found, check, parse, secrecy};

use super::{Context, print, print_words, to_json};

#[derive(Args)]
pub struct Views {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Put views of one table together and find what they tell of a person, with the views that
    /// prove it
    Check(Check),
}

#[derive(Args)]
struct Check {
    /// The views: SELECT a, b FROM t WHERE c > 5; or with counts: SELECT a, COUNT(*) FROM t GROUP
    /// BY a.
    #[arg(value_name = "VIEWS.sql")]
    views: String,
    /// The table.
    #[arg(long, value_name = "DATA")]
    data: String,
    /// The column that says who a record is about [default: the first of the data].
    #[arg(long, value_name = "COLUMN")]
    identifier: Option<String>,
    /// The column that nobody may learn of a person [default: the last of the data].
    #[arg(long, value_name = "COLUMN")]
    sensitive: Option<String>,
    /// Columns that an attacker may know: groups of joins that agree on them are looked at.
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    qi: Vec<String>,
    /// The least number of pairs, values or records that may be left.
    #[arg(short, long, value_name = "K", default_value_t = 2)]
    k: u64,
    /// The highest share of a sensitive value in a group of a join, from 0 to 1.
    #[arg(long, value_name = "SHARE")]
    confidence: Option<f64>,
    /// It is known that each person has one sensitive value.
    #[arg(long)]
    one_value: bool,
    /// The name of a view of the file that isn't published: the others must leave each of its
    /// answers as likely as it is without them.
    #[arg(long, value_name = "VIEW")]
    secret: Option<String>,
    /// Print what was found to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Views {
    pub fn run(self, context: &Context) -> Result<u8> {
        match self.command {
            Command::Check(command) => command.run(context),
        }
    }
}

impl Check {
    fn run(self, context: &Context) -> Result<u8> {
        let mut views =
            parse(&read_text(&self.views)?).map_err(|error| error.in_file(&self.views))?;
        let data = read(&self.data, &ReadOptions::default(), &mut select_all, &Unobserved)?;
        let named = |asked: &Option<String>, guess: Option<&String>| {
            let name = asked.as_ref().or(guess).cloned().unwrap_or_default();
            match data.header.contains(&name) {
                true => Ok(name),
                false => Err(Error::params(format!("the table has no column '{name}'"))
                    .hint(format!("its columns are {}", data.header.join(", ")))),
            }
        };
        if let Some(share) = self.confidence.filter(|share| !(0.0..=1.0).contains(share)) {
            return Err(Error::params(format!("a share is from 0 to 1, not {share}")));
        }
        for name in &self.qi {
            named(&Some(name.clone()), None)?;
        }
        let asked = Asked {
            identifier: named(&self.identifier, data.header.first())?,
            sensitive: named(&self.sensitive, data.header.last())?,
            quasi: self.qi,
            k: self.k,
            confidence: self.confidence,
            one_value: self.one_value,
        };
        if self.identifier.is_none() || self.sensitive.is_none() {
            context.say(&format!(
                "taken      '{}' says who, '{}' is what nobody may learn (--identifier, \
                 --sensitive)",
                asked.identifier, asked.sensitive
            ));
        }
        let hidden = match &self.secret {
            None => None,
            Some(name) => {
                let at = views.iter().position(|view| view.name == *name).ok_or_else(|| {
                    let names: Vec<&str> = views.iter().map(|view| view.name.as_str()).collect();
                    Error::params(format!("there is no view '{name}'"))
                        .in_file(&self.views)
                        .hint(format!("its views are {}", names.join(", ")))
                })?;
                Some(views.remove(at))
            }
        };
        let mut found = check(&views, &data, &asked)?;
        if let Some(hidden) = &hidden {
            found.violations.extend(secrecy(&views, hidden)?);
        }
        match self.json {
            true => print(&(to_json(&found)? + "\n"))?,
            false => print_words(&words(&found, &asked))?,
        }
        let holds = found.violations.is_empty();
        Ok(if holds { 0 } else { ErrorKind::Infeasible.exit_code() })
    }
}

fn words(found: &Found, asked: &Asked) -> String {
    let mut text = format!(
        "views      {} with {} different rows, at least {} asked for\n",
        found.views, found.rows, asked.k
    );
    for told in &found.violations {
        text += &format!("TOLD       {} ({})\n", told.what, told.by);
        text += &format!("           proved by {}\n", told.views.join(", "));
        text += &format!("           left: {}\n", told.left.join("; "));
    }
    if found.violations.is_empty() {
        text += "nothing    no row, join or count leaves fewer\n";
    }
    text
}
