//! The geometry of a quasi column: the width of an interval of its codes, and the value that is
//! published for it.

use sfumato_core::dataset::{Column, Hierarchy};
use sfumato_core::recoding::Value;
use sfumato_core::{Error, Result};

/// An interval of codes, both ends included. Missing is the code after the domain's last: `max ==
/// missing` says that missing is inside, `min == missing` that nothing else is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The first code.
    pub min: u32,
    /// The last code.
    pub max: u32,
}

impl Bounds {
    /// The intersection of two intervals.
    pub fn clip(self, other: Bounds) -> Bounds {
        Bounds { min: self.min.max(other.min), max: self.max.min(other.max) }
    }
}

/// What splitting and publishing need to know about a quasi column.
#[derive(Debug)]
pub struct Shape<'a> {
    /// The column.
    pub column: &'a Column,
    /// The tree along which the column is specialised. Without one it is cut at thresholds.
    pub tree: Option<&'a Hierarchy>,
    /// The code of missing.
    pub missing: u32,
    /// Half the number of each code, so that no difference overflows. Empty with a tree.
    numbers: Vec<f64>,
}

impl<'a> Shape<'a> {
    /// The shape of a column. Words without a hierarchy have no order that a range could mean.
    pub fn new(column: &'a Column) -> Result<Self> {
        let missing = column.domain.missing();
        let tree = column.hierarchy.as_ref();
        let numbers: Vec<f64> = match tree {
            Some(_) => Vec::new(),
            None => {
                (0..missing).map_while(|code| column.domain.number(code)).map(|x| x / 2.0).collect()
            }
        };
        if tree.is_none() && numbers.len() < missing as usize {
            return Err(Error::unsupported(format!(
                "mondrian needs a hierarchy for the quasi column '{}': its values have no order",
                column.name
            ))
            .hint("give the column a hierarchy; a flat one has every value below one root"));
        }
        Ok(Shape { column, tree, missing, numbers })
    }

    /// How much of the domain an interval spans: the certainty penalty of the value that would be
    /// published for it.
    #[inline]
    pub fn spread(&self, bounds: Bounds) -> f64 {
        if bounds.min == bounds.max {
            return 0.0;
        }
        if bounds.max == self.missing {
            return 1.0;
        }
        match self.tree {
            Some(tree) => {
                let cover = tree.smallest_cover(bounds.min, bounds.max + 1);
                f64::from(tree.leaves(cover) - 1) / f64::from(self.missing - 1)
            }
            None => {
                let number = |code: u32| self.numbers[code as usize];
                let width = number(self.missing - 1) - number(0);
                if width > 0.0 { (number(bounds.max) - number(bounds.min)) / width } else { 0.0 }
            }
        }
    }

    /// [`Shape::spread`] times the column's weight.
    #[inline]
    pub fn weighted_spread(&self, bounds: Bounds) -> f64 {
        self.column.weight * self.spread(bounds)
    }

    /// How many values could lie between the first and the last of an interval of present codes,
    /// whether the table has them or not. It is the same in every part of a table.
    pub fn span(&self, bounds: Bounds) -> u64 {
        match (self.column.domain.key(bounds.min), self.column.domain.key(bounds.max)) {
            (Some(min), Some(max)) => max.wrapping_sub(min) as u64,
            _ => u64::from(bounds.max - bounds.min),
        }
    }

    /// The region a tree of splits starts from, for a column whose cells lie in `cells`: the whole
    /// domain, and missing only where some cell is.
    pub fn everything(&self, cells: Bounds) -> Bounds {
        match (cells.min == self.missing, cells.max == self.missing) {
            (true, _) => cells,
            (false, true) => Bounds { min: 0, max: self.missing },
            (false, false) => Bounds { min: 0, max: self.missing - 1 },
        }
    }

    /// What is published for an interval.
    pub fn value(&self, bounds: Bounds) -> Value {
        let with_missing = bounds.max == self.missing;
        let end = if with_missing { self.missing } else { bounds.max + 1 };
        Value::covering(self.column, bounds.min, end, with_missing)
    }
}
