//! The section of a report about generalized baskets: what is published for how many items.

use serde::Serialize;
use sfumato_report::numbers::count;
use sfumato_report::{
    Audit, Block, Heading, Place, Section, Words, figures_of, name_list, shorten,
};

use crate::job::Job;

/// The number of nodes that the page shows. The JSON has all of them.
const SHOWN: usize = 50;
/// The length to which labels are cut on the page. The JSON has the whole labels.
const CELL: usize = 60;

/// How a recipient must read the release.
const MEANING: &str = "a node of a row says that the record has at least one of the items below it";

/// The names for records and items of generalized baskets in reports.
pub(super) fn words() -> Words {
    let truthful = "Records are truthful: each published node stands above an item of its record.";
    Words { cells: "items", suppresses: false, truthful, ..Words::default() }
}

/// Figures about items of the original and nodes of the release.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Nodes {
    /// The layout of the input, as in the job.
    pub layout: String,
    /// The layout of the release.
    pub release_layout: String,
    /// The number of different items of the original.
    pub items: u64,
    /// The number of items of all records of the original.
    pub instances: u64,
    /// The number of different nodes of the release.
    pub nodes: u64,
    /// The number of nodes of all rows.
    pub published: u64,
    /// The number of items that are left out of all records.
    pub suppressed_items: u64,
    /// The names of sensitive items, which are published as they are.
    pub sensitive: Vec<String>,
    /// Every published node, those in most rows first.
    pub by_node: Vec<NodeFigures>,
}

/// One node.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct NodeFigures {
    /// Its label.
    pub label: String,
    /// The number of items that it stands for.
    pub items: u64,
    /// The number of rows that have it.
    pub rows: u64,
}

/// The public part of the section: the layout of the released file.
#[derive(Serialize)]
struct PublicNodes<'a> {
    form: &'a str,
    sensitive: &'a [String],
    meaning: &'static str,
}

impl Nodes {
    /// The section about nodes. Counts of the original are private: the public page has none.
    pub fn section(&self) -> Section {
        let public = PublicNodes {
            form: &self.release_layout,
            sensitive: &self.sensitive,
            meaning: MEANING,
        };
        Section {
            place: Place::Details,
            public: Some(figures_of(&public)),
            blocks: self.blocks(),
            ..Section::new("baskets", "Items", self)
        }
    }

    /// The content of the input in words.
    pub fn holds(&self) -> String {
        format!("{} different items, {} in all", count(self.items), count(self.instances))
    }

    /// What `sfumato audit` must be told.
    pub fn audit(&self, job: &Job) -> Audit {
        let mut audit = Audit::default();
        audit.add_public("--baskets", &self.release_layout);
        audit.add_original();
        audit.add_private("--original-baskets", &self.layout);
        if let Some(hierarchy) = &job.baskets.hierarchy {
            audit.add_private("--item-hierarchy", hierarchy);
        }
        if !self.sensitive.is_empty() {
            let names: Vec<&str> = self.sensitive.iter().map(String::as_str).collect();
            audit.add_public("--sensitive-items", &name_list(&names));
        }
        job.input.missing.iter().for_each(|token| audit.add_private("--missing", token));
        audit
    }

    fn blocks(&self) -> Vec<Block> {
        let words = format!(
            "{} different items are published as {} nodes, {} instances as {}. {} items are left \
             out of all records. {MEANING}.",
            count(self.items),
            count(self.nodes),
            count(self.instances),
            count(self.published),
            count(self.suppressed_items),
        );
        let table = Block::Table {
            caption: "Nodes that most rows have".into(),
            header: vec![
                Heading::words("Node"),
                Heading::numbers("Items below it"),
                Heading::numbers("Rows"),
            ],
            rows: self.by_node.iter().take(SHOWN).map(NodeFigures::row).collect(),
        };
        let mut blocks = vec![Block::Paragraph(words), table];
        if self.by_node.len() > SHOWN {
            let more = count((self.by_node.len() - SHOWN) as u64);
            blocks.push(Block::Paragraph(format!("And {more} more; the JSON has them all.")));
        }
        blocks
    }
}

impl NodeFigures {
    fn row(&self) -> Vec<String> {
        vec![shorten(&self.label, CELL), count(self.items), count(self.rows)]
    }
}
