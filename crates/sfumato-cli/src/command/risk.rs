//! `sfumato risk DATA`: which records, columns and values carry the risk, before anything is
//! published.

use clap::Args;
use serde_json::{Value, json};
use sfumato_core::column::{Codes, RawTable};
use sfumato_core::traits::ClassSizes;
use sfumato_core::{Error, FastMap, FastSet, Result};
use sfumato_engine::flags::values::names;
use sfumato_engine::input::read_options;
use sfumato_engine::job::Population;
use sfumato_risk::columns::log_linear::{Effects, Rare, of_uniques};
use sfumato_risk::columns::quasi_identifiers::{Asked, Search, Set, search};
use sfumato_risk::columns::suda2::{self, MOST_COLUMNS, Suda};

use super::flags::{self, Flags};
use super::{Context, print, print_words, set_threads, to_json};

/// Shown below the flags of `risk --help`.
const PRIVATE: &str = "\
The figures are about the data as they are, before anything is published. They name rows and \
values: keep them private.";

#[derive(Args)]
#[command(after_long_help = PRIVATE)]
pub struct Risk {
    /// The data.
    #[arg(value_name = "DATA")]
    input: String,
    /// The columns that an attacker may know; all without it.
    #[arg(long, value_name = "A,B")]
    qi: Vec<String>,
    /// The column that says which rows are of one person: rows of one person that agree count once.
    #[arg(long, value_name = "COLUMN")]
    subject: Option<String>,
    /// The population that the data were drawn from: a number of people, or the share of it that
    /// is in the data, such as 2%.
    #[arg(long, value_name = "N|P%")]
    population: Option<Population>,
    /// Look for records that up to so many columns make unique (SUDA); 0 for none.
    #[arg(long, value_name = "SIZE", default_value_t = 3)]
    suda: usize,
    /// Search all sets of up to so many columns for those that tell people apart; 0 for none.
    #[arg(long, value_name = "SIZE", default_value_t = 2)]
    search: usize,
    /// A set of columns is a quasi-identifier if it has at least this share of different
    /// combinations.
    #[arg(long, value_name = "SHARE", default_value_t = 0.8)]
    least: f64,
    /// How many of the worst records, values and sets are shown.
    #[arg(long, value_name = "N", default_value_t = 10)]
    keep: usize,
    #[command(flatten)]
    flags: Flags<flags::Read>,
    /// Print the figures to standard output as one JSON object. It names rows and values: keep it
    /// private.
    #[arg(long)]
    json: bool,
}

