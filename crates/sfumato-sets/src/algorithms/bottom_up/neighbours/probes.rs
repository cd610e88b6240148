//! Which buckets of an index a search looks at.

use sfumato_core::registry::{ParamKind, ParamSpec, Params};

/// Which buckets are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probes {
    /// Those of the record that the search began with: the plain search of the thesis.
    Record,
    /// Smaller ones, the buckets beside them where they have few records, and those of members that
    /// joined, when nobody is left who costs nothing.
    Cluster,
}

/// The parameter that names them.
pub const PROBES: ParamSpec = ParamSpec::with_default(
    "probes",
    ParamKind::Choice(&["cluster", "record"]),
    "cluster",
    "with neighbours=lsh: which buckets are looked at, those of the first record only or those of \
        the growing cluster, too",
);

impl Probes {
    /// From the parameter.
    pub fn of(params: &Params) -> Self {
        if params.text("probes") == Some("record") { Probes::Record } else { Probes::Cluster }
    }
    /// How many bits more than an even share of queries asks for: smaller buckets, as several are
    /// looked at.
    pub fn more_bits(self) -> u32 {
        match self {
            Probes::Record => 0,
            Probes::Cluster => 5,
        }
    }
}
