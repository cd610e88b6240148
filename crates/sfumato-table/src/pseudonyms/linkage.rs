//! What pseudonyms let a recipient link: rows of one person that say more together than each says.
//!
//! Whoever knows several rows of a person sees in which classes they lie. Among people whose rows
//! lie in the same classes the person still hides; one whose rows lie like nobody else's doesn't.

use serde::Serialize;
use sfumato_core::column::Codes;
use sfumato_core::recoding::SUPPRESSED;
use sfumato_core::{FastMap, FastSet};
use sfumato_report::numbers::{count, counted, percent};
use sfumato_report::{Block, Section};

/// What a column of pseudonyms lets a recipient link.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Linkage {
    /// The name of the column.
    pub column: String,
    /// How its pseudonyms are made.
    pub method: String,
    /// The number of different pseudonyms in the release.
    pub pseudonyms: u64,
    /// The number of rows that share their pseudonym with another row.
    pub linked_rows: u64,
    /// Among how many people somebody hides at least, whose rows are all known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_alike: Option<u64>,
    /// The number of people whose rows, taken together, lie like nobody else's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub singled_out: Option<u64>,
}

/// What a column of pseudonyms lets a recipient link. `class_of_row` are the classes of the
/// release, if it has any; `is_missing` says which codes are no pseudonym.
pub fn linkage(
    (column, method): (&str, &str),
    codes: &Codes,
    is_missing: &dyn Fn(u32) -> bool,
    class_of_row: Option<&[u32]>,
    n_published: usize,
) -> Linkage {
    let mut rows_of: FastMap<u32, Vec<u32>> = FastMap::default();
    for row in 0..codes.len().min(class_of_row.map_or(n_published, <[u32]>::len)) {
        let class = class_of_row.map_or(0, |classes| classes[row]);
        let code = codes.get(row);
        if class != SUPPRESSED && !is_missing(code) {
            rows_of.entry(code).or_default().push(class);
        }
    }
    let mut alike: FastMap<Vec<u32>, u64> = FastMap::default();
    let (pseudonyms, mut linked_rows) = (rows_of.len() as u64, 0);
    for (_, mut classes) in rows_of {
        if classes.len() > 1 {
            linked_rows += classes.len() as u64;
        }
        classes.sort_unstable();
        *alike.entry(classes).or_default() += 1;
    }
    let sizes = || alike.values().copied();
    Linkage {
        column: column.into(),
        method: method.into(),
        pseudonyms,
        linked_rows,
        least_alike: class_of_row.and_then(|_| sizes().min()),
        singled_out: class_of_row.map(|_| sizes().filter(|size| *size == 1).count() as u64),
    }
}

impl Linkage {
    /// What it means, in a sentence.
    pub fn words(&self) -> String {
        let all = format!("{}: {}", self.column, counted(self.pseudonyms, "pseudonym"));
        let rows = match self.linked_rows {
            0 => "each on one row".to_string(),
            n => format!("{} share theirs with others", counted(n, "row")),
        };
        match (self.least_alike, self.singled_out) {
            (Some(least), Some(alone)) => format!(
                "{all} ({}), {rows}; whoever knows all rows of a person finds {} like them, and \
                 {} alone",
                self.method,
                match least {
                    1 => "nobody else".to_string(),
                    n => format!("at least {} others", count(n - 1)),
                },
                counted(alone, "person").replace("persons", "people"),
            ),
            _ => format!("{all} ({}), {rows}", self.method),
        }
    }

    /// A warning, if rows of one person say more together than the classes promise.
    pub fn warning(&self) -> Option<String> {
        let alone = self.singled_out.filter(|alone| *alone > 0)?;
        let share = percent(alone as f64 / self.pseudonyms.max(1) as f64);
        Some(format!(
            "pseudonyms in '{}' link rows: {} of the people ({share}) have rows that lie, taken \
             together, like nobody else's; drop the column, or publish one row of each person",
            self.column,
            count(alone)
        ))
    }
}

/// The section of a report about pseudonyms.
pub fn section(found: &[Linkage]) -> Section {
    let words: Vec<String> = found.iter().map(Linkage::words).collect();
    let names: FastSet<&str> = found.iter().map(|one| one.column.as_str()).collect();
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_unstable();
    let meaning = format!(
        "Pseudonyms ({}) are no anonymity: whoever holds their key can undo them, and rows with \
         the same pseudonym, in this release and in others, are of the same person. The promises \
         above are about single rows.",
        names.join(", ")
    );
    let public: Vec<serde_json::Value> = found
        .iter()
        .map(|one| serde_json::json!({ "column": one.column, "method": one.method }))
        .collect();
    Section {
        lines: words.iter().map(|words| ("pseudonyms".into(), words.clone())).collect(),
        blocks: vec![Block::Banner(meaning.clone()), Block::List(words)],
        public: Some(public.into()),
        public_blocks: vec![Block::Banner(meaning)],
        ..Section::new("pseudonyms", "Pseudonyms", &found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_one_pseudonym_are_taken_together() {
        // Four people: 0 has rows in classes 0 and 1, 1 too, 2 one in 0, 3 in 0 and 2; a row of 3
        // isn't published, and one row has no pseudonym.
        let codes = Codes::U32(vec![0, 0, 1, 1, 2, 3, 3, 3, 4]);
        let classes = [0, 1, 1, 0, 0, 0, 2, SUPPRESSED, 0];
        let found = linkage(("id", "hash"), &codes, &|code| code == 4, Some(&classes), 9);
        assert_eq!((found.pseudonyms, found.linked_rows), (4, 6));
        assert_eq!((found.least_alike, found.singled_out), (Some(1), Some(2)));
        assert!(found.warning().unwrap().contains("2 of the people (50 %)"));
        assert!(found.words().contains("finds nobody else like them, and 2 people alone"));
        let without = linkage(("id", "hash"), &codes, &|code| code == 4, None, 9);
        assert_eq!((without.linked_rows, without.singled_out), (7, None));
        assert_eq!(without.warning(), None);
    }
}
