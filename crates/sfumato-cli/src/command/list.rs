//! `sfumato list [FAMILY] [NAME]`: the catalogue.

use std::fmt::Write as _;
use std::path::Path;

use clap::{Args, ValueEnum};
use sfumato::catalogue::{clusterers, generators, hierarchies, learners, risks, sets, table, workloads};
use sfumato::registry::Info;
use sfumato::{Error, Result};

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
    /// Write the page of every entry into this folder, as Markdown.
    #[arg(long, value_name = "FOLDER")]
    pages: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Family {
    Models,
    SetModels,
    Algorithms,
    SetAlgorithms,
    BucketAlgorithms,
    BitmapAlgorithms,
    Metrics,
    SetMetrics,
    BucketMetrics,
    BitmapMetrics,
    BasketForms,
    Risks,
    Hierarchies,
    Generators,
    Workloads,
    Learners,
    Clusterers,
}

const FAMILIES: [(Family, &str); 17] = [
    (Family::Models, "models"),
    (Family::SetModels, "set-models"),
    (Family::Algorithms, "algorithms"),
    (Family::SetAlgorithms, "set-algorithms"),
    (Family::BucketAlgorithms, "bucket-algorithms"),
    (Family::BitmapAlgorithms, "bitmap-algorithms"),
    (Family::Metrics, "metrics"),
    (Family::SetMetrics, "set-metrics"),
    (Family::BucketMetrics, "bucket-metrics"),
    (Family::BitmapMetrics, "bitmap-metrics"),
    (Family::BasketForms, "basket-forms"),
    (Family::Risks, "risks"),
    (Family::Hierarchies, "hierarchies"),
    (Family::Generators, "generators"),
    (Family::Workloads, "workloads"),
    (Family::Learners, "learners"),
    (Family::Clusterers, "clusterers"),
];

fn entries(family: Family) -> Vec<&'static Info> {
    match family {
        Family::Models => table::models::ALL.iter().map(|entry| entry.info()).collect(),
        Family::SetModels => sets::models::ALL.iter().map(|entry| entry.info()).collect(),
        Family::Algorithms => table::algorithms::all().iter().map(|entry| entry.info()).collect(),
        Family::SetAlgorithms => sets::algorithms::all().iter().map(|entry| entry.info()).collect(),
        Family::BucketAlgorithms => sets::algorithms::buckets::ALL.iter().map(|entry| entry.info()).collect(),
        Family::BitmapAlgorithms => {
            sets::algorithms::nonreciprocal::ALL.iter().map(|entry| entry.info()).collect()
        }
        Family::BitmapMetrics => sets::metrics::bitmaps::ALL.iter().map(|entry| entry.info()).collect(),
        Family::BucketMetrics => sets::metrics::buckets::ALL.iter().map(|entry| entry.info()).collect(),
        Family::SetMetrics => sets::metrics::subsets::ALL.iter().map(|entry| entry.info()).collect(),
        Family::BasketForms => sfumato::sets::data::layout::ALL.to_vec(),
        Family::Metrics => table::metrics::ALL.iter().map(|entry| entry.info()).collect(),
        Family::Risks => risks::estimate::ALL.iter().map(|entry| entry.info()).collect(),
        Family::Hierarchies => hierarchies::ALL.iter().map(|entry| entry.info()).collect(),
        Family::Generators => generators::ALL.iter().map(|entry| entry.info()).collect(),
        Family::Workloads => workloads::ALL.iter().map(|entry| entry.info()).collect(),
        Family::Learners => learners::ALL.iter().map(|entry| entry.info()).collect(),
        Family::Clusterers => clusterers::ALL.iter().map(|entry| entry.info()).collect(),
    }
}

impl List {
    pub fn run(self, _: &Context) -> Result<u8> {
        let families: Vec<_> =
            FAMILIES.iter().filter(|(family, _)| self.family.is_none_or(|asked| asked == *family)).collect();
        if let (Some(name), Some((family, word))) = (&self.name, families.first()) {
            let all = entries(*family);
            let singular = match *word {
                "hierarchies" => "hierarchy",
                word => word.trim_end_matches('s'),
            };
            let info = sfumato::registry::find(singular, &all, |info: &Info| static_info(&all, info), name)?;
            print(&static_info(&all, info).page())?;
            return Ok(0);
        }
        if let Some(folder) = &self.pages {
            return write_pages(folder, &families).map(|()| 0);
        }
        if self.json {
            let json: serde_json::Map<String, serde_json::Value> = families
                .iter()
                .map(|(family, word)| {
                    ((*word).to_string(), entries(*family).iter().map(|i| to_json(i)).collect())
                })
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
        text.push_str(
            "'sfumato list FAMILY NAME' shows an entry's page: parameters, papers, cost and limits.\n",
        );
        print(&text)?;
        Ok(0)
    }
}

/// One page per entry in a folder per family, and an index.
fn write_pages(folder: &str, families: &[&(Family, &str)]) -> Result<()> {
    let mut index = String::from("# Reference\n\nMade from the code by `cargo xtask docs`.\n");
    for (family, word) in families {
        let folder = Path::new(folder).join(word);
        std::fs::create_dir_all(&folder).map_err(|error| Error::io(&folder, "make the folder", &error))?;
        let _ = writeln!(index, "\n## {word}\n");
        for info in entries(*family) {
            let path = folder.join(format!("{}.md", info.name));
            sfumato::files::write_text_atomically(&path, &info.page(), false)?;
            let _ = writeln!(index, "- [{}]({word}/{}.md): {}", info.name, info.name, info.summary);
        }
    }
    sfumato::files::write_text_atomically(&Path::new(folder).join("README.md"), &index, false)
}

/// The entry itself, so that the finder can hand out `'static`.
fn static_info(all: &[&'static Info], info: &Info) -> &'static Info {
    all.iter().find(|entry| entry.name == info.name).expect("the finder looks among these entries")
}

fn to_json(info: &Info) -> serde_json::Value {
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
            "authors": paper.authors, "title": paper.title, "venue": paper.venue, "year": paper.year,
        })).collect::<Vec<_>>(),
    })
}
