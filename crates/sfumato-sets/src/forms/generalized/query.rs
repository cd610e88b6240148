//! Answers counting queries about items of generalized baskets: an estimate, and bounds over all
//! records that rows may stand for.

use sfumato_core::observer::Observer;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::query::{Answers, QueryRequest};

use super::{NAME, SUPPRESSES};
use crate::data::item_tree::{ItemTree, Node};
use crate::forms::buckets::{Asked, ItemCondition, ItemQuery, answer_all};
use crate::forms::release_file::ReleaseFile;
use crate::job::Job;

/// Answer the queries of a request.
pub fn query(request: &QueryRequest<Job>, observer: &dyn Observer) -> Result<Answers> {
    let asked = Asked::of(request)?;
    let job = &request.job;
    let own = request.own_job.as_ref();
    let hierarchy = job.baskets.hierarchy.as_ref().map(|how| (how, &job.base));
    let of_own = own.and_then(|own| own.baskets.hierarchy.as_ref().map(|how| (how, &own.base)));
    let Some((how, base)) = hierarchy.or(of_own) else {
        return Err(Error::params("what labels mean is said by the item hierarchy")
            .hint("name it with --item-hierarchy"));
    };
    let tree = ItemTree::alone(how, base)?;
    let manifest = request.manifest.as_ref();
    let loaded = ReleaseFile::of(NAME, job, own.is_some(), manifest)?.load(false, observer)?;
    let release = Release {
        tree,
        names: loaded.baskets.items.names,
        rows: loaded.baskets.quasi,
        sensitive: loaded.baskets.sensitive,
        // Without a manifest nothing says that no item was left out.
        suppresses: manifest.is_none_or(|manifest| manifest.details.contains_key(SUPPRESSES)),
    };
    let n_rows = release.rows.len();
    answer_all(&asked, n_rows, &|query| release.count(query, &job.input.path), observer)
}

struct Release {
    tree: ItemTree,
    names: Vec<String>,
    rows: Transactions,
    sensitive: Option<Transactions>,
    /// Whether items may have been left out of all records.
    suppresses: bool,
}

/// How certain a row has an item: the probability, and whether it must and may have it.
struct Chance {
    expected: f64,
    must: bool,
    may: bool,
}

impl Release {
    /// How many rows are expected to satisfy a query, must, and may.
    fn count(&self, query: &ItemQuery, path: &str) -> Result<(f64, u64, u64)> {
        let nodes: FastMap<&str, Node> =
            self.tree.labels().iter().map(String::as_str).zip(0..).collect();
        let codes: FastMap<&str, u32> = self.names.iter().map(String::as_str).zip(0..).collect();
        let mut asked: Vec<(Option<Node>, Option<u32>, bool)> = Vec::new();
        for ItemCondition { item, present } in &query.conditions {
            let (node, code) = (nodes.get(&item[..]).copied(), codes.get(&item[..]).copied());
            let node = node.filter(|node| self.tree.children(*node).is_empty());
            if node.is_none() && code.is_none() {
                return Err(Error::params(format!(
                    "'{item}' is no item of the hierarchy and in no record"
                ))
                .in_file(path));
            }
            asked.push((node, code, *present));
        }
        let node_of: Vec<Option<Node>> =
            self.names.iter().map(|name| nodes.get(&name[..]).copied()).collect();
        let (mut expected, mut lower, mut upper) = (0.0, 0, 0);
        for row in 0..self.rows.len() {
            let mut all = Chance { expected: 1.0, must: true, may: true };
            for (node, code, present) in &asked {
                let chance = self.chance(row, *node, *code, &node_of);
                let (p, must, may) = match present {
                    true => (chance.expected, chance.must, chance.may),
                    false => (1.0 - chance.expected, !chance.may, !chance.must),
                };
                all = Chance {
                    expected: all.expected * p,
                    must: all.must && must,
                    may: all.may && may,
                };
            }
            expected += all.expected;
            lower += u64::from(all.must);
            upper += u64::from(all.may);
        }
        Ok((expected, lower, upper))
    }

    fn chance(
        &self,
        row: usize,
        leaf: Option<Node>,
        code: Option<u32>,
        node_of: &[Option<Node>],
    ) -> Chance {
        let set = self.rows.set(row);
        let of_sensitive = self.sensitive.as_ref().map(|sensitive| sensitive.set(row));
        let has = |code: u32| {
            set.contains(&code) || of_sensitive.as_ref().is_some_and(|set| set.contains(&code))
        };
        if code.is_some_and(has) {
            return Chance { expected: 1.0, must: true, may: true };
        }
        let Some(leaf) = leaf else { return Chance { expected: 0.0, must: false, may: false } };
        let mut nodes = set.iter().filter_map(|name| node_of[*name as usize]);
        if let Some(above) = nodes.find(|node| self.tree.covers(*node, leaf)) {
            // At least one of the items below it: each as likely as the others.
            let expected = 1.0 / f64::from(self.tree.leaves(above));
            return Chance { expected, must: false, may: true };
        }
        // An item that some row has as itself wasn't left out of all of them.
        let may = self.suppresses && code.is_none();
        Chance { expected: 0.0, must: false, may }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::item_tree::testing::book;

    #[test]
    fn bounds_hold_for_all_records_that_rows_stand_for() {
        let names = ["A", "B", "a1", "a2", "s"].map(String::from).to_vec();
        let release = |suppresses: bool| Release {
            tree: book(),
            names: names.clone(),
            rows: Transactions::from_sets(5, [vec![0, 1], vec![0, 1], vec![1, 2, 3], vec![2]]),
            sensitive: Some(Transactions::from_sets(5, [vec![4], vec![], vec![], vec![]])),
            suppresses,
        };
        let ask = |text: &str| release(false).count(&text.parse().unwrap(), "r").unwrap();
        assert_eq!(ask("count"), (4.0, 4, 4));
        assert_eq!(ask("count where a1"), (1.0 + 2.0, 2, 4));
        assert_eq!(ask("count where a2"), (1.0 + 1.0, 1, 3));
        assert_eq!(ask("count where not a2"), (2.0, 1, 3));
        assert_eq!(ask("count where b1"), (1.5, 0, 3));
        assert_eq!(ask("count where s"), (1.0, 1, 1));
        assert_eq!(ask("count where a1 and s"), (0.5, 0, 1));
        // b1 may have been left out of the last record; a2 wasn't, because a row has it.
        let left_out = |text: &str| release(true).count(&text.parse().unwrap(), "r").unwrap();
        assert_eq!((left_out("count where b1").2, left_out("count where a2").2), (4, 3));
        assert!(release(false).count(&"count where x".parse().unwrap(), "r").is_err());
    }
}
