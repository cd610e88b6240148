//! The papers that these algorithms come from.

use sfumato_core::registry::Paper;

/// Direct, Apriori and optimal anonymization for k^m-anonymity.
pub const TERROVITIS: Paper = Paper {
    authors: "M. Terrovitis, N. Mamoulis, P. Kalnis",
    title: "Privacy-preserving anonymization of set-valued data",
    venue: "Proceedings of the VLDB Endowment",
    year: 2008,
};

/// Top-down partitioning for k-anonymity of sets.
pub const HE: Paper = Paper {
    authors: "Y. He, J. F. Naughton",
    title: "Anonymization of set-valued data via top-down, local generalization",
    venue: "Proceedings of the VLDB Endowment",
    year: 2009,
};
