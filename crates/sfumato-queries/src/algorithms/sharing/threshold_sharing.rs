//! Threshold sharing: everybody who asked a query gets a point of its polynomial, and any k of them
//! give the text.

use sfumato_core::Result;
use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::registry::{Capabilities, Info, ParamKind, ParamSpec, Params};

use super::{Scheme, Shares, SharingAlgorithm, SharingTask, deal};
use crate::algorithms::papers::{ADAR, SHAMIR};

/// The algorithm.
pub struct ThresholdSharing;

/// The parameter that says to what texts are filled up.
pub(super) const BLOCK: ParamSpec = ParamSpec::with_default(
    "block",
    ParamKind::Integer { min: 1, max: 1024 },
    "4",
    "texts are filled up to multiples of so many times 8 bytes, so that shares don't tell their \
     length",
);

/// The number of bytes to whose multiples texts are filled up.
pub(super) fn block_of(params: &Params) -> usize {
    8 * params.count("block") as usize
}

static INFO: Info = Info {
    name: "threshold-sharing",
    summary: "everybody who asked a query gets a share of its text, and any k shares give it",
    papers: &[ADAR, SHAMIR],
    params: &[BLOCK],
    doc: "\
The text of a query is the value at 0 of a random polynomial of degree k - 1 (over the field of \
256 elements, byte by byte), and each person who asked it gets another
point of it. Fewer than k points say nothing about the text but its length in blocks. The \
polynomial follows from a secret key and the text, so that it needn't be kept;
the key comes from the operating system and is forgotten with the run.

There are 255 points: where more people asked, the others get one that somebody has. The first 255 \
are all different, so that a query can be read if and only if k people
asked it. Unlike `secret-sharing`, any part of the log with entries of k people is enough.

Each person has one entry for each query, however often it was asked. Times and addresses aren't \
published.

Cost: a polynomial of degree k - 1 for each byte of each different query, evaluated once for each \
person who asked it.
",
    capabilities: Capabilities {
        serves: &[Fact::Hiding(Hiding::Askers)],
        promises_privacy: true,
        ignores: &["metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl SharingAlgorithm for ThresholdSharing {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn share(&self, params: &Params, task: &SharingTask<'_>) -> Result<Shares> {
        let scheme = Scheme::Threshold;
        Ok(Shares {
            scheme,
            k: task.k,
            block: block_of(params),
            secret: task.secret.clone(),
            rows: deal(task, scheme.n_shares(task.k)),
        })
    }
}
