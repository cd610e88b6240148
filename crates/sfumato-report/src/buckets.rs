//! What a report says of a bucket release: quasi values as they are, sensitive values as those of a group.

use serde::{Deserialize, Serialize};

use crate::Classes;
use crate::numbers::{count, percent, quantity};

/// What nobody may take a bucket release for.
pub const EXACT: &str = "quasi values are published as they are: whoever knows somebody finds the record; which of its group's sensitive values \
                         are theirs isn't said";

/// The groups of a release.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Buckets {
    /// `linked`: a folder of tables; `permuted`: one table.
    pub form: String,
    /// The column that says which group a row belongs to.
    pub group: String,
    /// The sizes of groups.
    pub groups: Classes,
    /// Columns that are published as they are.
    pub exact: Vec<String>,
    /// The sensitive columns.
    pub sensitive: Vec<BucketColumn>,
}

/// A sensitive column, or an item.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BucketColumn {
    /// Its name.
    pub name: String,
    /// The largest share that a value has in a group: the best chance of a guess.
    pub largest_share: f64,
    /// The mean over all records of the share that a record's own value has in its group.
    pub association: f64,
}

impl Buckets {
    /// How groups are sized, in words.
    pub(crate) fn sizes(&self, counted: &str) -> String {
        let groups = &self.groups;
        format!(
            "{} of {} to {} {counted}, {} on average",
            count(groups.count),
            count(groups.min),
            count(groups.max),
            quantity(groups.mean)
        )
    }
}

impl BucketColumn {
    /// How well a value can be guessed, in words.
    pub(crate) fn words(&self) -> String {
        format!(
            "{}: a value is held by at most {} of its group (1 in {}); a record's own by {} on average",
            self.name,
            percent(self.largest_share),
            quantity(1.0 / self.largest_share),
            percent(self.association)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PublicReport, Report, fixture, render_private, render_public, summary};

    fn report() -> Report {
        let column = BucketColumn { name: "disease".into(), largest_share: 0.25, association: 0.2 };
        let buckets = Buckets {
            form: "linked".into(),
            group: "group".into(),
            groups: Classes::from_sizes([(4, 10), (5, 1)]),
            exact: vec!["age".into()],
            sensitive: vec![column],
        };
        Report { buckets: Some(buckets), classes: None, ..fixture::report() }
    }

    #[test]
    fn every_report_says_what_it_is() {
        let report = report();
        let public = PublicReport::from(&report);
        for text in [summary(&report), render_private(&report), render_public(&public)] {
            assert!(text.contains("whoever knows somebody finds the record"), "{text}");
            assert!(text.contains("11 of 4 to 5 records"), "{text}");
            assert!(text.contains("at most 25 % of its group (1 in 4)"), "{text}");
            assert!(
                !text.contains("so it is blurred") && !text.contains("published like at least"),
                "{text}"
            );
        }
        assert!(summary(&report).contains("sfumato audit release.csv --model"), "{}", summary(&report));
        assert!(public.to_json().contains("\"form\": \"linked\""));
        let again: PublicReport = serde_json::from_str(&public.to_json()).unwrap();
        assert_eq!(again, public);
    }
}
