//! The section of a report about baskets: items before and after, and how to read the release.

use crate::job::Job;
use serde::Serialize;
use sfumato_report::numbers::{count, percent, quantity};
use sfumato_report::{
    Audit, Block, Heading, Place, Section, Words, figures_of, name_list, shorten,
};

/// The number of items that the page shows. The JSON has all of them.
const SHOWN: usize = 50;
/// The length to which names are cut on the page. The JSON has the whole names.
const CELL: usize = 60;

/// The names for records and items of baskets in reports.
pub(crate) fn words() -> Words {
    Words {
        cells: "items",
        cost: "Kept",
        cost_note: "What is left of the items, over the whole release. Suppressed items can't be \
                    told from items that never were there.",
        truthful: "Records are truthful: each published set is what is left of a real one. No item \
                   was added to any.",
        ..Words::default()
    }
}

/// Figures about items of the original and of the release.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct BasketSection {
    /// The layout of the input, as in the job.
    pub layout: String,
    /// The layout of the release, if it is another one.
    pub release_layout: String,
    /// The number of different items of the original.
    pub items: u64,
    /// The number of different items of the release.
    pub items_published: u64,
    /// The number of items of all records of the original.
    pub instances: u64,
    /// The number of items of all records of the release.
    pub instances_published: u64,
    /// The total utility of the original.
    pub utility: f64,
    /// The total utility of the release.
    pub utility_published: f64,
    /// The number of records without items in the original.
    pub empty: u64,
    /// The number of records with items that are published without any. They count as suppressed.
    pub emptied: u64,
    /// The number of different records that the algorithm saw, if identical ones were collapsed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collapsed_to: Option<u64>,
    /// Every item, those that lost most first.
    pub by_item: Vec<Item>,
}

/// One item.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Item {
    /// The name of the item.
    pub name: String,
    /// `quasi` or `sensitive`.
    pub role: String,
    /// The utility of an instance.
    pub utility: f64,
    /// The number of instances in the original.
    pub instances: u64,
    /// The number of published instances.
    pub published: u64,
    /// The number of suppressed instances.
    pub suppressed: u64,
}

/// The public part of the section: the layout of the released file.
#[derive(Serialize)]
struct PublicBaskets<'a> {
    /// The layout, as `audit` takes it.
    layout: &'a str,
    /// The items that are published as they are.
    sensitive: Vec<&'a str>,
}

impl BasketSection {
    /// The section about items. Counts of the original are private: the public page has none.
    pub(crate) fn section(&self) -> Section {
        let public = PublicBaskets { layout: &self.release_layout, sensitive: self.sensitive() };
        Section {
            place: Place::Details,
            public: Some(figures_of(&public)),
            blocks: self.blocks(),
            ..Section::new("baskets", "Items", self)
        }
    }

    /// The content of the input in words.
    pub(crate) fn holds(&self) -> String {
        format!("{} different items, {} in all", count(self.items), count(self.instances))
    }

    /// What `sfumato audit` must be told. Linked files say themselves what they are, and of others
    /// the manifest says it.
    pub(crate) fn audit(&self, job: &Job, is_linked: bool) -> Audit {
        let mut audit = Audit::default();
        if !is_linked {
            audit.add_public("--baskets", &self.release_layout);
        }
        audit.add_original();
        audit.add_private("--original-baskets", &self.layout);
        let sensitive = self.sensitive();
        if !is_linked && !sensitive.is_empty() {
            audit.add_public("--sensitive-items", &name_list(&sensitive));
        }
        job.input.missing.iter().for_each(|token| audit.add_private("--missing", token));
        audit
    }

    /// The names of sensitive items.
    fn sensitive(&self) -> Vec<&str> {
        let sensitive = self.by_item.iter().filter(|item| item.role == "sensitive");
        sensitive.map(|item| item.name.as_str()).collect()
    }

    fn blocks(&self) -> Vec<Block> {
        let words = format!(
            "Of {} different items {} are published; of all items of all records {}, worth {} of \
             what all were worth. {} records are published without any item and count as \
             suppressed; {} had none to begin with.",
            count(self.items),
            count(self.items_published),
            share(self.instances_published as f64, self.instances as f64),
            share(self.utility_published, self.utility),
            count(self.emptied),
            count(self.empty),
        );
        let header = ["Worth", "Records with it", "Published", "Suppressed", "Kept"];
        let table = Block::Table {
            caption: "Items that lost most".into(),
            header: [Heading::words("Item"), Heading::words("Role")]
                .into_iter()
                .chain(header.map(Heading::numbers))
                .collect(),
            rows: self.by_item.iter().take(SHOWN).map(Item::row).collect(),
        };
        let mut blocks = vec![Block::Paragraph(words), table];
        if self.by_item.len() > SHOWN {
            let more = count((self.by_item.len() - SHOWN) as u64);
            blocks.push(Block::Paragraph(format!("And {more} more; the JSON has them all.")));
        }
        blocks
    }
}

impl Item {
    fn row(&self) -> Vec<String> {
        vec![
            shorten(&self.name, CELL),
            self.role.clone(),
            quantity(self.utility),
            count(self.instances),
            count(self.published),
            count(self.suppressed),
            share(self.published as f64, self.instances as f64),
        ]
    }
}

fn share(part: f64, all: f64) -> String {
    if all > 0.0 { percent(part / all) } else { "\u{2013}".into() }
}

#[cfg(test)]
mod tests {
    use sfumato_report::{Output, PublicReport, Report, render_private, render_public, summary};

    use super::*;

    fn item(name: &str, role: &str) -> Item {
        let (name, role) = (name.into(), role.into());
        Item { name, role, utility: 1.0, instances: 4, published: 3, suppressed: 1 }
    }

    #[test]
    fn the_public_report_has_no_counts_of_the_original() {
        let baskets = BasketSection {
            layout: "lines(key=true)".into(),
            release_layout: "lines".into(),
            items: 917_001,
            by_item: vec![item("zzsecret", "quasi"), item("flu", "sensitive")],
            ..BasketSection::default()
        };
        let mut job = Job::default();
        job.input.missing = vec!["NA".into()];
        let mut report = Report {
            sections: vec![baskets.section()],
            words: words(),
            audit: baskets.audit(&job, false),
            output: Some(Output { path: "out".into(), ..Output::default() }),
            ..Report::default()
        };
        report.input.path = "in".into();
        report.input.holds = Some(baskets.holds());
        let public = PublicReport::from(&report);
        let page = render_private(&report);
        assert!(page.contains("917,001") && page.contains("zzsecret") && page.contains("0 items"));
        for text in [public.to_json(), render_public(&public)] {
            for mark in ["917001", "917,001", "zzsecret"] {
                assert!(!text.contains(mark), "{mark} leaks: {text}");
            }
        }
        // The manifest says what the release is, and nothing says it of the original.
        let command =
            "sfumato audit out --original in --original-baskets 'lines(key=true)' --missing NA";
        let text = summary(&report);
        assert!(text.contains(command), "{text}");
        let alone = ["--baskets", "lines", "--sensitive-items", "flu"];
        assert_eq!(public.audit, alone, "who has the file alone must say it");
        assert!(text.contains("917,001 different items, 0 in all"), "{text}");
        report.audit = baskets.audit(&job, true);
        let linked = "sfumato audit out --original in --original-baskets 'lines(key=true)' \
                      --missing NA";
        assert!(summary(&report).contains(linked), "{}", summary(&report));
    }
}
