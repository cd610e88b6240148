//! Cells that a spreadsheet would take for a formula: `=cmd|...`, `+1+1`, `@SUM(...)`.
//!
//! A release is data, and whoever opens it in a spreadsheet runs what its cells say. With
//! `guard_formulas` such texts are published with an apostrophe in front, which spreadsheets take
//! for the mark of a text.

use std::borrow::Cow;

use sfumato_core::{Error, Result};

/// Whether a spreadsheet takes a text for a formula. Numbers such as `-5` and `+1.5` are none.
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number(text)
}

fn is_number(text: &str) -> bool {
    // Rust also reads `inf` and `nan`, which are words.
    text.contains(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok()
}

/// The text as it is published. A text that begins with an apostrophe gets another one, so that two
/// texts never become one.
pub fn guard(text: &str, is_asked: bool) -> Cow<'_, str> {
    match is_asked && (is_formula(text) || text.starts_with('\'')) {
        true => Cow::Owned(format!("'{text}")),
        false => Cow::Borrowed(text),
    }
}

/// Refuse a column whose name would be a formula: names stay what they are.
pub fn check_name(name: &str, is_asked: bool) -> Result<()> {
    match is_asked && is_formula(name) {
        true => {
            Err(Error::input(format!("the name of column '{name}' is a formula to spreadsheets"))
                .hint("give the column another name, or leave guard_formulas out"))
        }
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_guarded_and_numbers_are_not() {
        for text in ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\tx", "\r", "=", "-", "+-1", "--1"] {
            assert_eq!(guard(text, true), format!("'{text}"), "{text:?}");
            assert_eq!(guard(text, false), text);
            assert!(check_name(text, true).is_err() && check_name(text, false).is_ok());
        }
        for text in ["", "-5", "+1.5", "-1e-3", "flu", "a=b", "[1..2]", "*"] {
            assert_eq!(guard(text, true), text);
            assert!(check_name(text, true).is_ok());
        }
        // Nothing becomes what another text already is.
        assert_eq!(guard("'=1", true), "''=1");
    }
}
