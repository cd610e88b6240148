//! k-anonymous queries: whatever query can be read was asked by at least k people.

use sfumato_core::Result;
use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::registry::{About, Disclosure, Info, ParamKind, ParamSpec, Params};

use super::{QueryModel, QueryRequirement};
use crate::algorithms::papers::ADAR;

/// The name of the model.
pub const NAME: &str = "k-anonymous-queries";

/// The model `k-anonymous-queries`, an entry of the registry.
pub struct KAnonymousQueries;

static INFO: Info = Info {
    name: NAME,
    summary: "every query whose text can be read was asked by at least k people",
    papers: &[ADAR],
    params: &[ParamSpec::required(
        "k",
        // A share has a number from 1 to 255.
        ParamKind::Integer { min: 1, max: 255 },
        "how many people must have asked a query before anybody can read it",
    )],
    doc: "\
## What it promises

The text of a query can be put together only from the entries of at least `k` different people. \
What fewer people asked (a name, an address, a rare illness)
stays unreadable, for whoever has the release and nothing else.

## Against whom it does not hold

- Somebody who follows a person through the log: the entries of a person have the same pseudonym, \
and several queries that many asked may together be asked by
one alone.
- Somebody who guesses: a query that `k` people asked can be read by everybody, also where it \
reveals something about each of them.
- Somebody who makes `k` entries: whoever can add `k - 1` people to the log before it is published \
can read what one other person asked.
- Whoever has the key with which shares were drawn. It comes from the operating system, is used \
for one release and isn't kept.
- Somebody who looks at lengths: how long a query is can be told to within a block of bytes.

## Checking

In the written file: the shares of every query are put together as far as they can be, and the \
people who contributed are counted. A run also compares what
can be read with the original. People who ask a query more often than once count once.
",
    about: About { asks: &[Fact::Hiding(Hiding::Askers)], limits: &[Disclosure::Attribute] },
    ..Info::DEFAULT
};

impl QueryModel for KAnonymousQueries {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<QueryRequirement> {
        let (k, text) = (params.count("k"), params.describe());
        Ok(QueryRequirement { model: INFO.name, text, k })
    }
}
