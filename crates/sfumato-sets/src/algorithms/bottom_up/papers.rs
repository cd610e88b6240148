//! Publications that several entries come from.

use sfumato_core::registry::Paper;

/// The thesis in which all of these algorithms are described.
pub const PODGURSKY: Paper = Paper {
    authors: "B. Podgursky",
    title: "Practical k-anonymity on large datasets",
    venue: "Master's thesis, Vanderbilt University",
    year: 2011,
};
/// The paper on clustering.
pub const BYUN: Paper = Paper {
    authors: "J.-W. Byun, A. Kamra, E. Bertino, N. Li",
    title: "Efficient k-anonymization using clustering techniques",
    venue: "DASFAA",
    year: 2007,
};
/// The paper on locality sensitive hashing.
pub const GIONIS_LSH: Paper = Paper {
    authors: "A. Gionis, P. Indyk, R. Motwani",
    title: "Similarity search in high dimensions via hashing",
    venue: "VLDB",
    year: 1999,
};
/// The paper on (k,1)-anonymity.
pub const GIONIS_K1: Paper = Paper {
    authors: "A. Gionis, A. Mazza, T. Tassa",
    title: "k-Anonymization revisited",
    venue: "ICDE",
    year: 2008,
};
