//! How baskets lie in a file or in columns.

use sfumato_core::registry::{Argument, Call};

/// How baskets lie in a file or in columns.
///
/// ```
/// use sfumato::{Job, Layout};
///
/// let job = Job::baskets(Layout::list("items")).k(2);
/// assert!(job.to_toml().contains("layout = \"list(column=items)\""));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout(String);

impl Layout {
    /// A line for each basket, its items with blanks between. Batches have no lines.
    pub fn lines() -> Self {
        Layout("lines".into())
    }

    /// A column whose cells are lists of items, in Parquet, Arrow or batches.
    pub fn list(column: &str) -> Self {
        Self::named("list", [("column", column)])
    }

    /// A row for each item of each basket: one column says which basket, another which item.
    pub fn long(id: &str, item: &str) -> Self {
        Self::named("long", [("id", id), ("item", item)])
    }

    /// Any layout as the command line and `release.toml` write it: `lines(separator=comma)`.
    pub fn call(text: impl Into<String>) -> Self {
        Layout(text.into())
    }

    fn named<const N: usize>(name: &str, parameters: [(&str, &str); N]) -> Self {
        let word = |(key, value): (&str, &str)| (key.to_string(), Argument::Word(value.into()));
        let call = Call { name: name.into(), args: parameters.into_iter().map(word).collect() };
        Layout(call.to_string())
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}
