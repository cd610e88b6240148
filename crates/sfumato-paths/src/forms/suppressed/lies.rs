//! Paths that aren't true or don't protect: the verifier must see through each. Only tests tell
//! them.

use sfumato_engine::lie::{Lie, Subject};

use crate::algorithms::suppression::KeptSteps;
use crate::data::Paths;
use crate::data::read::Loaded;

/// Every lie that the verifier must see through.
pub fn lies() -> Vec<Lie<Loaded, KeptSteps>> {
    vec![
        Lie {
            name: "every path is published as it is",
            subject: Subject::Privacy,
            tell: |loaded, kept| {
                let is_other = kept.paths != loaded.data.paths;
                kept.paths = loaded.data.paths.clone();
                is_other
            },
        },
        Lie {
            name: "a path has a step that isn't its own",
            subject: Subject::Cell,
            tell: |loaded, kept| {
                let Some((record, path)) = first(&kept.paths) else { return false };
                let own = loaded.data.paths.get(record);
                let n_steps = loaded.data.steps.len() as u32;
                let Some(other) = (0..n_steps).find(|step| !own.contains(step)) else {
                    return false;
                };
                let mut path = path.to_vec();
                path.push(other);
                path.sort_unstable();
                kept.paths = replaced(&kept.paths, record, &path);
                true
            },
        },
        Lie {
            name: "a record is published with the path of another",
            subject: Subject::Row,
            tell: |loaded, kept| {
                let Some((record, _)) = first(&kept.paths) else { return false };
                let own = loaded.data.paths.get(record);
                let is_other = |path: &&[u32]| path.iter().any(|step| !own.contains(step));
                let Some(other) = kept.paths.iter().find(is_other).map(<[u32]>::to_vec) else {
                    return false;
                };
                kept.paths = replaced(&kept.paths, record, &other);
                true
            },
        },
    ]
}

/// The first path of which something is left.
fn first(paths: &Paths) -> Option<(usize, &[u32])> {
    paths.iter().enumerate().find(|(_, path)| !path.is_empty())
}

fn replaced(paths: &Paths, record: usize, path: &[u32]) -> Paths {
    let of_record =
        |(at, own): (usize, &[u32])| if at == record { path.to_vec() } else { own.to_vec() };
    paths.iter().enumerate().map(of_record).collect()
}
