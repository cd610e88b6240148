//! The section of a report about a bitmap release: base sets that may be wrong, and in what.

use crate::job::Job;
use serde::Serialize;
use sfumato_report::numbers::{count, percent, quantity};
use sfumato_report::{Audit, Block, Heading, Report, Section, Words, figures_of};

/// How a recipient must read the release.
const WORLDS: &str = "a row stands for one of its possible worlds: its base set with at most as \
                      many items of its distance set turned over as its threshold says";

/// Figures about the rows of a release. They say nothing that its files don't.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Bitmaps {
    /// The layout of base sets.
    pub layout: String,
    /// How many rows each record matches.
    pub matches: u64,
    /// The number of rows.
    pub rows: u64,
    /// The number of different items that rows have, for certain or possibly.
    pub items: u64,
    /// The items that are published as they are.
    pub sensitive: Vec<String>,
    /// The mean number of items of a base set.
    pub mean_base: f64,
    /// The mean number of items in which a base set may be wrong.
    pub mean_distance: f64,
    /// The mean threshold.
    pub mean_threshold: f64,
    /// The largest threshold.
    pub largest_threshold: u32,
    /// The number of rows that can't be wrong.
    pub exact_rows: u64,
}

/// Add the section to a report.
pub(super) fn tell(report: &mut Report, job: &Job, bitmaps: &Bitmaps) {
    let truthful = "Base sets aren't truthful item by item: each row says in how many of which \
                    items it may be wrong.";
    report.words = Words { cells: "items", suppresses: false, truthful, ..Words::default() };
    report.audit = audit(job);
    report.input.holds = Some(format!("{} different items", count(bitmaps.items)));
    report.sections = vec![bitmaps.section()];
}

/// The arguments of an audit. The files themselves say what they are.
fn audit(job: &Job) -> Audit {
    let mut audit = Audit::default();
    audit.add_original();
    audit.add_private("--original-baskets", job.baskets.layout());
    job.input.missing.iter().for_each(|token| audit.add_private("--missing", token));
    audit
}

impl Bitmaps {
    fn section(&self) -> Section {
        let blocks = self.blocks();
        Section {
            public: Some(figures_of(self)),
            lines: vec![("bitmaps".into(), WORLDS.into()), ("doubt".into(), self.words())],
            public_blocks: blocks.clone(),
            blocks,
            ..Section::new("bitmaps", "Bitmaps", self)
        }
    }

    fn blocks(&self) -> Vec<Block> {
        let rows = [
            ("Rows that each record matches", count(self.matches)),
            ("Different items", count(self.items)),
            ("Items of a base set, on average", quantity(self.mean_base)),
            ("Items of a distance set, on average", quantity(self.mean_distance)),
            ("Threshold, on average", quantity(self.mean_threshold)),
            ("Largest threshold", count(u64::from(self.largest_threshold))),
            ("Rows without doubt", count(self.exact_rows)),
        ];
        let table = Block::Table {
            caption: "What is in doubt".into(),
            header: vec![Heading::words("Figure"), Heading::numbers("Value")],
            rows: rows.map(|(name, figure)| vec![name.to_string(), figure]).to_vec(),
        };
        vec![
            Block::Banner(format!("In this release {WORLDS}.")),
            Block::Paragraph(format!("{}.", self.words())),
            table,
        ]
    }

    /// The uncertainty in words.
    fn words(&self) -> String {
        format!(
            "{} items a row, {} in doubt, at most {} of them wrong, on average; {} rows ({}) are \
             exact",
            quantity(self.mean_base),
            quantity(self.mean_distance),
            quantity(self.mean_threshold),
            count(self.exact_rows),
            percent(self.exact_rows as f64 / self.rows.max(1) as f64)
        )
    }
}

#[cfg(test)]
mod tests {
    use sfumato_report::{Output, PublicReport, render_private, render_public, summary};

    use super::*;

    #[test]
    fn every_report_says_how_rows_are_to_be_read() {
        let bitmaps = Bitmaps {
            layout: "lines".into(),
            matches: 5,
            rows: 200,
            items: 12,
            sensitive: vec!["flu".into()],
            mean_base: 4.5,
            mean_distance: 3.0,
            mean_threshold: 1.5,
            largest_threshold: 4,
            exact_rows: 20,
        };
        let mut report = Report { output: Some(Output::default()), ..Report::default() };
        let mut job = Job::default();
        job.baskets.layout = "lines(separator=tab)".into();
        tell(&mut report, &job, &bitmaps);
        let public = PublicReport::from(&report);
        for text in [summary(&report), render_private(&report), render_public(&public)] {
            assert!(text.contains("one of its possible worlds"), "{text}");
            let doubt = "4.5 items a row, 3 in doubt, at most 1.5 of them wrong";
            assert!(text.contains(doubt), "{text}");
        }
        let text = summary(&report);
        assert!(text.contains("--original-baskets 'lines(separator=tab)'"), "{text}");
        assert!(!text.contains("suppressed"), "{text}");
        assert!(public.to_json().contains("\"matches\": 5"), "{}", public.to_json());
    }
}
