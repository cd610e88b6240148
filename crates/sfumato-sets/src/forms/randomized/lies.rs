//! Random sets that weren't drawn as they should be: the verifier must see through each. Only tests
//! tell them.

use sfumato_core::transactions::Transactions;
use sfumato_engine::lie::{Lie, Subject};

use super::drawn::Drawn;
use crate::data::read::Loaded;

/// Every lie.
pub fn lies() -> Vec<Lie<Loaded, Drawn>> {
    vec![
        Lie {
            name: "the operator keeps everything",
            subject: Subject::Privacy,
            tell: |data, drawn| {
                for of in &mut drawn.operator.by_size {
                    of.keep.fill(0.0);
                    of.keep.iter_mut().last().into_iter().for_each(|all| *all = 1.0);
                }
                drawn.sets = data.baskets.quasi.clone();
                true
            },
        },
        Lie {
            name: "the sets are the records' own, whatever the operator says",
            subject: Subject::Privacy,
            tell: |data, drawn| {
                drawn.sets = data.baskets.quasi.clone();
                true
            },
        },
        Lie {
            name: "a record is left out",
            subject: Subject::Row,
            tell: |_, drawn| {
                let n = drawn.sets.len();
                let sets = (1..n).map(|set| drawn.sets.set(set)).collect::<Vec<_>>();
                drawn.sets = Transactions::from_sets(drawn.sets.n_items(), sets);
                n > 0
            },
        },
    ]
}
