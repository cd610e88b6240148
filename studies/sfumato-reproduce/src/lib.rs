//! Repeats experiments of papers with this implementation. Each paper is a folder, each figure or
//! table of it one file and one line of a list.
//!
//! - [`figure`]: what a figure is, and how large an experiment is run.
//! - [`found`]: what came out: tables with their spread, the paper's claims with what was measured,
//!   notes.
//! - [`claims`]: sentences of papers with the rules that decide them, controls and verdicts.
//! - [`render`]: the same as words, CSV, SVG and a Markdown page.
//! - [`bench`]: what experiments share: data sets in memory, training and test parts, recodings,
//!   scores.
//!
//! Whatever differs from the paper (data that can't be had, fewer trials, a claim that doesn't
//! hold) is said in the result. Nothing here publishes anything or prints; equal settings give
//! equal results for any number of threads. Only figures about run time know of a clock, and say
//! so: of theirs the shape is equal.

pub mod bench;
pub mod claims;
pub mod figure;
pub mod found;
pub mod render;

pub use figure::{DEFAULT_SEED, Figure, FigureInfo, Paper, PaperInfo, Settings, Size};
pub use found::{Cell, FigureResult, Number, Plot, Row, Table};

use sfumato_core::{Error, Result};

sfumato_core::registry! {
    /// Every paper, in the order they are shown.
    dyn Paper:
    lefevre::LeFevre,
    fung::Fung,
    rothko::Rothko,
    podgursky::Podgursky,
    ghinita::Ghinita,
    xu::Xu,
    xue::Xue,
}

/// Find a paper by name.
pub fn find_paper(name: &str) -> Result<&'static dyn Paper> {
    let known = || ALL.iter().map(|paper| paper.info().name).collect::<Vec<_>>().join(", ");
    let found = ALL.iter().copied().find(|paper| paper.info().name == name);
    found.ok_or_else(|| {
        Error::params(format!("there is no paper '{name}' to reproduce"))
            .hint(format!("the papers are {}", known()))
    })
}

/// The figures of a paper by their names; all of them if none is named.
pub fn find_figures(paper: &dyn Paper, names: &[String]) -> Result<Vec<&'static dyn Figure>> {
    if names.is_empty() {
        return Ok(paper.figures().to_vec());
    }
    let known =
        || paper.figures().iter().map(|figure| figure.info().name).collect::<Vec<_>>().join(", ");
    let find = |name: &String| {
        let found = paper.figures().iter().copied().find(|figure| figure.info().name == name);
        found.ok_or_else(|| {
            Error::params(format!("'{}' has no figure '{name}'", paper.info().name))
                .hint(format!("its figures are {}", known()))
        })
    };
    names.iter().map(find).collect()
}

/// The number of seeds that claims are measured with where none is asked.
pub const DEFAULT_SEEDS: u64 = 5;

/// Run a figure with several seeds, one after the other from that of the settings on: its tables
/// are those of the first, its claims have what all of them measured.
pub fn run_seeds(figure: &dyn Figure, settings: &Settings<'_>, seeds: u64) -> Result<FigureResult> {
    let mut result = run(figure, settings)?;
    if result.skipped.is_none() {
        for further in 1..seeds {
            let seed = settings.seed.wrapping_add(further);
            result.add_seed(&run(figure, &settings.with_seed(seed))?)?;
        }
    }
    Ok(result)
}

/// Run a figure; one whose data isn't there is skipped, and its result says why.
pub fn run(figure: &dyn Figure, settings: &Settings<'_>) -> Result<FigureResult> {
    let info = figure.info();
    let absent = info.files.iter().find(|file| !settings.data.join(file).exists());
    if let Some(file) = absent {
        return Ok(FigureResult::skipped(
            info,
            format!(
                "skipped: {file} isn't in the data folder (--data DIR or SFUMATO_DATA says where \
                    it is)"
            ),
        ));
    }
    let result = figure.run(settings)?;
    Ok(FigureResult { seeds: vec![settings.seed], ..result })
}

#[cfg(test)]
mod tests;
