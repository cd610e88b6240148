//! B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu, 2010: section 6.7, figures 6.12 to 6.15,
//! and what chapter 15 says of graphs.

use crate::figure::{Figure, Paper, PaperInfo};

mod adult;
mod grid;
mod measure;

sfumato_core::registry! {
    /// The figures of the book.
    dyn Figure:
    fig6_12::Fig6_12,
    fig6_13::Fig6_13,
    fig6_14::Fig6_14,
    fig6_15::Fig6_15,
    ch15::Ch15,
}

/// The book.
pub struct Fung;

static INFO: PaperInfo = PaperInfo {
    name: "fung",
    citation: "B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu: *Introduction to Privacy-Preserving \
        Data Publishing*, Chapman & Hall/CRC, 2010, \
section 6.7 and chapter 15.",
    about: "\
HDTDS (`top-down-specialization`) for LKC-privacy on Adult: 13 quasi columns, Divorced and \
Separated of the marital status guarded. For \
classification errors specializations are chosen by information gain about the income class, for \
the discernibility ratio by \
discernibility. The protocol is the book's: all records are generalized, a C4.5 tree \
(`decision-tree`) is trained on two thirds of the generalized \
records and tested on the rest. The marital status leaves as it is and is learnt from. BE is the \
error on the original, UE that on the original without \
its quasi columns.

The book's plots can't be read off, so that what it says in words is put beside our numbers. It \
doesn't show its taxonomies: ours have its \
numbers of levels. Complete records have 41 countries (the book: 40) and 7 work classes (the book: \
8). The Blood data of figures 6.10 and 6.11 can't be \
had. Figure 6.16 is a time; times are measured elsewhere, on stated machines.

Chapter 15 has no figure of its own: `ch15` puts its words about graphs to a rule that was \
written first, with a control.",
};

impl Paper for Fung {
    fn info(&self) -> &'static PaperInfo {
        &INFO
    }
    fn figures(&self) -> &'static [&'static dyn Figure] {
        ALL
    }
}
