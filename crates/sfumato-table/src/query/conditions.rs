//! Turns the conditions of a predicate into tests of a column.

use sfumato_core::dataset::ValueKind;
use sfumato_core::workload::{Bound, Condition};
use sfumato_core::{Error, Result};

use super::axis::Axis;
use super::cell::{Test, Wanted};
use super::column::{Column, outermost};

impl Column<'_> {
    /// The tests for the conditions on this column.
    pub fn tests(&self, conditions: &[&Condition]) -> Result<Vec<Test>> {
        let mut range = Wanted::ALL;
        let mut tests = Vec::new();
        for condition in conditions {
            match (&condition.bound, &self.axis) {
                (Bound::Is(value), Some(axis)) if axis.key(value).is_some() => {
                    let key = self.key(axis, value)?;
                    range = range.and(Wanted { lo: key, with_lo: true, hi: key, with_hi: true });
                }
                (Bound::Is(label), Some(axis))
                    if self.tree.is_some_and(|t| !t.nodes(label).is_empty()) =>
                {
                    let tree = self.tree.expect("the guard looked");
                    let span = self.span_of(tree, tree.nodes(label), axis);
                    tests.push(Test::Keys(span.keys.map_or_else(Vec::new, |keys| keys.to_vec())));
                }
                (bound, Some(axis)) => {
                    let all = Wanted::ALL;
                    range = range.and(match bound {
                        Bound::Is(value) => Wanted { lo: self.key(axis, value)?, ..all },
                        Bound::Below(value, with_hi) => {
                            Wanted { hi: self.key(axis, value)?, with_hi: *with_hi, ..all }
                        }
                        Bound::Above(value, with_lo) => {
                            Wanted { lo: self.key(axis, value)?, with_lo: *with_lo, ..all }
                        }
                        Bound::Between(from, to) => {
                            Wanted { lo: self.key(axis, from)?, hi: self.key(axis, to)?, ..all }
                        }
                    });
                }
                (Bound::Is(label), None) => tests.push(self.word_test(label)?),
                (_, None) => return Err(self.no_order()),
            }
        }
        if self.axis.is_some() && (tests.is_empty() || range != Wanted::ALL) {
            tests.push(Test::Range(range));
        }
        Ok(tests)
    }

    fn word_test(&self, label: &str) -> Result<Test> {
        let Some(tree) = self.tree else { return Ok(Test::Word(label.into())) };
        match outermost(tree, tree.nodes(label)).as_slice() {
            [] => Ok(Test::Word(label.into())),
            [(lo, hi)] => Ok(Test::Leaves(*lo, *hi)),
            _ => Err(Error::params(format!(
                "'{label}' stands at two places of the hierarchy of column '{}', so that a query \
                    can't mean it",
                self.name
            ))),
        }
    }

    fn key(&self, axis: &Axis, text: &str) -> Result<i128> {
        axis.key(text).ok_or_else(|| {
            let kind = axis.kind.name();
            Error::params(format!(
                "'{text}' isn't a value of column '{}', whose type is {kind}",
                self.name
            ))
        })
    }

    /// The error for words where an order is needed.
    pub fn no_order(&self) -> Error {
        Error::params(format!(
            "the cells of column '{}' have no order that is known: not all of them are numbers, \
                dates, ranges of these or *",
            self.name
        ))
        .hint(format!(
            "if it has a hierarchy, give it with --job release.toml or --hierarchy {}=FILE; of \
                words only '= VALUE' can be asked",
            self.name
        ))
    }

    /// The error for dates and times that would have to be added.
    pub fn no_sum(&self) -> Error {
        Error::params(format!("column '{}' has dates or times, which have no sum", self.name))
            .hint("ask for avg, min or max")
    }

    /// Whether its values can be added.
    pub fn is_number(&self) -> bool {
        self.axis.is_some_and(|axis| {
            matches!(axis.kind, ValueKind::Integer | ValueKind::Decimal { .. } | ValueKind::Float)
        })
    }
}
