//! The publications from which the algorithms for logs of queries come.

use sfumato_core::registry::Paper;

/// Secret sharing of queries, and split personalities.
pub const ADAR: Paper = Paper {
    authors: "E. Adar",
    title: "User 4XXXXX9: anonymizing query logs",
    venue: "Query Log Analysis workshop at WWW",
    year: 2007,
};

/// Hashing of terms, and how it is undone.
pub const KUMAR: Paper = Paper {
    authors: "R. Kumar, J. Novak, B. Pang, A. Tomkins",
    title: "On anonymizing query logs via token-based hashing",
    venue: "WWW",
    year: 2007,
};

/// The threshold scheme.
pub const SHAMIR: Paper = Paper {
    authors: "A. Shamir",
    title: "How to share a secret",
    venue: "Communications of the ACM",
    year: 1979,
};
