//! Logs of queries: people with a few interests, who ask about their topics in common words and in
//! words of their own.

use std::ops::Range;

use sfumato_core::Result;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};

use crate::Generator;
use crate::draw::Draw;

/// See [`Info::doc`].
pub struct QueryLog;

static INFO: Info = Info {
    name: "query-log",
    summary: "who asked what: queries of several words about topics, a row each",
    params: &[
        ParamSpec::with_default(
            "users",
            ParamKind::Integer { min: 1, max: 1_000_000_000 },
            "10000",
            "how many people there are",
        ),
        ParamSpec::with_default(
            "topics",
            ParamKind::Integer { min: 1, max: 1_000_000 },
            "200",
            "how many topics there are",
        ),
        ParamSpec::with_default(
            "words",
            ParamKind::Integer { min: 2, max: 1_000_000 },
            "30",
            "how many words a topic has",
        ),
    ],
    doc: "\
Columns `user`, `query` and `time`. Of topics, of the words of a topic and of the 60 words that \
all topics share, those with smaller numbers are asked for oftener: each is
the smaller of two equally likely draws. A person has three topics, which follow from the person's \
number. A query has one to four words: one in six is shared, one in two
hundred is the person's own (a name, an address), and the others are of one of the person's \
topics. Time is the number of the row.

Two seeds give two logs of the same language: one is a reference for whoever attacks the other.
",
    ..Info::DEFAULT
};

/// The number of words that all topics share.
const SHARED: u32 = 60;

impl Generator for QueryLog {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn columns(&self, _: &Params) -> Vec<String> {
        ["user", "query", "time"].map(String::from).to_vec()
    }
    fn block(&self, params: &Params, seed: u64, rows: Range<u64>, out: &mut Vec<u8>) -> Result<()> {
        let [users, topics, words] =
            ["users", "topics", "words"].map(|name| params.count(name) as u32);
        let mut draw = Draw::block(seed, &rows)?;
        let smaller = |draw: &mut Draw, n: u32| draw.below(n).min(draw.below(n));
        for row in rows {
            let user = draw.below(users);
            // Three topics of a person, frequent ones with more people: from the person's number.
            let nth = u64::from(draw.below(3));
            let mixed = (u64::from(user) * 3 + nth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (one, other) = ((mixed >> 40) as u32 % topics, (mixed >> 16) as u32 % topics);
            let topic = one.min(other);
            out.extend(format!("{user},").bytes());
            for place in 0..draw.between(1, 4) {
                if place > 0 {
                    out.push(b' ');
                }
                let word = match draw.below(200) {
                    0 => format!("own{user}x{}", draw.below(3)),
                    1..=33 => format!("common{}", smaller(&mut draw, SHARED)),
                    _ => format!("topic{topic}word{}", smaller(&mut draw, words)),
                };
                out.extend(word.bytes());
            }
            out.extend(format!(",{row}\n").bytes());
        }
        Ok(())
    }
}
