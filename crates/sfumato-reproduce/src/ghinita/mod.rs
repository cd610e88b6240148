//! G. Ghinita, Y. Tao, P. Kalnis, 2008: sparse data with sensitive items, tables I and II and figures 6 and 9 to 13.

use crate::figure::{Figure, Paper, PaperInfo};

mod data;

sfumato_core::registry! {
    /// Its tables and figures.
    dyn Figure:
    table1::Table1,
    table2::Table2,
}

/// The paper.
pub struct Ghinita;

static INFO: PaperInfo = PaperInfo {
    name: "ghinita",
    citation: "G. Ghinita, Y. Tao, P. Kalnis: *On the Anonymization of Sparse High-Dimensional Data*, ICDE 2008.",
    about: "\
The paper's plots can't be read off: what it says of them in words stands beside our numbers. Tables I and II are printed as numbers.",
};

impl Paper for Ghinita {
    fn info(&self) -> &'static PaperInfo {
        &INFO
    }
    fn figures(&self) -> &'static [&'static dyn Figure] {
        ALL
    }
}
