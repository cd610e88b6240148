//! Refuses to take the first line of a file for names of columns where nothing says that it is:
//! where every column is of texts, a record looks like a header.

use sfumato_core::column::{RawColumn, RawTable};
use sfumato_core::dataset::{ValueKind, Written};
use sfumato_core::{Error, Result};
use sfumato_io::{SAY_HEADER, is_missing_word};

use super::role::{telling_role, told};

/// Refuse names that could as well be values.
pub(super) fn refuse_doubtful(raw: &RawTable, missing: &[String]) -> Result<()> {
    let is_of_texts = |column: &RawColumn| {
        let texts = || told(column, missing).filter(|text| !is_missing_word(text));
        ValueKind::infer(texts()) == ValueKind::Text && Written::guess(texts()).is_none()
    };
    // A word above numbers or dates is a name.
    if raw.columns.iter().any(|column| !is_of_texts(column)) {
        return Ok(());
    }
    let named = raw.columns.iter().filter(|column| looks_like_name(&column.name)).count();
    if named * 2 >= raw.columns.len() {
        return Ok(());
    }
    Err(Error::input(
        "nothing says whether the first line names the columns or is a record: every column is of \
         texts, and the first line is too",
    )
    .at_line(1)
    .hint(SAY_HEADER))
}

/// Whether a text looks like the name of a column: words that programs join, or a word that names
/// columns.
fn looks_like_name(text: &str) -> bool {
    let is_joined = text.contains('_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
        && text.starts_with(char::is_alphabetic);
    is_joined || (telling_role(text).is_some() && text.split_whitespace().count() <= 3)
}
