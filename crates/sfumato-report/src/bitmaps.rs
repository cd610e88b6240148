//! What a report says of a bitmap release: base sets that may be wrong, and in what.

use serde::{Deserialize, Serialize};

use crate::numbers::{count, percent, quantity};

/// How a recipient must read it.
pub const WORLDS: &str = "a row stands for one of its possible worlds: its base set with at most as many items of its distance set turned over as its threshold says";

/// The rows of a release. Nothing here is said that its files don't say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bitmaps {
    /// How base sets lie in their file.
    pub form: String,
    /// How many rows each record matches.
    pub matches: u64,
    /// Rows.
    pub rows: u64,
    /// Different items that rows have, for sure or in doubt.
    pub items: u64,
    /// Items that are published as they are.
    pub sensitive: Vec<String>,
    /// Items of a base set, on average.
    pub mean_base: f64,
    /// Items in which a base set may be wrong, on average.
    pub mean_distance: f64,
    /// In how many of them at most, on average.
    pub mean_threshold: f64,
    /// The largest threshold.
    pub largest_threshold: u32,
    /// Rows that can't be wrong.
    pub exact_rows: u64,
}

impl Bitmaps {
    /// How much is in doubt, in words.
    pub(crate) fn words(&self) -> String {
        format!(
            "{} items a row, {} in doubt, at most {} of them wrong, on average; {} rows ({}) are exact",
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
    use super::*;
    use crate::{PublicReport, Report, fixture, render_private, render_public, summary};

    #[test]
    fn every_report_says_how_rows_are_to_be_read() {
        let bitmaps = Bitmaps {
            form: "lines".into(),
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
        let mut report = Report { bitmaps: Some(bitmaps), classes: None, ..fixture::report() };
        report.guarantees.iter_mut().for_each(|guarantee| guarantee.scope = "linked".into());
        report.job = serde_json::json!({ "baskets": { "form": "lines(separator=tab)" } });
        let public = PublicReport::from(&report);
        for text in [summary(&report), render_private(&report), render_public(&public)] {
            assert!(text.contains("one of its possible worlds"), "{text}");
            assert!(text.contains("4.5 items a row, 3 in doubt, at most 1.5 of them wrong"), "{text}");
            assert!(!text.contains("so it is blurred"), "{text}");
        }
        assert!(
            summary(&report).contains("--original-baskets 'lines(separator=tab)'"),
            "{}",
            summary(&report)
        );
        let again: PublicReport = serde_json::from_str(&public.to_json()).unwrap();
        assert_eq!(again, public);
    }
}
