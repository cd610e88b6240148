//! The section of a report about suppressed paths: points before and after.

use serde::Serialize;
use sfumato_report::numbers::{count, percent};
use sfumato_report::{Block, Heading, Place, Section, Words, figures_of};

/// The number of points that the page shows. The JSON has all of them.
const SHOWN: usize = 50;

/// The names for records and steps of paths in reports.
pub(crate) fn words() -> Words {
    Words {
        cells: "points",
        cost: "Kept",
        cost_note: "What is left of the paths, over the whole release. Points that were left out \
                    can't be told from points that never were there.",
        ..Words::default()
    }
}

/// Figures about points of the original and of the release.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct PathSection {
    /// The layout of the input, as in the job.
    pub layout: String,
    /// The layout of the release.
    pub release_layout: String,
    /// The number of paths of the original.
    pub paths: u64,
    /// The number of published paths.
    pub paths_published: u64,
    /// The number of paths of which nothing is left.
    pub emptied: u64,
    /// The number of points of all paths of the original.
    pub points: u64,
    /// The number of published points.
    pub points_published: u64,
    /// The number of different points of the original.
    pub different: u64,
    /// The number of different points that are published.
    pub different_published: u64,
    /// How many minimal violating sequences there were.
    pub violating: u64,
    /// How many paths make a sequence frequent.
    pub support: u64,
    /// The number of maximal frequent sequences of the original. `None` if there are too many to
    /// count.
    pub frequent: Option<u64>,
    /// The number of maximal frequent sequences of the release.
    pub frequent_published: Option<u64>,
    /// The number of those of the original that are maximal frequent in the release.
    pub frequent_kept: Option<u64>,
    /// What columns beside the path keep since they were generalized.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<String>,
    /// Every point that lost something, those that lost most first.
    pub by_point: Vec<PointLoss>,
}

/// What one point lost.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct PointLoss {
    /// The name of the point.
    pub name: String,
    /// The number of paths with it.
    pub paths: u64,
    /// The number of published paths with it.
    pub published: u64,
}

/// The public part of the section: the layout of the released file.
#[derive(Serialize)]
struct PublicPaths<'a> {
    layout: &'a str,
}

impl PathSection {
    /// The section. Counts of the original are private: the public page has none.
    pub(crate) fn section(&self) -> Section {
        let public = PublicPaths { layout: &self.release_layout };
        Section {
            place: Place::Details,
            public: Some(figures_of(&public)),
            blocks: self.blocks(),
            ..Section::new("paths", "Paths", self)
        }
    }

    /// The content of the input in words.
    pub(crate) fn holds(&self) -> String {
        format!("{} points, {} different", count(self.points), count(self.different))
    }

    fn blocks(&self) -> Vec<Block> {
        let share = |part: u64, whole: u64| percent(part as f64 / whole.max(1) as f64);
        let mut words = format!(
            "Of {} different points {} are published; of all points of all paths {}. Of {} paths \
             nothing is left. There were {} minimal violating sequences.",
            count(self.different),
            count(self.different_published),
            share(self.points_published, self.points),
            count(self.emptied),
            count(self.violating),
        );
        if let (Some(before), Some(kept)) = (self.frequent, self.frequent_kept) {
            words += &format!(
                " Of {} maximal frequent sequences, those that {} paths have, {} are kept.",
                count(before),
                count(self.support),
                count(kept)
            );
        }
        let row = |point: &PointLoss| {
            vec![
                point.name.clone(),
                count(point.paths),
                count(point.published),
                share(point.published, point.paths),
            ]
        };
        let table = Block::Table {
            caption: "Points that lost most".into(),
            header: vec![
                Heading::words("Point"),
                Heading::numbers("Paths with it"),
                Heading::numbers("Published"),
                Heading::numbers("Kept"),
            ],
            rows: self.by_point.iter().take(SHOWN).map(row).collect(),
        };
        let mut blocks = vec![Block::Paragraph(words)];
        if !self.beside.is_empty() {
            let words = "Columns beside the path were generalized, and the table of them keeps:";
            blocks.extend([Block::Paragraph(words.into()), Block::List(self.beside.clone())]);
        }
        if !self.by_point.is_empty() {
            blocks.push(table);
        }
        blocks
    }
}
