//! Finds what a published text may stand for, from the text alone.
//!
//! A label is looked up in the tree (at every level: labels repeat), a range `[a..b]` is parsed,
//! `*` is anything. This is deliberately not the code that rendered the text.

use std::borrow::Cow;

use std::ops::Range;

use sfumato_core::column::{Code, Dictionary};
use sfumato_core::dataset::{Column, Hierarchy, NodeId, ROOT_LABEL, Role};
use sfumato_core::{FastMap, with_codes};

/// The originals that a published text covers: mostly one interval of codes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cover {
    lo: u32,
    hi: u32,
    /// The code of missing if that is covered too, or else a code that no row has.
    missing: u32,
    /// Further intervals, if a label stands at several places of the tree.
    more: Vec<(u32, u32)>,
}

/// A code that no row has, above every domain.
const NO_CODE: u32 = u32::MAX;

impl Cover {
    /// The cover of no original at all.
    pub fn nothing() -> Self {
        Cover { lo: 0, hi: 0, missing: NO_CODE, more: Vec::new() }
    }
    /// The cover of only missing, which has this code.
    pub fn missing(code: u32) -> Self {
        Cover { missing: code, ..Cover::nothing() }
    }
    /// Add missing, which has this code.
    pub fn or_missing(self, code: u32) -> Self {
        Cover { missing: code, ..self }
    }
    /// Add the codes `lo..hi`.
    pub fn add(&mut self, lo: u32, hi: u32) {
        if lo >= hi || (self.lo <= lo && hi <= self.hi) {
        } else if self.lo == self.hi || (lo <= self.lo && self.hi <= hi) {
            (self.lo, self.hi) = (lo, hi);
        } else {
            self.more.push((lo, hi));
        }
    }
    /// The least and the greatest code that may be covered. If there is none, the first is above
    /// the second.
    pub fn span(&self) -> (u32, u32) {
        let mut span = (u32::MAX, 0);
        let mut add = |low: u32, high: u32| span = (span.0.min(low), span.1.max(high));
        for (lo, hi) in
            std::iter::once(&(self.lo, self.hi)).chain(&self.more).filter(|(lo, hi)| lo < hi)
        {
            add(*lo, *hi - 1);
        }
        if self.missing != NO_CODE {
            add(self.missing, self.missing);
        }
        span
    }
    /// Whether an original is covered.
    #[inline]
    pub fn has(&self, code: u32) -> bool {
        (self.lo <= code && code < self.hi) || code == self.missing || self.has_more(code)
    }
    #[cold]
    fn has_more(&self, code: u32) -> bool {
        self.more.iter().any(|(lo, hi)| (*lo..*hi).contains(&code))
    }
}

/// What the texts of one column may stand for.
pub struct TextCovers<'a> {
    column: &'a Column,
    labels: Labels<'a>,
}

enum Labels<'a> {
    /// The nodes of each label.
    Tree(&'a Hierarchy, FastMap<&'a str, Vec<NodeId>>),
    /// The code of each label.
    Exact(FastMap<Cow<'a, str>, u32>),
    /// Labels are formatted keys, and found by their meaning.
    Spelled,
}

impl<'a> TextCovers<'a> {
    /// The covers for a column of the original, whose rows aren't read.
    pub fn new(column: &'a Column) -> Self {
        let labels = match &column.hierarchy {
            Some(tree) if column.role == Role::Quasi => {
                let mut nodes: FastMap<&str, Vec<NodeId>> = FastMap::default();
                (0..tree.n_nodes() as NodeId)
                    .for_each(|n| nodes.entry(tree.label(n)).or_default().push(n));
                Labels::Tree(tree, nodes)
            }
            _ if column.domain.is_spelled() => Labels::Spelled,
            _ => Labels::Exact(
                column
                    .domain
                    .labels()
                    .enumerate()
                    .map(|(code, label)| (label, code as u32))
                    .collect(),
            ),
        };
        TextCovers { column, labels }
    }

