//! A generalized value, which is published in place of a quasi value.

use crate::dataset::{Column, Missing, NodeId, ROOT_LABEL};

/// A published value of a quasi column. Nodes and ranges are intervals of codes, so covering, loss
/// and splitting are written once.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// A node of the column's hierarchy.
    Node(NodeId),
    /// The codes `lo..hi` of an ordered column without a hierarchy.
    Range {
        /// The first code.
        lo: u32,
        /// One past the last code.
        hi: u32,
    },
    /// A missing value, published as missing.
    Missing,
    /// Any value: a suppressed cell.
    Any,
}

impl Value {
    /// The smallest value that covers the codes `lo..hi` of a column (none if `lo >= hi`) and, if
    /// asked, missing.
    pub fn covering(column: &Column, lo: u32, hi: u32, with_missing: bool) -> Value {
        match (lo < hi, with_missing) {
            (false, _) => match column.missing {
                Missing::Value => Value::Missing,
                Missing::Suppressed => Value::Any,
            },
            (true, true) => Value::Any,
            (true, false) => match &column.hierarchy {
                Some(tree) => Value::Node(tree.smallest_cover(lo, hi)),
                None => Value::Range { lo, hi },
            },
        }
    }

    /// The interval of codes that the value covers, without missing.
    pub fn codes(self, column: &Column) -> std::ops::Range<u32> {
        match (self, &column.hierarchy) {
            (Value::Node(node), Some(tree)) => tree.lo(node)..tree.hi(node),
            (Value::Range { lo, hi }, _) => lo..hi,
            (Value::Missing, _) => 0..0,
            (Value::Any | Value::Node(_), _) => 0..column.domain.len() as u32,
        }
    }

    /// Whether the value covers a code.
    pub fn covers(self, column: &Column, code: u32) -> bool {
        match self {
            Value::Any => true,
            Value::Missing => code == column.domain.missing(),
            _ => self.codes(column).contains(&code),
        }
    }

    /// How many values of the domain it may stand for. Missing isn't counted.
    pub fn leaves(self, column: &Column) -> u32 {
        self.codes(column).len() as u32
    }

    /// The normalized certainty penalty of one cell: 0 for an exact value, 1 for the whole domain.
    /// Leaves below a node against leaves of the domain; for ordered columns without a hierarchy
    /// the width of the range against the width of the domain.
    pub fn ncp(self, column: &Column) -> f64 {
        match self {
            Value::Missing => 0.0,
            Value::Any => 1.0,
            Value::Node(_) => match column.domain.len() {
                0 | 1 => 0.0,
                n => f64::from(self.leaves(column) - 1) / (n - 1) as f64,
            },
            Value::Range { lo, hi } => {
                let number = |code| column.domain.number(code).unwrap_or(f64::NAN);
                let width = number(column.domain.len().saturating_sub(1) as u32) - number(0);
                let share = (number(hi - 1) - number(lo)) / width;
                // Words have no width, and that of the largest floats isn't a number: then ranks
                // count.
                match (width > 0.0, share.is_finite()) {
                    (true, true) => share,
                    (false, _) if column.domain.kind.is_ordered() => 0.0,
                    _ => {
                        f64::from(hi - lo - 1) / column.domain.len().saturating_sub(1).max(1) as f64
                    }
                }
            }
        }
    }

    /// The level in the hierarchy: 0 for exact values; a range counts as level 1 and the whole
    /// domain as the top.
    pub fn level(self, column: &Column) -> usize {
        match (self, &column.hierarchy) {
            (Value::Node(node), Some(tree)) => tree.level(node),
            (Value::Range { lo, hi }, _) => match hi - lo {
                1 => 0,
                n if n as usize == column.domain.len() => Self::max_level(column),
                _ => 1,
            },
            (Value::Any, _) => Self::max_level(column),
            _ => 0,
        }
    }

    /// The highest level of a column: the hierarchy's root, or 2 for exact / range / everything.
    pub fn max_level(column: &Column) -> usize {
        column.hierarchy.as_ref().map_or(2, |tree| tree.n_levels() - 1)
    }

    /// The published text.
    pub fn render(self, column: &Column) -> String {
        match (self, &column.hierarchy) {
            (Value::Node(node), Some(tree)) => tree.label(node).to_string(),
            (Value::Range { lo, hi }, _) if hi - lo == 1 => column.domain.label(lo).to_string(),
            (Value::Range { lo, hi }, _) => {
                format!("[{}..{}]", column.domain.label(lo), column.domain.label(hi - 1))
            }
            (Value::Missing, _) => column.missing_text.clone(),
            // Not the root's own label: a root called "Europe" doesn't say that the value may be
            // missing.
            (Value::Any | Value::Node(_), _) => ROOT_LABEL.to_string(),
        }
    }
}
