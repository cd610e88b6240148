//! How the values of a column are generalized: a builder of the catalogue with its parameters.

use std::path::Path;

use crate::Value;

/// How a column is generalized. The catalogue (`sfumato list hierarchies`) has more builders than
/// there are methods here; [`Hierarchy::builder`] takes each of them.
///
/// ```
/// use sfumato::{Hierarchy, Value};
///
/// let zip = Hierarchy::mask();
/// let the_same = Hierarchy::builder("mask", [("from", Value::from("right"))]);
/// assert_eq!(zip, the_same);
/// let age = Hierarchy::interval(5.0, 3);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Hierarchy(Value);

impl Hierarchy {
    /// A file with a line for each value: the value, then what it becomes level by level.
    pub fn file(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref().display().to_string();
        Self::builder("file", [("path", Value::from(path))])
    }

    /// Ranges of numbers: the narrowest have this width, and each further level joins two of them.
    pub fn interval(width: f64, levels: u32) -> Self {
        let parameters = [("width", Value::from(width)), ("levels", Value::from(levels))];
        Self::builder("interval", parameters)
    }

    /// One character after the other becomes `*`, from the right: postal codes, phone numbers.
    pub fn mask() -> Self {
        Self::builder("mask", [("from", Value::from("right"))])
    }

    /// Any builder of the catalogue, with its parameters.
    pub fn builder<'a>(name: &str, parameters: impl IntoIterator<Item = (&'a str, Value)>) -> Self {
        Hierarchy(Value::table([(name, Value::table(parameters))]))
    }

    /// A builder as the command line and `release.toml` write it: `mask(from=right)`.
    pub fn call(text: impl Into<String>) -> Self {
        Hierarchy(Value::Text(text.into()))
    }

    pub(crate) fn into_value(self) -> Value {
        self.0
    }
}
