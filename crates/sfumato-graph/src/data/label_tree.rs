//! What labels of nodes may be published as: values above them in a hierarchy, and at last `*`.

use std::collections::BTreeMap;

use sfumato_core::{Error, Result};
use sfumato_io::read_text;

use super::labels::Labels;

/// The value above all labels.
pub const TOP: &str = "*";

/// What is above each label, from the nearest value up to the top. Labels that it doesn't know have
/// nothing but the top above them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LabelTree {
    above: BTreeMap<String, Vec<String>>,
}

/// A tree in which nothing but the top is above any label.
pub static FLAT: LabelTree = LabelTree { above: BTreeMap::new() };

impl LabelTree {
    /// Read a hierarchy: in each row a label and what is above it, level by level.
    pub fn read(file: &str) -> Result<LabelTree> {
        let mut above = BTreeMap::new();
        for (line, text) in (1..).zip(read_text(file)?.lines()) {
            let separator = if text.contains(';') { ';' } else { ',' };
            let mut texts = text.split(separator).map(|text| text.trim().to_string());
            let label = texts.next().unwrap_or_default();
            let mut path: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
            if label.is_empty() && path.is_empty() {
                continue;
            }
            if path.last().is_none_or(|last| last != TOP) {
                path.push(TOP.into());
            }
            if above.insert(label, path).is_some() {
                return Err(Error::input("a label stands in two rows of its hierarchy")
                    .in_file(file)
                    .at_line(line));
            }
        }
        Ok(LabelTree { above })
    }

    /// Whether a label may be published as a text: as itself, or as what is above it.
    pub fn covers(&self, text: &str, label: &str) -> bool {
        self.ways(label).any(|way| way == text)
    }

    /// A label and all that is above it, the nearest first.
    fn ways<'a>(&'a self, label: &'a str) -> impl Iterator<Item = &'a str> + 'a {
        let above = self.above.get(label).map_or(&[][..], Vec::as_slice);
        let ways = std::iter::once(label).chain(above.iter().map(String::as_str));
        ways.chain((above.is_empty() && label != TOP).then_some(TOP))
    }

    /// The lowest value that is above all of some labels.
    pub fn lowest_above<'a>(&self, labels: impl Iterator<Item = &'a str>) -> String {
        let mut labels: Vec<&str> = labels.collect();
        labels.sort_unstable();
        labels.dedup();
        let Some((first, others)) = labels.split_first() else { return TOP.into() };
        let is_above_all = |way: &&str| others.iter().all(|label| self.covers(way, label));
        self.ways(first).find(is_above_all).unwrap_or(TOP).into()
    }

    /// How many steps above its label a text is, as a share of all steps to the top: 0 for the
    /// label itself.
    pub fn height(&self, text: &str, label: &str) -> f64 {
        let steps = self.ways(label).count().saturating_sub(1).max(1);
        let taken = self.ways(label).position(|way| way == text).unwrap_or(steps);
        taken as f64 / steps as f64
    }

    /// The label of each node where all of a group get the lowest value above them.
    pub fn above_all(&self, labels: &Labels, groups: &[Vec<u32>]) -> Result<Vec<String>> {
        let mut texts: Vec<Option<String>> = vec![None; labels.of.len()];
        for group in groups {
            let above = self.lowest_above(group.iter().map(|node| labels.get(*node)));
            group.iter().for_each(|node| texts[*node as usize] = Some(above.clone()));
        }
        let missing = || Error::internal("a node is in no group");
        texts.into_iter().map(|text| text.ok_or_else(missing)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_value_above_all_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("h.csv");
        std::fs::write(&path, "nurse;care;staff;*\ndoctor;care;staff;*\nporter;house;staff\n")
            .unwrap();
        let tree = LabelTree::read(path.to_str().unwrap()).unwrap();
        let above = |labels: &[&str]| tree.lowest_above(labels.iter().copied());
        assert_eq!(above(&["nurse", "nurse"]), "nurse");
        assert_eq!(above(&["nurse", "doctor"]), "care");
        assert_eq!(above(&["nurse", "porter", "doctor"]), "staff");
        assert_eq!(above(&["nurse", "guest"]), "*");
        assert_eq!(FLAT.lowest_above(["a", "b"].into_iter()), "*");
        assert!(tree.covers("staff", "porter") && !tree.covers("care", "porter"));
        assert!(FLAT.covers("a", "a") && FLAT.covers("*", "a"));
        assert_eq!((tree.height("nurse", "nurse"), tree.height("*", "nurse")), (0.0, 1.0));
        std::fs::write(&path, "a;*\na;*\n").unwrap();
        assert!(LabelTree::read(path.to_str().unwrap()).is_err());
    }
}
