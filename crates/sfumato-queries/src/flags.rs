//! The flags of logs of queries.

use sfumato_engine::flags::shared::{model_first, model_last};
use sfumato_engine::flags::{Command, Flag, KindFlags, Sets, Takes};

use Command::{Anonymize, Audit, Explain, Explore, Query};

/// What to do for whoever gave a flag of another kind.
const HINT: &str = "say with the layout what columns are, as in \
                    log(user=AnonID, query=Query, drop=[ItemRank])";

/// The flags of logs of queries.
pub const FLAGS: KindFlags = KindFlags { list: LIST, hint: HINT };

static LIST: &[Flag] = &[
    Flag::new(
        "queries",
        Takes::One("LAYOUT"),
        "That the data are a log of queries, and which column is which: \
         'log(user=A, query=B, time=C, url=D, drop=[E])'.",
        &[Anonymize, Explain, Explore, Audit, Query],
        Sets::Text("queries", "layout"),
    ),
    Flag::new(
        "k",
        Takes::Whole("K"),
        "k-anonymous queries: what can be read was asked by at least k people.",
        &[Anonymize, Explain],
        Sets::By("models in [privacy]", |job, values| {
            model_first(job, crate::models::k_anonymous_queries::NAME, values)
        }),
    )
    .goal(),
    Flag::new(
        "k",
        Takes::Whole("K"),
        "k-anonymous queries that must hold, or the command ends with exit code 3.",
        &[Audit],
        Sets::By("models in [privacy]", |job, values| {
            model_last(job, crate::models::k_anonymous_queries::NAME, values)
        }),
    )
    .goal(),
];