impl Risk {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        if !(0.0..=1.0).contains(&self.least) {
            return Err(Error::params(format!(
                "--least is a share from 0 to 1, not {}",
                self.least
            )));
        }
        let table = self.read(context)?;
        let looked = Looked::new(&table, self.subject.as_deref())?;
        if self.suda > 0 && looked.columns.len() > MOST_COLUMNS {
            let n = looked.columns.len();
            context.say(&format!(
                "records that few columns make unique are looked for among at most {MOST_COLUMNS} \
                 columns, and there are {n}: left out"
            ));
        }
        let figures = self.figures(&looked)?;
        match self.json {
            true => print(&(to_json(&figures)? + "\n"))?,
            false => print_words(&words(&figures))?,
        }
        Ok(0)
    }

    /// Read the columns that are looked at.
    fn read(&self, context: &Context) -> Result<RawTable> {
        let asked = names(&self.qi);
        let input = self.flags.job(&self.input, &[])?.input()?;
        let mut select = |header: &[String]| {
            let missing = asked.iter().chain(&self.subject).find(|name| !header.contains(name));
            if let Some(name) = missing {
                return Err(Error::params(format!("the file has no column '{name}'"))
                    .in_file(&self.input)
                    .hint(format!("its columns are {}", header.join(", "))));
            }
            let is_read = |name: &String| {
                asked.is_empty() || asked.contains(name) || self.subject.as_ref() == Some(name)
            };
            Ok(header.iter().map(is_read).collect())
        };
        let table =
            sfumato_io::read(&self.input, &read_options(&input)?, &mut select, &context.progress)?;
        match table.n_rows {
            0 => Err(Error::input("the file has a header and no rows").in_file(&self.input)),
            _ => Ok(table),
        }
    }

    fn figures(&self, looked: &Looked<'_>) -> Result<Value> {
        let sizes = looked.sizes();
        let people = sizes.people();
        let population = self.population.map(|population| population.of(people));
        let sizes = sizes.drawn_from(population);
        let estimates: serde_json::Map<String, Value> = sfumato_risk::estimate::ALL
            .iter()
            .map(|risk| (risk.info().name.to_string(), json!(risk.estimate(&sizes))))
            .collect();
        let mut figures = json!({
            "rows": looked.n_rows,
            "counted_rows": looked.rows.len(),
            "columns": looked.names,
            "classes": sizes.classes(),
            "population": population,
            "estimates": estimates,
        });
        if self.suda > 0 && looked.columns.len() <= MOST_COLUMNS {
            let found = suda2::find(&looked.columns, self.suda)?;
            figures["suda"] = self.suda_figures(looked, &found);
        }
        if let Some(population) = population {
            let fraction = people as f64 / population as f64;
            figures["log_linear"] = match of_uniques(&looked.columns, fraction, Effects::Pairs) {
                Ok(rare) => self.rare_figures(looked, &rare, "pairs"),
                // Too many combinations of values for pairs.
                Err(_) => {
                    let rare = of_uniques(&looked.columns, fraction, Effects::Main)?;
                    self.rare_figures(looked, &rare, "main")
                }
            };
        }
        if self.search > 0 {
            let asked = Asked {
                largest: self.search,
                keep: self.keep,
                least: self.least,
                pairs: 100_000,
                seed: 0,
            };
            let found = search(&looked.columns, &asked)?;
            figures["quasi_identifiers"] = search_figures(looked, &found);
        }
        Ok(figures)
    }

    fn suda_figures(&self, looked: &Looked<'_>, found: &Suda) -> Value {
        let mut columns: Vec<(usize, f64)> = found.of_columns().into_iter().enumerate().collect();
        columns.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let columns: Vec<Value> = columns
            .into_iter()
            .map(|(column, share)| json!({"column": looked.names[column], "share": share}))
            .collect();
        let values: Vec<Value> = found
            .of_values(&looked.columns, self.keep)
            .into_iter()
            .map(|(column, code, share)| {
                let value = looked.texts[column].get(code as usize);
                json!({"column": looked.names[column], "value": value, "share": share})
            })
            .collect();
        let set = |set: &u32| -> Vec<&str> {
            let has = |column: &usize| set >> column & 1 == 1;
            (0..looked.names.len()).filter(has).map(|column| looked.names[column]).collect()
        };
        let worst: Vec<Value> = found
            .worst(self.keep)
            .into_iter()
            .map(|(record, score)| {
                let smallest = record.sets.iter().min_by_key(|set| (set.count_ones(), **set));
                json!({
                    "row": looked.rows[record.row as usize] + 1,
                    "score": score,
                    "sets": record.sets.len(),
                    "smallest": smallest.map(set),
                })
            })
            .collect();
        json!({
            "largest": found.largest,
            "records": found.records.len(),
            "minimal_sample_uniques": found.by_size,
            "columns": columns,
            "values": values,
            "worst": worst,
        })
    }

    fn rare_figures(&self, looked: &Looked<'_>, rare: &[Rare], effects: &str) -> Value {
        let sum = |of: fn(&Rare) -> f64| rare.iter().map(of).sum::<f64>();
        let mut worst: Vec<&Rare> = rare.iter().collect();
        worst.sort_by(|a, b| b.linked.total_cmp(&a.linked).then(a.row.cmp(&b.row)));
        let worst: Vec<Value> = worst
            .into_iter()
            .take(self.keep)
            .map(|rare| {
                let row = looked.rows[rare.row as usize] + 1;
                json!({"row": row, "unique": rare.unique, "linked": rare.linked})
            })
            .collect();
        json!({
            "effects": effects,
            "uniques": rare.len(),
            "unique_in_population": sum(|rare| rare.unique),
            "linked": sum(|rare| rare.linked),
            "worst": worst,
        })
    }
}

/// The columns that are looked at.
struct Looked<'a> {
    names: Vec<&'a str>,
    columns: Vec<Codes>,
    /// The texts of each column's codes.
    texts: Vec<Vec<&'a str>>,
    /// The rows of the file that count, from 0.
    rows: Vec<u32>,
    n_rows: usize,
}

impl<'a> Looked<'a> {
    fn new(table: &'a RawTable, subject: Option<&str>) -> Result<Self> {
        let is_looked = |name: &str| Some(name) != subject;
        let looked: Vec<_> = table.columns.iter().filter(|c| is_looked(&c.name)).collect();
        if looked.is_empty() {
            return Err(Error::params("there is no column to look at")
                .hint("name some with --qi, besides the subject"));
        }
        if table.n_rows >= u32::MAX as usize {
            return Err(Error::unsupported("at most 4,294,967,294 rows can be looked at"));
        }
        let subject = subject.and_then(|name| table.column(name));
        let mut seen: FastSet<Vec<u32>> = FastSet::default();
        let mut counts = |row: &u32| {
            let Some(subject) = subject else { return true };
            let row = *row as usize;
            let all = looked.iter().map(|column| column.codes.get(row));
            seen.insert(all.chain([subject.codes.get(row)]).collect())
        };
        let rows: Vec<u32> = (0..table.n_rows as u32).filter(|row| counts(row)).collect();
        Ok(Looked {
            names: looked.iter().map(|column| column.name.as_str()).collect(),
            columns: looked.iter().map(|column| column.codes.gather(&rows)).collect(),
            texts: looked.iter().map(|column| column.values.iter().collect()).collect(),
            rows,
            n_rows: table.n_rows,
        })
    }

