//! `sfumato list [FAMILY] [NAME]`: the catalogue.

use std::fmt::Write as _;

use clap::{Args, ValueEnum};
use sfumato::Result;
use sfumato::catalogue::{algorithms, generators, hierarchies, metrics, models, risks};
use sfumato::registry::{Info, ParamKind};

use super::{Context, print};

#[derive(Args)]
pub struct List {
    /// The family; all without it.
    family: Option<Family>,
    /// One entry, with its page.
    name: Option<String>,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Family {
    Models,
    Algorithms,
    Metrics,
    Risks,
    Hierarchies,
    Generators,
}

const FAMILIES: [(Family, &str); 6] = [
    (Family::Models, "models"),
    (Family::Algorithms, "algorithms"),
    (Family::Metrics, "metrics"),
    (Family::Risks, "risks"),
    (Family::Hierarchies, "hierarchies"),
    (Family::Generators, "generators"),
];

fn entries(family: Family) -> Vec<&'static Info> {
    match family {
        Family::Models => models::all().iter().map(|entry| entry.info()).collect(),
        Family::Algorithms => algorithms::all().iter().map(|entry| entry.info()).collect(),
        Family::Metrics => metrics::ALL.iter().map(|entry| entry.info()).collect(),
        Family::Risks => risks::estimate::ALL.iter().map(|entry| entry.info()).collect(),
        Family::Hierarchies => hierarchies::ALL.iter().map(|entry| entry.info()).collect(),
        Family::Generators => generators::ALL.iter().map(|entry| entry.info()).collect(),
    }
}

impl List {
    pub fn run(self, _: &Context) -> Result<u8> {
        let families: Vec<_> =
            FAMILIES.iter().filter(|(family, _)| self.family.is_none_or(|asked| asked == *family)).collect();
        if let (Some(name), Some((family, word))) = (&self.name, families.first()) {
            let all = entries(*family);
            let singular = match *word {
                "hierarchies" => "hierarchie",
                word => word.trim_end_matches('s'),
            };
            let info = sfumato::registry::find(singular, &all, |info: &Info| static_info(&all, info), name)?;
            print(&page(static_info(&all, info)))?;
            return Ok(0);
        }
        if self.json {
            let json: serde_json::Map<String, serde_json::Value> = families
                .iter()
                .map(|(family, word)| ((*word).to_string(), entries(*family).iter().map(|i| to_json(i)).collect()))
                .collect();
            print(&(serde_json::to_string_pretty(&json).unwrap_or_default() + "\n"))?;
            return Ok(0);
        }
        let mut text = String::new();
        for (family, word) in families {
            let _ = writeln!(text, "{word}");
            for info in entries(*family) {
                let _ = writeln!(text, "  {:<28} {}", info.name, info.summary);
            }
            let _ = writeln!(text);
        }
        text.push_str("'sfumato list FAMILY NAME' shows an entry's page: parameters, papers, cost and limits.\n");
        print(&text)?;
        Ok(0)
    }
}

/// The entry itself, so that the finder can hand out `'static`.
fn static_info(all: &[&'static Info], info: &Info) -> &'static Info {
    all.iter().find(|entry| entry.name == info.name).expect("the finder looks among these entries")
}

fn range(kind: ParamKind) -> String {
    match kind {
        ParamKind::Integer { min, max: i64::MAX } => format!("a whole number of at least {min}"),
        ParamKind::Integer { min, max } => format!("a whole number from {min} to {max}"),
        ParamKind::Number { min, above, max } => {
            let lower = if min == f64::MIN { String::new() } else { format!(" {} {min}", if above { "above" } else { "from" }) };
            let upper = if max == f64::MAX { String::new() } else { format!(" up to {max}") };
            format!("a number{lower}{upper}")
        }
        ParamKind::Flag => "true or false".into(),
        ParamKind::Choice(words) => words.join(" | "),
        ParamKind::Text => "a text".into(),
        ParamKind::List => "a list".into(),
    }
}

/// The page of an entry, as Markdown.
pub fn page(info: &Info) -> String {
    let mut text = format!("# {}\n\n{}\n", info.name, info.summary);
    if !info.params.is_empty() {
        text.push_str("\n## Parameters\n\n");
        for param in info.params {
            let default = match (param.default, param.optional) {
                (Some(default), _) => format!(", default {default}"),
                (None, true) => ", optional".into(),
                (None, false) => ", required".into(),
            };
            let _ = writeln!(text, "- `{}` ({}{default}): {}", param.name, range(param.kind), param.help);
        }
    }
    if !info.doc.trim().is_empty() {
        let _ = writeln!(text, "\n{}", info.doc.trim());
    }
    if !info.papers.is_empty() {
        text.push_str("\n## Papers\n\n");
        for paper in info.papers {
            let _ = writeln!(text, "- {}. *{}*. {}, {}.", paper.authors, paper.title, paper.venue, paper.year);
        }
    }
    text
}

fn to_json(info: &Info) -> serde_json::Value {
    serde_json::json!({
        "name": info.name,
        "summary": info.summary,
        "params": info.params.iter().map(|param| serde_json::json!({
            "name": param.name,
            "type": range(param.kind),
            "default": param.default,
            "required": !param.optional,
            "help": param.help,
        })).collect::<Vec<_>>(),
        "papers": info.papers.iter().map(|paper| serde_json::json!({
            "authors": paper.authors, "title": paper.title, "venue": paper.venue, "year": paper.year,
        })).collect::<Vec<_>>(),
    })
}
