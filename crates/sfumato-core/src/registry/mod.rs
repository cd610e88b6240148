//! What every entry of a family says about itself, and how a user's words become its parameters.
//!
//! The CLI, the catalogue, the docs and the tests over all entries read these structures, so that
//! adding an entry is one new file and one line in its family's list.

mod call;
mod capabilities;
mod page;
mod params;
mod probe;
mod sample;

pub use call::{Argument, Call};
pub use capabilities::{About, Capabilities, Disclosure, OutOfCore, PerEffort};
pub use params::{ParamKind, ParamSpec, Params};
pub use probe::{Probe, ProbedColumns};
pub use sample::Words;

use crate::error::{Error, Result};

/// A publication an entry comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paper {
    /// The authors, as they are cited.
    pub authors: &'static str,
    /// The title of the publication.
    pub title: &'static str,
    /// Journal, conference or publisher.
    pub venue: &'static str,
    /// The year of publication.
    pub year: u16,
}

/// Everything a user reads about an entry without running it.
#[derive(Debug, Clone, Copy)]
pub struct Info {
    /// The name in kebab case, which is also the name of its page.
    pub name: &'static str,
    /// A summary of one line.
    pub summary: &'static str,
    /// The publications that it comes from.
    pub papers: &'static [Paper],
    /// The parameters.
    pub params: &'static [ParamSpec],
    /// Markdown for the reference page: what it promises or computes, what it doesn't, cost,
    /// deviations.
    pub doc: &'static str,
    /// What an algorithm can do; of no other family.
    pub capabilities: Capabilities,
    /// What a model is about; of no other family.
    pub about: About,
    /// The probes with which an audit reads off what a model achieves; of no other family.
    pub probes: &'static [Probe],
    /// How a survey characterises it: the name of each property, and what it says.
    pub properties: &'static [(&'static str, &'static str)],
}

impl Info {
    /// An entry that says nothing: an entry writes what differs, so that a new field edits none.
    pub const DEFAULT: Info = Info {
        name: "",
        summary: "",
        papers: &[],
        params: &[],
        doc: "",
        capabilities: Capabilities::DEFAULT,
        about: About::NOTHING,
        probes: &[],
        properties: &[],
    };
}

/// Find an entry by its name. The error for an unknown name lists similar names.
pub fn find<'a, T: ?Sized>(
    family: &str,
    all: &[&'a T],
    info: impl Fn(&T) -> &'static Info,
    name: &str,
) -> Result<&'a T> {
    if let Some(entry) = all.iter().find(|entry| info(entry).name == name) {
        return Ok(*entry);
    }
    let mut near: Vec<_> =
        all.iter().map(|e| info(e).name).map(|n| (edit_distance(n, name), n)).collect();
    near.sort_unstable();
    let plural = match family.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{family}s"),
    };
    // A name that others begin with or contain is that of a family.
    let longer: Vec<&str> =
        all.iter().map(|e| info(e).name).filter(|n| name.len() > 2 && n.contains(name)).collect();
    let hint = match near.first() {
        Some((distance, best)) if *distance <= 3 || best.contains(name) || name.contains(best) => {
            format!("did you mean {best}? 'sfumato list {plural}' shows all")
        }
        _ => match &longer[..] {
            [] => format!("'sfumato list {plural}' shows all"),
            [one] => format!("did you mean {one}? 'sfumato list {plural}' shows all"),
            [first @ .., last] if first.len() < 5 => format!(
                "did you mean {} or {last}? 'sfumato list {plural}' shows all",
                first.join(", ")
            ),
            _ => format!(
                "did you mean one of {}? 'sfumato list {plural}' shows all",
                longer[..5].join(", ")
            ),
        },
    };
    Err(Error::params(format!("there is no {family} '{name}'")).hint(hint))
}

/// The Levenshtein distance of two texts, used only for hints.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// Declares the modules of a family and the one list of its entries.
///
/// `registry! { dyn Model: k_anonymity::KAnonymity, ... }` expands to `mod k_anonymity;` for each
/// and `pub static ALL: &[&dyn Model]`. rustfmt doesn't follow modules declared by a macro: `cargo
/// xtask test` formats every file that git knows.
#[macro_export]
macro_rules! registry {
    ($(#[$doc:meta])* dyn $family:path: $($module:ident :: $entry:ident),+ $(,)?) => {
        $(pub mod $module;)+
        $(#[$doc])*
        pub static ALL: &[&dyn $family] = &[$(&$module::$entry),+];
    };
}
