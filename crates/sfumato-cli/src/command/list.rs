//! `sfumato list [FAMILY] [NAME]`: the catalogue.

use std::fmt::Write as _;
use std::path::Path;

use clap::Args;
use sfumato_core::registry::Info;
use sfumato_core::{Error, Result};
use sfumato_generate as generators;
use sfumato_hierarchy as hierarchies;
use sfumato_learn::{cluster as clusterers, learner as learners};
use sfumato_risk as risks;
use sfumato_table::workloads;

use super::{Context, print, to_json};

#[derive(Args)]
pub struct List {
    /// The family; all families without it.
    family: Option<String>,
    /// One entry, shown with its page.
    name: Option<String>,
    /// Print the list as JSON.
    #[arg(long)]
    json: bool,
    /// Write the page of every entry into this folder, as Markdown.
    #[arg(long, value_name = "FOLDER")]
    pages: Option<String>,
}

/// A family of the catalogue: its name and its entries.
type Family = (String, Vec<&'static Info>);

/// Every family: those of kinds and forms, from the list of releases, then those that belong to no
/// kind.
fn families() -> Vec<Family> {
    let mut all: Vec<Family> = Vec::new();
    let mut add = |word: String, entries: Vec<&'static Info>| {
        let known = all.iter().position(|(known, _)| *known == word);
        let place = known.unwrap_or_else(|| {
            all.push((word, Vec::new()));
            all.len() - 1
        });
        for info in entries {
            if all[place].1.iter().all(|known| known.name != info.name) {
                all[place].1.push(info);
            }
        }
    };
    for entry in sfumato::RELEASES.all() {
        add(entry.models_family().into(), entry.models());
    }
    for entry in sfumato::RELEASES.all() {
        add(entry.algorithms_family(), entry.algorithms());
    }
    for entry in sfumato::RELEASES.all() {
        add(entry.metrics_family(), entry.metrics());
    }
    add("basket-forms".into(), sfumato_sets::data::layout::ALL.to_vec());
    let infos = |list: Vec<&'static Info>| list;
    add("risks".into(), infos(risks::estimate::ALL.iter().map(|entry| entry.info()).collect()));
    add("hierarchies".into(), infos(hierarchies::ALL.iter().map(|entry| entry.info()).collect()));
    add("generators".into(), infos(generators::ALL.iter().map(|entry| entry.info()).collect()));
    add("workloads".into(), infos(workloads::ALL.iter().map(|entry| entry.info()).collect()));
    add("learners".into(), infos(learners::ALL.iter().map(|entry| entry.info()).collect()));
    add("clusterers".into(), infos(clusterers::ALL.iter().map(|entry| entry.info()).collect()));
    all.retain(|(_, entries)| !entries.is_empty());
    all
}

impl List {
    pub fn run(self, _: &Context) -> Result<u8> {
        let mut families = families();
        if let Some(asked) = &self.family {
            let words: Vec<String> = families.iter().map(|(word, _)| word.clone()).collect();
            families.retain(|(word, _)| word == asked);
            if families.is_empty() {
                return Err(Error::params(format!(
                    "there is no family '{asked}' in the catalogue"
                ))
                .hint(format!("families are {}", words.join(", "))));
            }
        }
        if let (Some(name), Some((word, all))) = (&self.name, families.first()) {
            let singular = match word.as_str() {
                "hierarchies" => "hierarchy",
                word => word.trim_end_matches('s'),
            };
            let info = |info: &Info| static_info(all, info);
            let info = sfumato_core::registry::find(singular, all, info, name)?;
            print(&static_info(all, info).page())?;
            return Ok(0);
        }
        if let Some(folder) = &self.pages {
            return write_pages(folder, &families).map(|()| 0);
        }
        if self.json {
            let json: serde_json::Map<String, serde_json::Value> = families
                .iter()
                .map(|(word, entries)| {
                    (word.clone(), entries.iter().map(|info| entry_json(info)).collect())
                })
                .collect();
            print(&(to_json(&json)? + "\n"))?;
            return Ok(0);
        }
        let mut text = String::new();
        for (word, entries) in families {
            let _ = writeln!(text, "{word}");
            for info in entries {
                let _ = writeln!(text, "  {:<28} {}", info.name, info.summary);
            }
            let _ = writeln!(text);
        }
        text.push_str(
            "'sfumato list FAMILY NAME' shows an entry's page: parameters, papers, cost and \
                limits.\n",
        );
        print(&text)?;
        Ok(0)
    }
}

/// Write one page per entry, in a folder per family, and an index.
fn write_pages(folder: &str, families: &[Family]) -> Result<()> {
    let mut index = String::from("# Reference\n\nMade from the code by `cargo xtask docs`.\n");
    for (word, entries) in families {
        let folder = Path::new(folder).join(word);
        std::fs::create_dir_all(&folder)
            .map_err(|error| Error::io(&folder, "make the folder", &error))?;
        let _ = writeln!(index, "\n## {word}\n");
        for info in entries {
            let path = folder.join(format!("{}.md", info.name));
            sfumato_io::write_text_atomically(&path, &info.page(), false)?;
            let _ = writeln!(index, "- [{}]({word}/{}.md): {}", info.name, info.name, info.summary);
        }
    }
    sfumato_io::write_text_atomically(&Path::new(folder).join("README.md"), &index, false)
}

/// The entry of a list as `'static`, which the finder can't return itself.
fn static_info(all: &[&'static Info], info: &Info) -> &'static Info {
    all.iter().find(|entry| entry.name == info.name).expect("the finder looks among these entries")
}

fn entry_json(info: &Info) -> serde_json::Value {
    serde_json::json!({
        "name": info.name,
        "summary": info.summary,
        "params": info.params.iter().map(|param| serde_json::json!({
            "name": param.name,
            "type": param.kind.range(),
            "default": param.default,
            "required": !param.optional,
            "help": param.help,
        })).collect::<Vec<_>>(),
        "papers": info.papers.iter().map(|paper| serde_json::json!({
            "authors": paper.authors, "title": paper.title, "venue": paper.venue,
                "year": paper.year,
        })).collect::<Vec<_>>(),
    })
}
