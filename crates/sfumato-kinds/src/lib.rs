//! The list of all kinds of data and forms of release. The ways in (the library, the command line)
//! stand above it, and nothing but this list knows which kinds there are.

use sfumato_engine::Releases;

/// Every kind of data in every form of release. A new kind is one line here.
pub static RELEASES: Releases = Releases(&[
    sfumato_table::RELEASES,
    sfumato_sets::RELEASES,
    sfumato_queries::RELEASES,
    sfumato_graph::RELEASES,
    sfumato_text::RELEASES,
    sfumato_paths::RELEASES,
    #[cfg(feature = "toy")]
    sfumato_toy::RELEASES,
]);
