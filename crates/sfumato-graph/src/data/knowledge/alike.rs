//! Classes of nodes that somebody can't tell apart.

use sfumato_core::facts::Least;

/// Classes of nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alike {
    /// The class of each node.
    pub class_of: Vec<u32>,
    /// How many nodes each class has; none is empty.
    pub sizes: Vec<u32>,
}

impl Alike {
    /// All nodes are alike.
    pub fn all(n: usize) -> Alike {
        let sizes = if n == 0 { Vec::new() } else { vec![n as u32] };
        Alike { class_of: vec![0; n], sizes }
    }

    /// Nodes with the same key are alike. Classes are numbered by their first node.
    pub fn by_key(keys: &[u32]) -> Alike {
        let most = keys.iter().max().map_or(0, |key| *key as usize + 1);
        let mut classes = vec![u32::MAX; most];
        let mut sizes: Vec<u32> = Vec::new();
        let class_of = keys
            .iter()
            .map(|key| {
                let class = &mut classes[*key as usize];
                if *class == u32::MAX {
                    *class = sizes.len() as u32;
                    sizes.push(0);
                }
                sizes[*class as usize] += 1;
                *class
            })
            .collect();
        Alike { class_of, sizes }
    }

    /// The size of the smallest class, and how many classes are smaller than `required`.
    pub fn least(&self, required: u64) -> Least {
        let below = |size: &&u32| u64::from(**size) < required;
        Least {
            least: self.sizes.iter().copied().min().map_or(0, u64::from),
            violations: self.sizes.iter().filter(below).count() as u64,
        }
    }

    /// The least number of different labels in a class, and how many classes have fewer than
    /// `required`.
    pub fn least_labels(&self, labels: &[u32], required: u64) -> Least {
        let mut pairs: Vec<(u32, u32)> =
            self.class_of.iter().copied().zip(labels.iter().copied()).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut counts = vec![0u64; self.sizes.len()];
        pairs.iter().for_each(|(class, _)| counts[*class as usize] += 1);
        Least {
            least: counts.iter().copied().min().unwrap_or(0),
            violations: counts.iter().filter(|count| **count < required).count() as u64,
        }
    }

    /// How many nodes are in classes of fewer than `k`.
    pub fn exposed(&self, k: u64) -> u64 {
        self.sizes.iter().map(|size| u64::from(*size)).filter(|size| *size < k).sum()
    }
}
