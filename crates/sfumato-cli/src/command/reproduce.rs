//! `sfumato reproduce PAPER [FIGURE...]`: a paper's experiments with this implementation, and
//! whether its claims hold.

use std::path::{Path, PathBuf};

use clap::Args;
use sfumato_core::Result;
use sfumato_reproduce::{
    ALL, DEFAULT_SEED, DEFAULT_SEEDS, FigureResult, Paper, Settings, Size, find_figures,
    find_paper, render, run_seeds,
};

use super::out_folder::{check_folder, write_file};
use super::{Context, print, set_threads};

/// Shown below the flags of `reproduce --help`.
const ABOUT: &str = "\
Each claim is measured with several seeds, beside a control that must fail its rule. A claim that \
doesn't hold is said and is no error: the exit code is 0. Figures that need real data \
are skipped where its folder isn't \
there. Equal seeds give equal figures, but for times.

With -o DIR the folder gets results.json, and for each figure FIGURE.csv and FIGURE.svg.";

#[derive(Args)]
#[command(after_long_help = ABOUT)]
pub struct Reproduce {
    /// The paper; --list shows all.
    #[arg(required_unless_present = "list")]
    paper: Option<String>,
    /// The figures of the paper; all of them without it.
    figures: Vec<String>,
    /// List papers and their figures, and run nothing.
    #[arg(long)]
    list: bool,
    /// Fewer trials: seconds instead of minutes.
    #[arg(long)]
    quick: bool,
    /// How many records the inputs of a scale-up have (figures of run time), such as
    /// 1000000,10000000; their data go to the folder for temporary files.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser =
        clap::value_parser!(u64).range(1000..))]
    rows: Option<Vec<u64>>,
    /// Where random choices start from.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, value_parser =
        clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    /// How many seeds claims are measured with, one after the other from --seed on; fewer than
    /// three give no interval, so that nothing can be told.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEEDS, value_parser =
        clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    /// The folder of real data [default: SFUMATO_DATA, or ../shared/data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The folder for all results; it is made if it doesn't exist.
    #[arg(short, long = "output", alias = "out", value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write a page PAPER.md and its pictures into this folder.
    #[arg(long, value_name = "DIR")]
    docs: Option<PathBuf>,
    /// Print everything to standard output as one JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

impl Reproduce {
    pub fn run(self, context: &Context) -> Result<u8> {
        let Some(name) = self.paper.as_ref().filter(|_| !self.list) else {
            print(&list())?;
            return Ok(0);
        };
        let paper = find_paper(name)?;
        let figures = find_figures(paper, &self.figures)?;
        self.out.iter().chain(&self.docs).try_for_each(|folder| check_folder(folder))?;
        set_threads(context, None)?;
        let data =
            self.data.clone().or_else(|| std::env::var_os("SFUMATO_DATA").map(PathBuf::from));
        let settings = Settings {
            size: if self.quick { Size::Quick } else { Size::Full },
            seed: self.seed,
            rows: self.rows.clone(),
            data: data.unwrap_or_else(|| PathBuf::from("../shared/data")),
            observer: &context.progress,
        };
        let mut results = Vec::new();
        for figure in figures {
            let result = run_seeds(figure, &settings, self.seeds)?;
            // Figures take minutes: each is shown when it is there.
            if !self.json {
                print(&(render::words(&result) + "\n"))?;
            }
            results.push(result);
        }
        if self.json {
            print(&render::json(name, self.seed, &results))?;
        }
        self.write(paper, &results)?;
        Ok(0)
    }

    /// What makes the page again.
    fn command(&self, paper: &str) -> String {
        let mut words = format!("sfumato reproduce {paper}");
        self.figures.iter().for_each(|figure| words += &format!(" {figure}"));
        if self.quick {
            words += " --quick";
        }
        if let Some(rows) = &self.rows {
            let rows: Vec<String> = rows.iter().map(u64::to_string).collect();
            words += &format!(" --rows {}", rows.join(","));
        }
        words + &format!(" --seed {} --seeds {} --docs DIR", self.seed, self.seeds)
    }

    fn write(&self, paper: &dyn Paper, results: &[FigureResult]) -> Result<()> {
        let name = paper.info().name;
        if let Some(folder) = &self.out {
            write_file(folder, "results.json", &render::json(name, self.seed, results))?;
            for result in results.iter().filter(|result| result.skipped.is_none()) {
                write_file(folder, &format!("{}.csv", result.name), &render::tables_csv(result))?;
            }
            pictures(folder, results)?;
        }
        if let Some(folder) = &self.docs {
            write_file(
                folder,
                &format!("{name}.md"),
                &render::page(paper.info(), &self.command(name), results),
            )?;
            pictures(&folder.join(name), results)?;
        }
        Ok(())
    }
}

fn pictures(folder: &Path, results: &[FigureResult]) -> Result<()> {
    for result in results {
        if let Some(svg) = render::draw(result) {
            write_file(folder, &format!("{}.svg", result.name), &svg)?;
        }
    }
    Ok(())
}

fn list() -> String {
    let mut out = String::new();
    for paper in ALL {
        let info = paper.info();
        out += &format!("{}  {}\n", info.name, info.citation.replace('*', ""));
        for figure in paper.figures() {
            let info = figure.info();
            let needs = if info.files.is_empty() {
                String::new()
            } else {
                format!(" (needs {})", info.files.join(", "))
            };
            out += &format!("  {:<8} {}{needs}\n", info.name, info.caption);
        }
    }
    out
}
