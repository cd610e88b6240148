//! Generalization hierarchies: one file per builder, and functions that attach a built table of
//! levels to the data, write, draw, check and guess it.
//!
//! This crate opens no files: a builder that needs one uses the reader that it was given.

use sfumato_core::error::{Error, Result};
use sfumato_core::registry::Params;
use sfumato_core::traits::Builder;

mod attach;
mod axis;
mod check;
mod csv;
mod exact;
mod groups;
mod guess;
mod show;
mod write;

pub use attach::{Attached, Unknown, attach, missing_values};
pub use check::{Finding, check};
pub use guess::guess;
pub use show::{draw, draw_marked};
pub use write::to_csv;

sfumato_core::registry! {
    /// Every hierarchy builder.
    dyn Builder:
        file::File,
        interval::Interval,
        order::Order,
        mask::Mask,
        date::Calendar,
        frequency::Frequency,
        tree::Tree,
}

/// Find a builder by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn Builder> {
    sfumato_core::registry::find("hierarchy", ALL, |builder| builder.info(), name)
}

/// What the parameters of a builder say about data values that its table lacks.
pub fn unknown(params: &Params) -> Unknown {
    match params.text("default") {
        Some(node) => Unknown::Node(node.to_string()),
        None => Unknown::Refuse,
    }
}

/// A text cut to at most `most` characters, for messages and drawings.
fn shorten(text: &str, most: usize) -> String {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    if text.chars().nth(most).is_none() {
        return text.chars().map(clean).collect();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).map(clean).collect();
    if most > 0 {
        short.push('…');
    }
    short
}

/// The error of a builder that can't serve the kind of a column.
fn wrong_kind(builder: &str, needs: &str, kind: sfumato_core::dataset::ValueKind) -> Error {
    Error::unsupported(format!(
        "{builder} needs {needs}, and the column's values are of the kind {}",
        kind.name()
    ))
    .hint(
        "'sfumato list hierarchies' shows what fits which kind; mask, order and frequency take any",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_near_names_hinted() {
        assert_eq!(find("mask").unwrap().info().name, "mask");
        let error = find("intervall").err().unwrap();
        assert_eq!(error.to_string(), "there is no hierarchy 'intervall'");
        assert_eq!(
            error.hint.as_deref(),
            Some("did you mean interval? 'sfumato list hierarchies' shows all")
        );
    }

    #[test]
    fn every_entry_documents_itself() {
        for builder in ALL {
            let info = builder.info();
            assert!(!info.summary.is_empty() && !info.summary.ends_with('.'), "{}", info.name);
            assert!(info.doc.len() > 200, "{}", info.name);
            assert!(info.params.iter().all(|spec| !spec.help.is_empty()), "{}", info.name);
        }
    }

    #[test]
    fn shorten_counts_characters() {
        assert_eq!(shorten("äöü", 3), "äöü");
        assert_eq!(shorten("äöüx", 3), "äö…");
        assert_eq!(shorten("x", 0), "");
    }
}
