//! Which buckets of an index a search examines.

use sfumato_core::registry::{ParamKind, ParamSpec, Params};

/// Which buckets are examined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probes {
    /// The buckets of the record with which the search began: the plain search of the thesis.
    Record,
    /// Smaller buckets, the neighbouring buckets if they have few records, and the buckets of
    /// members that joined, when no candidate without cost remains.
    Cluster,
}

/// The parameter for the buckets to examine.
pub const PROBES: ParamSpec = ParamSpec::with_default(
    "probes",
    ParamKind::Choice(&["cluster", "record"]),
    "cluster",
    "with neighbours=lsh: which buckets are looked at, those of the first record only or those of \
        the growing cluster, too",
);

impl Probes {
    /// Read the parameter.
    pub fn of(params: &Params) -> Self {
        if params.text("probes") == Some("record") { Probes::Record } else { Probes::Cluster }
    }
    /// How many more bits than usual keys get: buckets are smaller, as several are examined.
    pub fn more_bits(self) -> u32 {
        match self {
            Probes::Record => 0,
            Probes::Cluster => 5,
        }
    }
}