    /// The sizes of the classes of rows that agree on all columns.
    fn sizes(&self) -> ClassSizes {
        let mut counts: FastMap<Vec<u32>, u64> = FastMap::default();
        for row in 0..self.rows.len() {
            let key = self.columns.iter().map(|column| column.get(row)).collect();
            *counts.entry(key).or_insert(0) += 1;
        }
        ClassSizes::from_sizes(counts.into_values())
    }
}

fn search_figures(looked: &Looked<'_>, found: &Search) -> Value {
    let named = |columns: &[usize]| -> Vec<&str> {
        columns.iter().map(|column| looked.names[*column]).collect()
    };
    let set = |set: &Set| {
        json!({
            "columns": named(&set.columns),
            "distinct": set.distinct,
            "distinction": set.distinction(found.n_rows),
            "separation": set.separation(found.n_rows),
            "unique": set.unique,
        })
    };
    let best: Vec<Vec<Value>> =
        found.best.iter().map(|sets| sets.iter().map(set).collect()).collect();
    let minimal: Vec<Value> = found.minimal.iter().map(set).collect();
    let beyond: Vec<Value> = found
        .beyond
        .iter()
        .map(|set| json!({"columns": named(&set.columns), "separation": set.separation}))
        .collect();
    json!({
        "largest": found.largest,
        "examined": found.examined,
        "best": best,
        "minimal": minimal,
        "minimal_sets": found.n_minimal,
        "beyond": beyond,
        "error": found.error,
    })
}

/// The figures as text, a line each.
fn words(figures: &Value) -> String {
    let mut lines = vec![format!(
        "{} rows, {} of which count; {} combinations of {} columns",
        figures["rows"],
        figures["counted_rows"],
        figures["classes"],
        figures["columns"].as_array().map_or(0, Vec::len)
    )];
    let number = |value: &Value| value.as_f64().map_or("-".into(), |x| format!("{x:.4}"));
    let list = |value: &Value| -> String {
        let texts = value.as_array().into_iter().flatten().filter_map(Value::as_str);
        texts.collect::<Vec<&str>>().join(", ")
    };
    let of = |value: &Value| value.as_array().cloned().unwrap_or_default();
    lines.push(String::new());
    for (name, value) in figures["estimates"].as_object().into_iter().flatten() {
        lines.push(format!("{name:<28} {}", number(value)));
    }
    if let Some(suda) = figures.get("suda") {
        lines.push(format!(
            "\n{} records are unique by up to {} columns (minimal sets by size: {})",
            suda["records"], suda["largest"], suda["minimal_sample_uniques"]
        ));
        for column in of(&suda["columns"]) {
            let name = column["column"].as_str().unwrap_or_default();
            lines.push(format!("  column {name:<24} {}", number(&column["share"])));
        }
        for value in of(&suda["values"]) {
            let texts = [&value["column"], &value["value"]].map(|it| it.as_str().unwrap_or("-"));
            lines.push(format!(
                "  value  {} = {}  {}",
                texts[0],
                texts[1],
                number(&value["share"])
            ));
        }
        for record in of(&suda["worst"]) {
            lines.push(format!(
                "  row {}: score {}, {} sets, smallest {}",
                record["row"],
                number(&record["score"]),
                record["sets"],
                list(&record["smallest"])
            ));
        }
    }
    if let Some(rare) = figures.get("log_linear") {
        lines.push(format!(
            "\nlog-linear model ({} effects): of {} uniques {} are expected to be unique in the \
             population, {} to be linked rightly",
            rare["effects"].as_str().unwrap_or_default(),
            rare["uniques"],
            number(&rare["unique_in_population"]),
            number(&rare["linked"])
        ));
    }
    if let Some(found) = figures.get("quasi_identifiers") {
        lines.push(format!(
            "\nall {} sets of up to {} columns were searched; {} minimal ones tell nearly \
             everybody apart",
            found["examined"], found["largest"], found["minimal_sets"]
        ));
        let lists =
            [&found["minimal"]].into_iter().chain(found["best"].as_array().into_iter().flatten());
        for set in lists.flat_map(of) {
            lines.push(format!(
                "  {}: {} combinations, distinction {}, separation {}",
                list(&set["columns"]),
                set["distinct"],
                number(&set["distinction"]),
                number(&set["separation"])
            ));
        }
        for set in of(&found["beyond"]) {
            lines.push(format!(
                "  beyond, by sampled pairs: {}: separation {} (give or take {})",
                list(&set["columns"]),
                number(&set["separation"]),
                number(&found["error"])
            ));
        }
    }
    lines.join("\n") + "\n"
}
