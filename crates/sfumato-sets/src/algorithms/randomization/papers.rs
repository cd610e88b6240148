//! The publications about randomized sets.

use sfumato_core::registry::Paper;

/// Select-a-size operators and the recovery of supports.
pub const MINING: Paper = Paper {
    authors: "A. Evfimievski, R. Srikant, R. Agrawal, J. Gehrke",
    title: "Privacy preserving mining of association rules",
    venue: "KDD",
    year: 2002,
};

/// Breaches and amplification.
pub const BREACHES: Paper = Paper {
    authors: "A. Evfimievski, J. Gehrke, R. Srikant",
    title: "Limiting privacy breaches in privacy preserving data mining",
    venue: "PODS",
    year: 2003,
};
