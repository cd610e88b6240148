//! The list of all kinds of data and forms of release. The ways in (the library, the command line)
//! stand above it, and nothing but this list knows which kinds there are.

use std::sync::{LazyLock, OnceLock};

use sfumato_engine::{AnyRelease, Releases};

/// The forms of release of one kind.
pub type Kind = &'static [&'static dyn AnyRelease];

/// Every kind of data in every form of release. A new kind is one line here. The lists are referred
/// to, never copied: who copies the list of another crate compiles all that stands behind it again.
static KINDS: [&Kind; 8] = [
    &sfumato_table::RELEASES,
    &sfumato_sets::RELEASES,
    &sfumato_queries::RELEASES,
    &sfumato_graph::RELEASES,
    &sfumato_text::RELEASES,
    &sfumato_paths::RELEASES,
    &sfumato_notes::RELEASES,
    &sfumato_mixed::RELEASES,
];

/// The kinds that a program of somebody else's brings.
static OTHERS: OnceLock<&'static [Kind]> = OnceLock::new();

/// Every kind of data in every form of release, those of this program's own included.
pub static RELEASES: LazyLock<Releases> = LazyLock::new(gather);

fn gather() -> Releases {
    // Columns beside paths are generalized by whoever generalizes tables.
    sfumato_paths::run_tables_by(|job, observer| RELEASES.run(job, observer));
    let others = OTHERS.get_or_init(Default::default);
    Releases(Vec::leak(KINDS.into_iter().chain(*others).copied().collect()))
}

/// Add the kinds of a program that is built on this one. It is called once, first of all.
///
/// # Panics
///
/// If the list has been read already: what read it would not know of the new kinds.
pub fn add(kinds: &'static [Kind]) {
    assert!(OTHERS.set(kinds).is_ok(), "kinds are added before the list of kinds is read");
}
