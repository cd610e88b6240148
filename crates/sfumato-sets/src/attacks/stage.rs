//! What attackers of baskets look at: for each item the rows that may have it, and the people who
//! judge them.

use sfumato_core::observer::Observer;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::attack::{AttackRequest, Chance};

use crate::data::Bitmaps;
use crate::data::item_tree::ItemTree;
use crate::data::read::load;
use crate::forms::bitmaps::open as open_bitmaps;
use crate::forms::release_file::{ReleaseFile, original_of};
use crate::job::{BasketSpec, Job};

/// What attackers of baskets look at. Items are numbered as in the original.
pub struct SetStage {
    /// The items of each person that aren't sensitive.
    pub people: Vec<Vec<u32>>,
    /// The sensitive items of each person, by name.
    pub secrets: Vec<Vec<String>>,
    /// How many rows the release has.
    pub n_rows: usize,
    /// For each item the rows that may have it, ascending.
    pub may_have: Vec<Vec<u32>>,
    /// For each item the rows that certainly have it, ascending.
    pub have: Vec<Vec<u32>>,
    /// The group of each row whose sensitive items are known only together; a row of its own where
    /// they are published beside it.
    pub group_of_row: Vec<u32>,
    /// How many rows each group has.
    pub group_sizes: Vec<u32>,
    /// How many rows of a group have each sensitive item, by group.
    pub group_secrets: Vec<Vec<(String, u32)>>,
    /// Of rows that may be wrong both ways: in which items, and in how many.
    pub bitmaps: Option<Bitmaps>,
}

/// The release as it was read: what rows may have and have, by the names of items.
struct Rows {
    n_rows: usize,
    /// For each name the rows.
    may_have: FastMap<String, Vec<u32>>,
    have: FastMap<String, Vec<u32>>,
    group_of_row: Vec<u32>,
    group_sizes: Vec<u32>,
    group_secrets: Vec<Vec<(String, u32)>>,
    bitmaps: Option<Bitmaps>,
}

/// The rows that have each item.
fn rows_of(sets: &Transactions, names: &[String]) -> FastMap<String, Vec<u32>> {
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); names.len()];
    for row in 0..sets.len() {
        sets.set(row).into_iter().for_each(|item| rows[item as usize].push(row as u32));
    }
    names.iter().cloned().zip(rows).collect()
}

/// The group of each row, the size of each group, and its sensitive items with their counts.
type Groups = (Vec<u32>, Vec<u32>, Vec<Vec<(String, u32)>>);

/// Each row as a group of its own, with the sensitive items beside it.
fn each_alone(n_rows: usize, sensitive: Option<&Transactions>, names: &[String]) -> Groups {
    let secrets = |row: usize| -> Vec<(String, u32)> {
        let items = sensitive.map(|sensitive| sensitive.set(row)).unwrap_or_default();
        items.into_iter().map(|item| (names[item as usize].clone(), 1)).collect()
    };
    ((0..n_rows as u32).collect(), vec![1; n_rows], (0..n_rows).map(secrets).collect())
}

