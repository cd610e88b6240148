//! Token hashing: every term is replaced by a keyed hash, the same wherever the term occurs.

use sfumato_core::Result;
use sfumato_core::registry::{Capabilities, Info, ParamKind, ParamSpec, Params};

use super::{HashedLog, HashingAlgorithm};
use crate::algorithms::papers::KUMAR;
use crate::algorithms::secret::Secret;
use crate::data::Log;

/// The algorithm.
pub struct TokenHashing;

static INFO: Info = Info {
    name: "token-hashing",
    summary: "every term is replaced by a keyed hash, the same wherever it occurs",
    papers: &[KUMAR],
    params: &[ParamSpec::with_default(
        "order",
        ParamKind::Choice(&["sorted", "kept"]),
        "sorted",
        "whether the hashes of a query are sorted, or in the order of its terms",
    )],
    doc: "\
## What it promises

Nothing. A hash hides a term only from those who know nothing about the language: how often a hash \
occurs and beside which others gives it away to whoever has
another log, a dictionary with frequencies or an old release. The attack `token-hash-inversion` \
plays that, and its page says which share of terms it recovers. It is here
because logs were published like that, and so that it can be measured what that is worth.

What is published of a person stays together under one pseudonym, and that alone has been enough \
to find people.

## How

The key of the hash comes from the operating system and is forgotten with the run, so that nobody \
can hash a dictionary and compare. Times and addresses aren't published.
",
    capabilities: Capabilities { ignores: &["metric"], ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

impl HashingAlgorithm for TokenHashing {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn hash(&self, params: &Params, log: &Log, secret: &Secret) -> Result<HashedLog> {
        let keeps_order = params.text("order") == Some("kept");
        let of_query = |query: u32| {
            let mut hashes: Vec<String> =
                log.terms(query).map(|term| secret.tag("term", term, 8)).collect();
            if !keeps_order {
                hashes.sort_unstable();
            }
            hashes
        };
        Ok(HashedLog {
            of_query: (0..log.texts.len() as u32).map(of_query).collect(),
            rows: (0..log.entries.len() as u32).collect(),
            keeps_order,
        })
    }
}
