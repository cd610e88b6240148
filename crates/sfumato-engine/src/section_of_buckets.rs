//! The section of a report about a bucket release of any kind: quasi values as they are, sensitive
//! values only by group.

use serde::Serialize;
use sfumato_report::numbers::{count, percent, quantity};
use sfumato_report::{Block, ClassTotals, Classes, Heading, Section, Tile, figures_of};

/// The warning about what a bucket release doesn't protect.
const EXACT: &str = "quasi values are published as they are: whoever knows somebody finds the \
                     record; which of its group's sensitive values are theirs isn't said";

/// The groups of a release.
#[derive(Clone, Debug, Serialize)]
pub struct Buckets {
    /// The layout in a word: `linked` for a folder of tables, `permuted` for one table.
    pub layout: String,
    /// The name of the column with the group of a row.
    pub group: String,
    /// The number and the sizes of groups.
    pub groups: Classes,
    /// The columns that are published as they are.
    pub exact: Vec<String>,
    /// The sensitive columns.
    pub sensitive: Vec<BucketColumn>,
}

/// A sensitive column, or an item.
#[derive(Clone, Debug, Serialize)]
pub struct BucketColumn {
    /// The name of the column or item.
    pub name: String,
    /// The largest share that a value has in a group: the best chance of a guess.
    pub largest_share: f64,
    /// The mean over all records of the share that a record's own value has in its group.
    pub association: f64,
}

/// The part that the public report shows: all of it can be counted in the released files.
#[derive(Serialize)]
struct PublicBuckets<'a> {
    layout: &'a str,
    group: &'a str,
    groups: ClassTotals,
    sensitive: &'a [BucketColumn],
}

impl Buckets {
    /// The section about these groups, whose sizes count records or people.
    pub fn section(&self, counted: &str) -> Section {
        let public = PublicBuckets {
            layout: &self.layout,
            group: &self.group,
            groups: ClassTotals::from(&self.groups),
            sensitive: &self.sensitive,
        };
        let groups = &public.groups;
        let small = format!("{} groups, mean {}", count(groups.count), quantity(groups.mean));
        let blocks = public.blocks(counted);
        Section {
            public: Some(figures_of(&public)),
            tiles: vec![Tile::new("Smallest group", count(groups.min), small)],
            lines: public.lines(counted),
            public_blocks: blocks.clone(),
            blocks,
            ..Section::new("buckets", "Groups", self)
        }
    }
}

impl PublicBuckets<'_> {
    fn lines(&self, counted: &str) -> Vec<(String, String)> {
        let line = |label: &str, text: String| (label.to_string(), text);
        let layout = format!("{}: {EXACT}", self.layout);
        let mut lines = vec![line("buckets", layout), line("groups", self.sizes(counted))];
        lines.extend(self.sensitive.iter().map(|column| line("sensitive", column.words())));
        lines
    }

    /// The blocks to show. Both reports show the same ones, made from what may be public.
    fn blocks(&self, counted: &str) -> Vec<Block> {
        let layout = match self.layout {
            "permuted" => "One table, its sensitive values permuted within groups".to_string(),
            _ => format!("Tables linked by the column {}", self.group),
        };
        let row = |column: &BucketColumn| {
            vec![
                column.name.clone(),
                percent(column.largest_share),
                quantity(1.0 / column.largest_share),
                percent(column.association),
            ]
        };
        let table = Block::Table {
            caption: "Sensitive values in groups".into(),
            header: vec![
                Heading::words("Column"),
                Heading::numbers("Largest share of a value"),
                Heading::numbers("One in"),
                Heading::numbers("Share of a record's own value"),
            ],
            rows: self.sensitive.iter().map(row).collect(),
        };
        vec![
            Block::Paragraph(format!("{layout}. Groups: {}.", self.sizes(counted))),
            Block::Banner(format!("In this release {EXACT}.")),
            Block::List(self.sensitive.iter().map(BucketColumn::words).collect()),
            table,
        ]
    }

    /// The sizes of groups in words.
    fn sizes(&self, counted: &str) -> String {
        let ClassTotals { count: n, min, mean, max } = &self.groups;
        let (n, min, max) = (count(*n), count(*min), count(*max));
        format!("{n} of {min} to {max} {counted}, {} on average", quantity(*mean))
    }
}

impl BucketColumn {
    /// How well a value can be guessed, in words.
    fn words(&self) -> String {
        format!(
            "{}: a value is held by at most {} of its group (1 in {}); a record's own by {} on \
             average",
            self.name,
            percent(self.largest_share),
            quantity(1.0 / self.largest_share),
            percent(self.association)
        )
    }
}

#[cfg(test)]
mod tests {
    use sfumato_report::{PublicReport, Report, render_private, render_public, summary};

    use super::*;

    #[test]
    fn every_report_says_what_it_is() {
        let column = BucketColumn { name: "disease".into(), largest_share: 0.25, association: 0.2 };
        let buckets = Buckets {
            layout: "linked".into(),
            group: "group".into(),
            groups: Classes::from_sizes([(4, 10), (5, 1)]),
            exact: vec!["zzsecret".into()],
            sensitive: vec![column],
        };
        let report = Report { sections: vec![buckets.section("records")], ..Report::default() };
        let public = PublicReport::from(&report);
        for text in [summary(&report), render_private(&report), render_public(&public)] {
            assert!(text.contains("whoever knows somebody finds the record"), "{text}");
            assert!(text.contains("11 of 4 to 5 records"), "{text}");
            assert!(text.contains("at most 25 % of its group (1 in 4)"), "{text}");
        }
        let (private, public) = (report.to_json(), public.to_json());
        assert!(private.contains("histogram") && private.contains("zzsecret"), "{private}");
        assert!(!public.contains("histogram") && !public.contains("zzsecret"), "{public}");
        assert!(public.contains("\"layout\": \"linked\""), "{public}");
    }
}
