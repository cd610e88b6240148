//! Groups that don't protect: the verifier of buckets must see through them. Only tests tell them.

use sfumato_engine::lie::{Lie, Subject};

use crate::data::Groups;
use crate::data::read::Loaded;
use crate::traits::BucketFindings;

/// Every lie.
pub fn lies() -> Vec<Lie<Loaded, (Groups, BucketFindings)>> {
    vec![Lie {
        name: "every record is a group of its own",
        subject: Subject::Privacy,
        tell: |_, (groups, _)| {
            let alone: Vec<u32> = (0..groups.of_record().len() as u32).collect();
            *groups = Groups::from_labels(&alone);
            true
        },
    }]
}
