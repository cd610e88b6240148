//! Groups that don't protect or aren't all: the verifier of buckets must see through each. Only
//! tests tell them.

use sfumato_core::recoding::{Buckets as Groups, Recoding as _, SUPPRESSED};
use sfumato_engine::lie::{Lie, Subject};

use crate::kind::TableData;

/// Every lie that the verifier must see through.
pub fn lies() -> Vec<Lie<TableData, Groups>> {
    vec![
        Lie {
            name: "every record is a group of its own",
            subject: Subject::Privacy,
            tell: |_, groups| {
                *groups = Groups::new((0..groups.class_of_row().len() as u32).collect());
                true
            },
        },
        Lie {
            name: "a record is left out",
            subject: Subject::Row,
            tell: |_, groups| {
                let mut of_row = groups.class_of_row().to_vec();
                let published = of_row.iter_mut().find(|group| **group != SUPPRESSED);
                let was_published = published.map(|group| *group = SUPPRESSED).is_some();
                *groups = Groups::new(of_row);
                was_published
            },
        },
    ]
}
