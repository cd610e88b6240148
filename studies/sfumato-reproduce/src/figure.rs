//! Defines a paper, its figures, and the size of an experiment.

use std::path::PathBuf;

use sfumato_core::Result;
use sfumato_core::observer::{Observer, Unobserved};

use crate::claims::{Nulls, Untested};
use crate::found::FigureResult;

/// A paper, for the list and the head of its page.
#[derive(Debug, Clone, Copy)]
pub struct PaperInfo {
    /// What it is called on the command line.
    pub name: &'static str,
    /// Authors, title, venue, year.
    pub citation: &'static str,
    /// What holds for all its figures: stand-ins for data, settings, how numbers were made.
    /// Markdown.
    pub about: &'static str,
    /// Sentences that state a result and can't be tested here, with the reason.
    pub untested: &'static [Untested],
}

/// A paper whose experiments can be run again.
pub trait Paper: Sync {
    /// The authors, title and summary of the paper.
    fn info(&self) -> &'static PaperInfo;
    /// The figures of the paper, in its order.
    fn figures(&self) -> &'static [&'static dyn Figure];
}

/// The description of a figure, which is known before it is run.
#[derive(Debug, Clone, Copy)]
pub struct FigureInfo {
    /// What it is called on the command line, such as `fig6`.
    pub name: &'static str,
    /// What it shows, in a line.
    pub caption: &'static str,
    /// What the paper says of it, in our words: settings, numbers and claims.
    pub paper: &'static str,
    /// The data that are used, and what they are a substitute for.
    pub data: &'static str,
    /// The files of the data folder that it needs; without one of them it is skipped.
    pub files: &'static [&'static str],
}

/// A figure or table of a paper, as an experiment.
pub trait Figure: Sync {
    /// The description of the figure.
    fn info(&self) -> &'static FigureInfo;
    /// Run the experiment. Its files are there when this is called.
    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult>;
}

/// How large an experiment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// A fraction of a second: whether it runs at all.
    Tiny,
    /// Seconds: which way it goes.
    Quick,
    /// As large as in the paper, or as the result states.
    Full,
}

/// The seed of runs for which none is asked.
pub const DEFAULT_SEED: u64 = 1;

/// How to run.
pub struct Settings<'a> {
    /// How large.
    pub size: Size,
    /// Where all random choices start from.
    pub seed: u64,
    /// Records of the inputs of a scale-up, for figures that have one; what the size says without
    /// it.
    pub rows: Option<Vec<u64>>,
    /// The folder of real data.
    pub data: PathBuf,
    /// Progress, and whether to stop.
    pub observer: &'a dyn Observer,
}

impl Settings<'_> {
    /// The settings without an observer: for parts that run in parallel, each of which would report
    /// its own progress.
    pub fn unobserved(&self) -> Settings<'static> {
        Settings {
            size: self.size,
            seed: self.seed,
            rows: self.rows.clone(),
            data: self.data.clone(),
            observer: &Unobserved,
        }
    }

    /// The same with another seed.
    pub fn with_seed(&self, seed: u64) -> Settings<'_> {
        Settings {
            size: self.size,
            seed,
            rows: self.rows.clone(),
            data: self.data.clone(),
            observer: self.observer,
        }
    }

    /// What makes the controls of a figure.
    pub fn nulls(&self) -> Nulls {
        Nulls::new(self.seed_of(&[u64::MAX]))
    }

    /// One of three by size.
    pub fn pick<T>(&self, tiny: T, quick: T, full: T) -> T {
        match self.size {
            Size::Tiny => tiny,
            Size::Quick => quick,
            Size::Full => full,
        }
    }

    /// The numbers of records of a scale-up, ascending: those asked for, else one of three lists by
    /// size.
    pub fn scale_up(&self, tiny: &[u64], quick: &[u64], full: &[u64]) -> Vec<u64> {
        let mut rows = self.rows.clone().unwrap_or_else(|| self.pick(tiny, quick, full).to_vec());
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// A seed for a part of the experiment. Parts are identified by any numbers.
    pub fn seed_of(&self, part: &[u64]) -> u64 {
        // SplitMix64's step over the words: neighbours end up far apart.
        let mix = |state: u64, word: &u64| {
            let mut z = (state ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        // Parameters of generators hold no more than 63 bits.
        part.iter().fold(mix(0, &self.seed), mix) >> 1
    }
}
