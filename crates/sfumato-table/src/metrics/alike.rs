//! Finds classes that are published alike, which a reader of the release sees as one.
//!
//! An algorithm may give two of its classes the same region (Mondrian on a hierarchy, where both
//! halves of a node have the same smallest cover), and two nodes may share a label. A reader can't
//! tell such classes apart, so metrics of class sizes merge them first.

use std::hash::BuildHasher;

use sfumato_core::FastMap;
use sfumato_core::dataset::{Column, ROOT_LABEL};
use sfumato_core::recoding::{RecodedColumn, Value};
use sfumato_core::traits::View;

/// The classes as they are published.
pub(crate) struct Alike {
    /// For each class of the recoding, its published class.
    pub published: Vec<u32>,
    /// Records per published class.
    pub sizes: Vec<u64>,
}

impl Alike {
    /// Find the classes that are published alike.
    pub fn new(view: &View<'_>) -> Self {
        let codes = TextCodes::new(view);
        let n_classes = view.class_sizes.len();
        let mut order: Vec<(u64, u32)> = codes.hashes(n_classes).into_iter().zip(0..).collect();
        order.sort_unstable();
        let mut published = vec![0u32; n_classes];
        let mut sizes: Vec<u64> = Vec::with_capacity(n_classes);
        for run in order.chunk_by(|a, b| a.0 == b.0) {
            // Equal hashes need not mean equal texts: each class is compared with the first of
            // every kind seen in the run.
            let mut kinds: Vec<(u32, u32)> = Vec::new();
            for &(_, class) in run {
                let known = kinds.iter().find(|(first, _)| codes.same(*first, class));
                let id = known.map_or(sizes.len() as u32, |(_, id)| *id);
                if known.is_none() {
                    kinds.push((class, id));
                    sizes.push(0);
                }
                sizes[id as usize] += view.class_sizes[class as usize];
                published[class as usize] = id;
            }
        }
        Alike { published, sizes }
    }

    /// How many published classes have records.
    pub fn count(&self) -> u64 {
        self.sizes.iter().filter(|size| **size > 0).count() as u64
    }
}

/// Per quasi column: the value of each class, and for each value the first value with the same
/// text.
struct TextCodes<'a> {
    columns: Vec<(&'a RecodedColumn, Vec<u32>)>,
}

impl<'a> TextCodes<'a> {
    fn new(view: &View<'a>) -> Self {
        let column = |(quasi, column): (usize, &&Column)| {
            let recoded = view.recoding.column(quasi);
            (recoded, first_of_same_text(column, &recoded.values))
        };
        TextCodes { columns: view.quasi.iter().enumerate().map(column).collect() }
    }

    /// The hashes of classes, computed column by column, so that each `of_class` is read once from
    /// start to end.
    fn hashes(&self, n_classes: usize) -> Vec<u64> {
        let map: FastMap<u64, ()> = FastMap::default();
        let state = map.hasher();
        let mut hashes = vec![0u64; n_classes];
        for (recoded, first) in &self.columns {
            for (hash, value) in hashes.iter_mut().zip(&recoded.of_class) {
                *hash = state.hash_one((*hash, first[*value as usize]));
            }
        }
        hashes
    }

    fn same(&self, a: u32, b: u32) -> bool {
        let text = |(recoded, first): &(&RecodedColumn, Vec<u32>), class: u32| {
            first[recoded.of_class[class as usize] as usize]
        };
        self.columns.iter().all(|column| text(column, a) == text(column, b))
    }
}

/// For each value, the first value with the same text. Values of a recoded column are distinct, but
/// nodes may share a label, and a root called `*` reads like a suppressed cell.
fn first_of_same_text(column: &Column, values: &[Value]) -> Vec<u32> {
    let Some(tree) = &column.hierarchy else {
        return (0..values.len() as u32).collect();
    };
    let mut first: FastMap<&str, u32> = FastMap::default();
    let text = |value: &Value| match value {
        Value::Node(node) => tree.label(*node),
        Value::Missing => column.missing_text.as_str(),
        _ => ROOT_LABEL,
    };
    values.iter().zip(0..).map(|(value, code)| *first.entry(text(value)).or_insert(code)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::testing::{self, Sample};
    use proptest::prelude::*;

    fn naive(sample: &Sample) -> Vec<u64> {
        let mut sizes = std::collections::BTreeMap::new();
        for row in sample.published().into_iter().flatten() {
            let texts =
                row.iter().zip(sample.table.quasi()).map(|(value, column)| value.render(column));
            *sizes.entry(texts.collect::<Vec<String>>()).or_insert(0u64) += 1;
        }
        let mut sizes: Vec<u64> = sizes.into_values().collect();
        sizes.sort_unstable();
        sizes
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn classes_are_those_a_reader_sees(sample in testing::samples()) {
            let view = sample.view(None);
            let alike = Alike::new(&view);
            let mut sizes: Vec<u64> =
                alike.sizes.iter().copied().filter(|size| *size > 0).collect();
            sizes.sort_unstable();
            prop_assert_eq!(alike.count(), sizes.len() as u64);
            prop_assert_eq!(sizes, naive(&sample));
            let mut back = vec![0; alike.sizes.len()];
            for (class, size) in view.class_sizes.iter().enumerate() {
                back[alike.published[class] as usize] += size;
            }
            prop_assert_eq!(back, alike.sizes);
        }
    }
}
