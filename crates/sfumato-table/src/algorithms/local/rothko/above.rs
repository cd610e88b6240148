//! What a node of the top tree inherits from above, in words: the part of a run's state that
//! outlives the tree.

use serde::{Deserialize, Serialize};
use sfumato_core::Result;
use sfumato_core::dataset::Table;
use sfumato_io::spill::Tuples;

use super::Outline;
use super::rules::Judge;
use crate::algorithms::local::mondrian::shape::Bounds;
use crate::data::tuples::{Axis, Cells, Frame};

/// An interval of words, both ends included. Missing is the word behind all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Words {
    /// The first word.
    pub min: u64,
    /// The last word.
    pub max: u64,
}

impl Words {
    /// Whether a word lies inside.
    #[inline]
    pub fn contains(self, word: u64) -> bool {
        self.min <= word && word <= self.max
    }
    /// How many words could lie inside.
    pub fn size(self) -> u64 {
        (self.max - self.min).saturating_add(1)
    }
    /// The smallest interval around this one and a word.
    pub fn with(self, word: u64) -> Words {
        Words { min: self.min.min(word), max: self.max.max(word) }
    }
}

/// What a partition inherits from the splits that made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Above {
    /// For each quasi column, the interval of words that the splits left.
    pub region: Vec<Words>,
    /// How many records may be suppressed.
    pub budget: u64,
    /// Whether the records may be published as one class. Only those of the root may not.
    pub holds: bool,
    /// Whether the workload may still gain something.
    pub guided: bool,
    /// The number of splits above.
    pub depth: u32,
}

impl Above {
    /// The state of all records.
    pub fn root(outline: &Outline<'_>) -> Self {
        let judge = Judge::of(outline.requirements, outline.frame.subject.is_some());
        let axes =
            outline.frame.quasi().into_iter().map(|place| outline.frame.columns[place].axis());
        Above {
            region: axes.map(|axis: Axis<'_>| Words { min: 0, max: axis.missing() }).collect(),
            budget: if judge == Judge::Summaries { 0 } else { outline.max_suppressed },
            holds: match judge {
                Judge::Rows => outline.whole.rows >= outline.requirements.min_people(),
                Judge::People => outline.whole.people >= outline.requirements.min_people(),
                Judge::Summaries => outline.requirements.holds(outline.whole, outline.whole),
            },
            guided: true,
            depth: 0,
        }
    }

    /// The region in the codes of a table that holds some of the records.
    pub(super) fn local_region(&self, frame: &Frame, table: &Table) -> Result<Vec<Bounds>> {
        let places = frame.quasi();
        let columns = places.iter().zip(table.quasi()).zip(&self.region);
        let bounds =
            |((place, column), words): ((&usize, &sfumato_core::dataset::Column), &Words)| {
                let missing = column.domain.missing();
                match frame.columns[*place].cells {
                    Cells::Keys { least, n_words } => {
                        let keys = &column.domain.keys;
                        let word = |key: &i64| key.wrapping_sub(least) as u64;
                        let min = keys.partition_point(|key| word(key) < words.min) as u32;
                        let max = match words.max >= n_words {
                            true => missing,
                            false => (keys.partition_point(|key| word(key) <= words.max) as u32)
                                .saturating_sub(1),
                        };
                        Bounds { min, max: max.max(min) }
                    }
                    _ => Bounds { min: words.min as u32, max: (words.max as u32).min(missing) },
                }
            };
        Ok(columns.map(bounds).collect())
    }
}

/// Records that are processed on their own from now on.
pub struct Partition {
    /// The records, in the order they had.
    pub tuples: Box<dyn Tuples>,
    /// What they inherit from above.
    pub above: Above,
    /// Whether they are published. Otherwise all of them are suppressed.
    pub published: bool,
    /// The interval of the cells of each quasi column, if the records are one class that is larger
    /// than a partition should be, since nothing can be split any more.
    pub whole_class: Option<Vec<Words>>,
}
