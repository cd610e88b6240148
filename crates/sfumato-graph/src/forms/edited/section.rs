//! The section of a report about a graph whose edges were changed.

use serde::Serialize;
use sfumato_report::numbers::{count, percent};
use sfumato_report::{Block, Heading, Section, Tile, figures_of};

use crate::forms::figures::{HidingFrom, known};

/// Figures about a graph and its release.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Told {
    /// How the release lies in its file.
    pub layout: String,
    /// The number of nodes.
    pub nodes: u64,
    /// The number of edges of the release.
    pub edges: u64,
    /// The number of edges of the original.
    pub edges_before: u64,
    /// How many edges were added.
    pub added: u64,
    /// How many edges were deleted.
    pub deleted: u64,
    /// How many edges of the input led from a node to itself and were left out.
    pub loops: u64,
    /// How many edges of the input were there before, in either direction, and were left out.
    pub repeated: u64,
    /// How well nodes hid in the original.
    pub hiding_before: Vec<HidingFrom>,
    /// How well nodes hide in the release.
    pub hiding: Vec<HidingFrom>,
}

/// What a recipient may know.
#[derive(Serialize)]
struct Public<'a> {
    layout: &'a str,
    nodes: u64,
    edges: u64,
    added: u64,
    deleted: u64,
    hiding: &'a [HidingFrom],
}

impl Told {
    /// The section.
    /// `pictures` are for the steward, `shown` for recipients.
    pub fn section(&self, pictures: Vec<Block>, shown: Block) -> Section {
        let Told { layout, nodes, edges, added, deleted, hiding, .. } = self;
        let public = Public {
            layout,
            nodes: *nodes,
            edges: *edges,
            added: *added,
            deleted: *deleted,
            hiding,
        };
        let changed = added + deleted;
        let share = percent(changed as f64 / self.edges_before.max(1) as f64);
        Section {
            public: Some(figures_of(&public)),
            tiles: vec![Tile::new("Edges changed", count(changed), format!("{share} of all"))],
            lines: vec![
                ("graph".into(), self.words()),
                ("changed".into(), format!("{}, {share} of all edges", self.changes())),
            ],
            blocks: [
                Block::Paragraph(format!("{}. {}.", self.words(), self.changes())),
                self.table(true),
            ]
            .into_iter()
            .chain(pictures)
            .collect(),
            public_blocks: vec![
                Block::Banner(format!(
                    "Edges of this graph were changed: {}. Nodes have random numbers.",
                    self.changes()
                )),
                self.table(false),
                shown,
            ],
            ..Section::new("graph", "Graph", self)
        }
    }

    fn words(&self) -> String {
        let edges = match self.edges == self.edges_before {
            true => count(self.edges),
            false => format!("{} (before {})", count(self.edges), count(self.edges_before)),
        };
        format!("{} nodes, {edges} edges", count(self.nodes))
    }

    fn changes(&self) -> String {
        format!("{} edges added, {} deleted", count(self.added), count(self.deleted))
    }

    fn table(&self, is_private: bool) -> Block {
        let mut header = vec![
            Heading::words("Who knows of a node"),
            Heading::numbers("candidate sets"),
            Heading::numbers("smallest"),
            Heading::numbers("nodes alone"),
            Heading::numbers("guessed right"),
        ];
        if is_private {
            header.push(Heading::numbers("alone before"));
            header.push(Heading::numbers("guessed right before"));
        }
        let row = |(place, now): (usize, &HidingFrom)| {
            let mut row = vec![
                known(&now.knowledge).to_string(),
                count(now.classes),
                count(now.smallest),
                count(now.unique),
                percent(now.guessed),
            ];
            if is_private {
                let before = self.hiding_before.get(place);
                row.push(before.map_or(String::new(), |before| count(before.unique)));
                row.push(before.map_or(String::new(), |before| percent(before.guessed)));
            }
            row
        };
        Block::Table {
            caption: "How well nodes hide".into(),
            header,
            rows: self.hiding.iter().enumerate().map(row).collect(),
        }
    }
}