impl SetStage {
    /// Open a release beside its original.
    pub fn open(
        form: &'static str,
        request: &AttackRequest<Job>,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let (job, original) = (&request.release.job, request.original()?);
        let manifest = request.release.manifest.as_ref();
        let (input, mut spec) = original_of(original, job)?;
        let named = |spec: &BasketSpec| spec.sensitive.is_empty();
        if let Some(manifest) = manifest.filter(|_| named(&spec)) {
            spec.sensitive = manifest.details_of("sensitive");
        }
        let original = match form {
            // Their codes are those of the original's items.
            "bitmaps" => Some(load(&input, &spec, None, false, observer)?.baskets),
            _ => None,
        };
        let rows = match (form, &original) {
            (_, Some(original)) => of_bitmaps(job, request, &original.items.names, observer)?,
            ("buckets", None) => of_buckets(job, request, observer)?,
            _ => {
                let file = ReleaseFile::of(form, job, true, manifest)?;
                if spec.sensitive.is_empty() {
                    spec.sensitive = file.baskets().sensitive.clone();
                }
                let loaded = file.load(false, observer)?;
                let (quasi, names) = (&loaded.baskets.quasi, &loaded.baskets.items.names);
                let have = rows_of(quasi, names);
                let (group_of_row, group_sizes, group_secrets) =
                    each_alone(quasi.len(), loaded.baskets.sensitive.as_ref(), names);
                let n_rows = quasi.len();
                let may_have = have.clone();
                Rows {
                    n_rows,
                    may_have,
                    have,
                    group_of_row,
                    group_sizes,
                    group_secrets,
                    bitmaps: None,
                }
            }
        };
        let original = match original {
            Some(original) => original,
            None => load(&input, &spec, None, false, observer)?.baskets,
        };
        let names = &original.items.names;
        let mut may_have: Vec<Vec<u32>> = listed(names, &rows.may_have);
        if form == "generalized" {
            let how = job.baskets.hierarchy.as_ref();
            let how = how.or(request.original()?.baskets.hierarchy.as_ref()).ok_or_else(|| {
                Error::params("what labels stand for is said by the item hierarchy")
                    .hint("name it with --item-hierarchy FILE")
            })?;
            let tree = ItemTree::read(how, &job.base, &original.items, &original.quasi.counts())?;
            may_have = by_tree(&tree, names, &rows.may_have);
        }
        let secrets = |record: usize| -> Vec<String> {
            let items = original.sensitive.as_ref().map(|sets| sets.set(record));
            items.unwrap_or_default().iter().map(|item| names[*item as usize].clone()).collect()
        };
        Ok(SetStage {
            people: (0..original.quasi.len()).map(|record| original.quasi.set(record)).collect(),
            secrets: (0..original.quasi.len()).map(secrets).collect(),
            n_rows: rows.n_rows,
            may_have,
            have: listed(names, &rows.have),
            group_of_row: rows.group_of_row,
            group_sizes: rows.group_sizes,
            group_secrets: rows.group_secrets,
            bitmaps: rows.bitmaps,
        })
    }

    /// What is missing where no item is sensitive.
    pub fn lacks_sensitive(&self) -> Option<String> {
        let is_none = self.secrets.iter().all(Vec::is_empty);
        is_none.then(|| "sensitive items (--sensitive-items)".into())
    }

    /// Items of a person that an attacker knows: so many at random, or all if there are fewer.
    pub fn known(&self, person: usize, present: usize, chance: &mut Chance) -> Vec<u32> {
        let items = &self.people[person];
        chance.sample(present, items.len()).iter().map(|at| items[*at as usize]).collect()
    }

    /// The rows that may be a person's who has some items and doesn't have the `absent` most
    /// frequent of the others.
    pub fn rows(&self, person: usize, known: &[u32], absent: usize) -> Vec<u32> {
        let mut lists: Vec<&Vec<u32>> =
            known.iter().map(|item| &self.may_have[*item as usize]).collect();
        lists.sort_by_key(|list| list.len());
        let Some((first, others)) = lists.split_first() else {
            return (0..self.n_rows as u32).collect();
        };
        let is_in_all = |row: &&u32| others.iter().all(|list| list.binary_search(row).is_ok());
        let mut rows: Vec<u32> = first.iter().filter(is_in_all).copied().collect();
        let mut lacked: Vec<u32> = Vec::new();
        if absent > 0 {
            let mine = &self.people[person];
            let mut others: Vec<u32> =
                (0..self.have.len() as u32).filter(|item| !mine.contains(item)).collect();
            others.sort_by_key(|item| std::cmp::Reverse(self.have[*item as usize].len()));
            for item in others.into_iter().take(absent) {
                rows.retain(|row| self.have[item as usize].binary_search(row).is_err());
                lacked.push(item);
            }
        }
        if let Some(bitmaps) = &self.bitmaps {
            rows.retain(|row| is_possible(bitmaps, *row as usize, known, &lacked));
        }
        rows
    }
}