    /// What null stands for.
    pub fn of_null(&self) -> Cover {
        Cover::missing(self.column.domain.missing())
    }

    /// What a text stands for.
    pub fn of_text(&self, text: &str) -> Cover {
        let mut cover = Cover::nothing();
        let missing = self.column.domain.missing();
        let is_quasi = self.column.role == Role::Quasi;
        if text == self.column.missing_text {
            cover.missing = missing;
        }
        match &self.labels {
            Labels::Tree(tree, nodes) => {
                for &node in nodes.get(text).into_iter().flatten() {
                    cover.add(tree.lo(node), tree.hi(node));
                }
                if text == ROOT_LABEL {
                    cover.add(0, missing);
                    cover.missing = missing;
                }
            }
            labels @ (Labels::Exact(_) | Labels::Spelled) => {
                let code = match labels {
                    Labels::Exact(codes) => codes.get(text).copied(),
                    _ => self.column.domain.find(text),
                };
                if let Some(code) = code {
                    cover.add(code, code + 1);
                } else if is_quasi && text == ROOT_LABEL {
                    cover.add(0, missing);
                    cover.missing = missing;
                } else if is_quasi {
                    let (lo, hi) = self.parse_range(text).unwrap_or((0, 0));
                    cover.add(lo, hi);
                }
            }
        }
        cover
    }

    /// `[a..b]`, both ends included, as an interval of codes.
    fn parse_range(&self, text: &str) -> Option<(u32, u32)> {
        let domain = &self.column.domain;
        let (from, to) = text.strip_prefix('[')?.strip_suffix(']')?.split_once("..")?;
        let (from, to) = (domain.kind.parse(from)?, domain.kind.parse(to)?);
        let lo = domain.keys.partition_point(|key| *key < from);
        let hi = domain.keys.partition_point(|key| *key <= to);
        Some((lo as u32, hi as u32))
    }
}

/// Checks the cells of one column.
pub struct ColumnCheck<'a> {
    column: &'a Column,
    texts: TextCovers<'a>,
    /// One per distinct published text so far.
    covers: Vec<Cover>,
}

impl<'a> ColumnCheck<'a> {
    /// A check for a column of the original.
    pub fn new(column: &'a Column) -> Self {
        ColumnCheck { column, texts: TextCovers::new(column), covers: Vec::new() }
    }

    /// The column's name.
    pub fn name(&self) -> &str {
        &self.column.name
    }

    /// How many codes the original has, missing included.
    pub fn n_codes(&self) -> usize {
        self.column.domain.len() + 1
    }

    /// Read the new texts of the dictionary.
    pub fn learn(&mut self, dictionary: &Dictionary, null: Option<u32>) {
        for code in self.covers.len() as u32..dictionary.len() as u32 {
            let is_null = Some(code) == null;
            let cover = if is_null {
                self.texts.of_null()
            } else {
                self.texts.of_text(dictionary.get(code))
            };
            self.covers.push(cover);
        }
    }

    /// The first cell of a block that doesn't cover its original. `rows` are the rows of the
    /// original.
    pub fn first_uncovered(&self, published: &[u32], rows: Range<usize>) -> Option<usize> {
        with_codes!(&self.column.codes, codes => {
            published
                .iter()
                .zip(&codes[rows])
                .position(|(published, code)| !self.covers[*published as usize].has(code.widen()))
        })
    }

    /// Whether a published text covers the original of a row.
    pub fn covers(&self, published: u32, row: usize) -> bool {
        self.covers[published as usize].has(self.column.codes.get(row))
    }

    /// The original's code of a text that is published unchanged (it was checked that it covers
    /// exactly that).
    pub fn exact(&self, published: u32) -> u32 {
        let cover = &self.covers[published as usize];
        if cover.lo < cover.hi { cover.lo } else { self.column.domain.missing() }
    }
}
