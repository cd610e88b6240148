//! Secret sharing as Adar proposed it: k shares whose sum is the query, one for each bucket of
//! people.

use sfumato_core::Result;
use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::registry::{Capabilities, Info, ParamKind, ParamSpec, Params};

use super::threshold_sharing::{BLOCK, block_of};
use super::{Scheme, ShareRow, Shares, SharingAlgorithm, SharingTask, deal};
use crate::algorithms::papers::ADAR;

/// The algorithm.
pub struct SecretSharing;

static INFO: Info = Info {
    name: "secret-sharing",
    summary: "a query is the sum of k shares, and everybody who asked it gets the share of a \
        bucket",
    papers: &[ADAR],
    params: &[
        ParamSpec::with_default(
            "buckets",
            ParamKind::Choice(&["distinct", "hashed"]),
            "distinct",
            "who gets which share: the first k people of each query different ones, or everybody \
             the one of a bucket that is the same for all queries",
        ),
        BLOCK,
    ],
    doc: "\
The bytes of a query are cut into chunks of 8. Each chunk is a number S; k - 1 shares of it are \
random numbers, and the last is S minus their sum modulo 2^64. All k
shares give the text, and k - 1 of them say nothing about it but its length in blocks. The random \
numbers follow from a secret key and the text, so that they needn't be
kept; the key comes from the operating system and is forgotten with the run.

With `buckets=hashed`, as published first, a person has one bucket for all queries. People of the \
same bucket have the same share, so that more than k people may be needed
(on average k (1 + 1/2 + ... + 1/k)): what is readable was asked by at least k people, but what k \
people asked need not be readable. With `buckets=distinct` the
first k people of each query have different buckets, and it is.

Each person has one entry for each query, however often it was asked. Times and addresses aren't \
published.

Cost: k random numbers for each chunk of each different query.
",
    capabilities: Capabilities {
        serves: &[Fact::Hiding(Hiding::Askers)],
        promises_privacy: true,
        ignores: &["metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl SharingAlgorithm for SecretSharing {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn share(&self, params: &Params, task: &SharingTask<'_>) -> Result<Shares> {
        let scheme = Scheme::Additive;
        let rows = match params.text("buckets") {
            Some("hashed") => in_buckets(task),
            _ => deal(task, scheme.n_shares(task.k)),
        };
        let (k, block, secret) = (task.k, block_of(params), task.secret.clone());
        Ok(Shares { scheme, k, block, secret, rows })
    }
}

/// Everybody gets the share of a bucket that is the same for all queries.
fn in_buckets(task: &SharingTask<'_>) -> Vec<ShareRow> {
    let bucket = |user: u32| {
        let hash = task.secret.hash("bucket", &user.to_string());
        let number = hash[..8].iter().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        (number % u64::from(task.k)) as u8 + 1
    };
    let buckets: Vec<u8> = (0..task.log.n_users as u32).map(bucket).collect();
    let of_query = |(query, users): (u32, Vec<u32>)| {
        let row = |user: u32| ShareRow { user, query, share: buckets[user as usize] };
        users.into_iter().map(row).collect::<Vec<_>>()
    };
    (0..).zip(task.log.askers()).flat_map(of_query).collect()
}
