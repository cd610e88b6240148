//! K-safety: what a document says of a protected entity is true of at least K others.

use sfumato_core::Result;
use sfumato_core::facts::{Fact, Together};
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};

use super::{CoverRequirement, TextModel};

/// The model `k-safety`, an entry of the registry.
pub struct KSafety;

/// The paper of ERASE, from which the model and its algorithms come.
pub const ERASE: Paper = Paper {
    authors: "V. T. Chakaravarthy, H. Gupta, P. Roy, M. K. Mohania",
    title: "Efficient techniques for document sanitization",
    venue: "ACM Conference on Information and Knowledge Management",
    year: 2008,
};

static INFO: Info = Info {
    name: "k-safety",
    summary: "what a document says of a protected entity is true of at least k others",
    papers: &[ERASE],
    params: &[
        ParamSpec::required(
            "k",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the least number of other entities that a document could be about",
        ),
        ParamSpec::with_default(
            "over",
            ParamKind::Choice(&["document", "subject", "corpus"]),
            "document",
            "which documents an attacker knows to be about one person: each is alone, all of one \
             subject are, or all are",
        ),
    ],
    doc: "\
## What it promises

Entities are people or things of which terms are publicly known, their contexts; some of them are \
protected. Whoever finds in a document all
terms that it has of the context of a protected entity finds at least `k` other entities whose \
contexts have all these terms too, and can't
tell which of them the document is about. Other protected entities count among the `k`.

With `over=subject` the documents of one person are read as one, and with `over=corpus` all of \
them are: two documents that are safe each may
together single somebody out.

## Against whom it does not hold

- Somebody who knows more of the entities than the database says, or who reads more out of a \
document than its terms: a style, a rare word,
  a circumstance in other words. What is in no context is never looked at.
- Somebody who knows that the document is about one of a few entities.
- Terms are found by their words, whatever case and accents they have. Misspelt or inflected words \
are other words.

## Checking

In the published bytes: words are found again, for each protected entity the terms of its context \
are collected, and all entities that have
them are counted. The original isn't needed, but the entities are.

## When it can't be met

If there aren't more than `k` entities, even a document without any term isn't safe, and nothing \
is published.
",
    about: About { asks: &[Fact::Covers], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

impl TextModel for KSafety {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<CoverRequirement> {
        let over = match params.text("over") {
            Some("subject") => Together::Subject,
            Some("corpus") => Together::All,
            _ => Together::None,
        };
        let (text, k) = (params.describe(), params.count("k"));
        Ok(CoverRequirement { model: INFO.name, text, k, over })
    }
}