/// Whether a row may be wrong in so many items that somebody has some items and lacks others.
fn is_possible(bitmaps: &Bitmaps, row: usize, known: &[u32], lacked: &[u32]) -> bool {
    let base = bitmaps.base.set(row);
    let is_in_base = |item: &&u32| base.binary_search(item).is_ok();
    let wrong = known.iter().filter(|item| !is_in_base(item)).count()
        + lacked.iter().filter(is_in_base).count();
    wrong <= bitmaps.threshold[row] as usize
}

/// The rows of each item of the original.
fn listed(names: &[String], rows: &FastMap<String, Vec<u32>>) -> Vec<Vec<u32>> {
    names.iter().map(|name| rows.get(name).cloned().unwrap_or_default()).collect()
}

/// The rows with a label above each item.
fn by_tree(tree: &ItemTree, names: &[String], rows: &FastMap<String, Vec<u32>>) -> Vec<Vec<u32>> {
    let of_item = |item: u32| {
        let mut all: Vec<u32> = Vec::new();
        let Some(mut node) = tree.leaf(item) else { return all };
        loop {
            all.extend(rows.get(&tree.labels()[node as usize]).into_iter().flatten());
            match tree.parent(node) {
                above if above == node => break,
                above => node = above,
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    };
    (0..names.len() as u32).map(of_item).collect()
}

/// Rows of bitmaps. An item of a base set that isn't in its distance set is there for certain.
fn of_bitmaps(
    job: &Job,
    request: &AttackRequest<Job>,
    names: &[String],
    observer: &dyn Observer,
) -> Result<Rows> {
    let manifest = request.release.manifest.as_ref().ok_or_else(|| {
        Error::input("bitmaps are read as their manifest says, and there is none")
            .in_file(job.input.path.clone())
    })?;
    let path = sfumato_engine::paths::resolve(&job.base, &job.input.path);
    let release = open_bitmaps(&path, manifest, Some(names), observer)?;
    let bitmaps = release.bitmaps;
    let n_rows = bitmaps.len();
    let mut sure: Vec<Vec<u32>> = Vec::with_capacity(n_rows);
    let mut possible: Vec<Vec<u32>> = Vec::with_capacity(n_rows);
    for row in 0..n_rows {
        let (base, distance) = (bitmaps.base.set(row), bitmaps.distance.set(row));
        let certain = base.iter().filter(|item| distance.binary_search(item).is_err());
        sure.push(certain.copied().collect());
        possible.push(base.into_iter().chain(distance).collect());
    }
    let n_items = bitmaps.base.n_items();
    let of = |sets: Vec<Vec<u32>>| rows_of(&Transactions::from_sets(n_items, sets), names);
    let (group_of_row, group_sizes, group_secrets) =
        each_alone(n_rows, release.sensitive.as_ref(), names);
    Ok(Rows {
        n_rows,
        may_have: of(possible),
        have: of(sure),
        group_of_row,
        group_sizes,
        group_secrets,
        bitmaps: Some(bitmaps),
    })
}

fn of_buckets(job: &Job, request: &AttackRequest<Job>, observer: &dyn Observer) -> Result<Rows> {
    let manifest = request.release.manifest.as_ref();
    let linked = crate::forms::buckets::open_release(job, true, manifest, observer)?;
    let have = rows_of(&linked.quasi, &linked.names);
    let secrets = |group: usize| -> Vec<(String, u32)> {
        let counts = linked.counts.of_group(group).iter();
        counts.map(|(item, n)| (linked.sensitive[*item as usize].clone(), *n)).collect()
    };
    Ok(Rows {
        n_rows: linked.quasi.len(),
        may_have: have.clone(),
        have,
        group_of_row: linked.groups.of_record().to_vec(),
        group_sizes: linked.groups.sizes().to_vec(),
        group_secrets: (0..linked.groups.len()).map(secrets).collect(),
        bitmaps: None,
    })
}
