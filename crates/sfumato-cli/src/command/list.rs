//! `sfumato list [FAMILY] [NAME]`: the catalogue.

use std::fmt::Write as _;
use std::path::Path;

use clap::Args;
use sfumato_core::registry::{Info, edit_distance};
use sfumato_core::{Error, Result};
use sfumato_generate as generators;
use sfumato_hierarchy as hierarchies;
use sfumato_learn::{cluster as clusterers, learner as learners};
use sfumato_risk as risks;
use sfumato_table::workloads;
use sfumato_text::detectors;

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

/// A family of the catalogue: its word, and its entries.
type Family = (String, Vec<Listed>);

/// An entry of the catalogue.
#[derive(Clone)]
struct Listed {
    info: &'static Info,
    /// What it is or can do, in sentences.
    told: Vec<String>,
}

impl Listed {
    /// An entry of a family that has no capabilities.
    fn plain(info: &'static Info) -> Self {
        Listed { info, told: Vec::new() }
    }
    fn algorithm(info: &'static Info) -> Self {
        Listed { info, told: info.capabilities.describe() }
    }
    /// A model, with the forms of its kind that it can be judged in.
    fn model(family: &str, info: &'static Info) -> Self {
        let forms: Vec<String> = sfumato_kinds::RELEASES
            .all()
            .filter(|entry| entry.models_family() == family)
            .filter(|entry| info.about.can_be_judged(entry.states()))
            .map(|entry| format!("{} of {}", entry.form(), entry.plural()))
            .collect();
        Listed { info, told: info.about.describe(&forms) }
    }
    /// An attack, with the forms of its kind that it can be played on.
    fn attack(family: &str, info: &'static Info) -> Self {
        let forms: Vec<String> = sfumato_kinds::RELEASES
            .all()
            .filter(|entry| entry.attacks_family() == family)
            .filter(|entry| entry.attacks().iter().any(|known| known.name == info.name))
            .map(|entry| format!("{} of {}", entry.form(), entry.plural()))
            .collect();
        Listed { info, told: vec![format!("Played on: {}.", forms.join(", "))] }
    }
    /// A detector, with the classes of what it finds.
    fn detector(detector: &dyn detectors::Detector) -> Self {
        let told = vec![format!("Finds: {}.", detector.classes().join(", "))];
        Listed { info: detector.info(), told }
    }
    fn page(&self) -> String {
        self.info.page(&self.told)
    }
}

/// Every family: those of kinds and forms, from the list of releases, then those that belong to no
/// kind.
fn families() -> Vec<Family> {
    let mut all: Vec<Family> = Vec::new();
    let mut add = |word: String, entries: Vec<Listed>| {
        let known = all.iter().position(|(known, _)| *known == word);
        let place = known.unwrap_or_else(|| {
            all.push((word, Vec::new()));
            all.len() - 1
        });
        for entry in entries {
            if all[place].1.iter().all(|known| known.info.name != entry.info.name) {
                all[place].1.push(entry);
            }
        }
    };
    for entry in sfumato_kinds::RELEASES.all() {
        let family = entry.models_family();
        let models = entry.models().into_iter().map(|info| Listed::model(family, info));
        add(family.into(), models.collect());
    }
    for entry in sfumato_kinds::RELEASES.all() {
        add(
            entry.algorithms_family(),
            entry.algorithms().into_iter().map(Listed::algorithm).collect(),
        );
    }
    for entry in sfumato_kinds::RELEASES.all() {
        add(entry.metrics_family(), entry.metrics().into_iter().map(Listed::plain).collect());
    }
    for entry in sfumato_kinds::RELEASES.all() {
        let family = entry.attacks_family();
        let attacks = entry.attacks().into_iter().map(|info| Listed::attack(&family, info));
        add(family.clone(), attacks.collect());
    }
    let infos = |list: Vec<&'static Info>| list.into_iter().map(Listed::plain).collect();
    add("basket-layouts".into(), infos(sfumato_sets::data::layout::ALL.to_vec()));
    add("query-layouts".into(), infos(sfumato_queries::data::layout::ALL.to_vec()));
    add("path-layouts".into(), infos(sfumato_paths::data::layout::ALL.to_vec()));
    add("detectors".into(), detectors::ALL.iter().map(|entry| Listed::detector(*entry)).collect());
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
                let near = words.iter().min_by_key(|word| edit_distance(word, asked));
                let near = near.filter(|word| edit_distance(word, asked) <= 2);
                let hint = match near {
                    Some(near) => format!("did you mean '{near}'? 'sfumato list' shows all"),
                    // There are more than anybody reads in a hint.
                    None => "'sfumato list' shows all families; those of tables are models, \
                             algorithms, metrics, attacks and risks"
                        .into(),
                };
                let message = format!("there is no family '{asked}' in the catalogue");
                return Err(Error::params(message).hint(hint));
            }
        }
        if let (Some(name), Some((word, all))) = (&self.name, families.first()) {
            let singular = match word.as_str() {
                "hierarchies" => "hierarchy",
                word => word.trim_end_matches('s'),
            };
            let infos: Vec<&Info> = all.iter().map(|entry| entry.info).collect();
            let info = |info: &Info| listed(all, info).info;
            let info = sfumato_core::registry::find(singular, &infos, info, name)?;
            print(&listed(all, info).page())?;
            return Ok(0);
        }
        if let Some(folder) = &self.pages {
            return write_pages(folder, &families).map(|()| 0);
        }
        if self.json {
            let json: serde_json::Map<String, serde_json::Value> = families
                .iter()
                .map(|(word, entries)| (word.clone(), entries.iter().map(entry_json).collect()))
                .collect();
            print(&(to_json(&json)? + "\n"))?;
            return Ok(0);
        }
        let mut text = String::new();
        for (word, entries) in families {
            let _ = writeln!(text, "{word}");
            for Listed { info, .. } in entries {
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
        for entry in entries {
            let info = entry.info;
            let path = folder.join(format!("{}.md", info.name));
            sfumato_io::write_text_atomically(&path, &entry.page(), false)?;
            let _ = writeln!(index, "- [{}]({word}/{}.md): {}", info.name, info.name, info.summary);
        }
    }
    sfumato_io::write_text_atomically(&Path::new(folder).join("README.md"), &index, false)
}

/// The entry itself, so that the finder can hand out `'static`.
fn listed<'a>(all: &'a [Listed], info: &Info) -> &'a Listed {
    all.iter()
        .find(|entry| entry.info.name == info.name)
        .expect("the finder looks among these entries")
}

fn entry_json(Listed { info, told }: &Listed) -> serde_json::Value {
    serde_json::json!({
        "name": info.name,
        "summary": info.summary,
        "at_a_glance": told,
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
