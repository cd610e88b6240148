//! Taxonomy indexed partitions (TIPS): which records are published alike at the moment.
//!
//! A leaf is a combination of published values that some record has; each point lies in exactly
//! one. Which one is known to the store of the points. The links of a value, the leaves that hold
//! it, aren't stored: one scan of the value's column finds them. Nothing here knows trees or
//! requirements.

/// The part of a code that doesn't belong to the current value.
pub const OUTSIDE: u32 = u32::MAX;

/// The leaves.
pub struct Tips {
    rows: Vec<u32>,
    /// `blocks[column][leaf]`: the number of the published value among those of its column.
    blocks: Vec<Vec<u32>>,
}

/// The sub-leaves of leaves that hold a value, if the value is split: by leaf, then by part,
/// without empty ones.
#[derive(Debug, Default, PartialEq)]
pub struct SubLeaves {
    /// The leaf of each sub-leaf.
    pub leaf: Vec<u32>,
    /// The part of each sub-leaf.
    pub part: Vec<u32>,
    /// The number of rows of each sub-leaf.
    pub rows: Vec<u32>,
}

impl SubLeaves {
    /// The number of sub-leaves.
    pub fn len(&self) -> usize {
        self.leaf.len()
    }
    /// Whether there are no sub-leaves.
    pub fn is_empty(&self) -> bool {
        self.leaf.is_empty()
    }
    /// Add one; leaves and parts must come in order.
    pub fn push(&mut self, leaf: u32, part: u32, rows: u32) {
        self.leaf.push(leaf);
        self.part.push(part);
        self.rows.push(rows);
    }
    /// From a table with the rows of each leaf's parts, leaf after leaf.
    pub fn of_table(rows: &[u32], n_parts: usize) -> Self {
        let mut sub = SubLeaves::default();
        for (leaf, rows) in rows.chunks_exact(n_parts.max(1)).enumerate() {
            for (part, &rows) in rows.iter().enumerate().filter(|(_, rows)| **rows > 0) {
                sub.push(leaf as u32, part as u32, rows);
            }
        }
        sub
    }
    /// Where those of each leaf begin.
    fn starts(&self, n_leaves: usize) -> Vec<u32> {
        let mut starts = vec![0u32; n_leaves + 1];
        self.leaf.iter().for_each(|&leaf| starts[leaf as usize + 1] += 1);
        (0..n_leaves).for_each(|leaf| starts[leaf + 1] += starts[leaf]);
        starts
    }
}

/// Finds the sub-leaf of a point.
pub struct Finder<'a> {
    parts: &'a [u32],
    starts: Vec<u32>,
}

impl Finder<'_> {
    /// The place of a part of a leaf, which must exist.
    #[inline]
    pub fn place(&self, leaf: u32, part: u32) -> usize {
        let (mut place, end) =
            (self.starts[leaf as usize] as usize, self.starts[leaf as usize + 1] as usize);
        if end - place > 8 {
            return place + self.parts[place..end].partition_point(|&other| other < part);
        }
        while place + 1 < end && self.parts[place] != part {
            place += 1;
        }
        place
    }
}

impl Tips {
    /// All records in one leaf.
    pub fn new(n_columns: usize, n_rows: usize) -> Self {
        let n_leaves = usize::from(n_rows > 0);
        Tips { rows: vec![n_rows as u32; n_leaves], blocks: vec![vec![0; n_leaves]; n_columns] }
    }

    /// The number of leaves.
    pub fn len(&self) -> usize {
        self.rows.len()
    }
    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
    /// The rows of each leaf.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }
    /// The published value of each leaf in a column.
    pub fn blocks(&self, column: usize) -> &[u32] {
        &self.blocks[column]
    }
    /// Bytes of memory that the leaves take.
    pub fn bytes(&self) -> u64 {
        (self.rows.len() * (self.blocks.len() + 1) * size_of::<u32>()) as u64
    }

    /// A finder of sub-leaves by leaf and part.
    pub fn finder<'a>(&self, sub: &'a SubLeaves) -> Finder<'a> {
        Finder { parts: &sub.part, starts: sub.starts(self.len()) }
    }

    /// Take a value apart: its leaves fall into their sub-leaves. The first of each keeps the
    /// leaf's number, the others get new ones in their order. `block_of_part` says which value each
    /// part is published as. Gives the leaf of each sub-leaf.
    pub fn split(&mut self, column: usize, sub: &SubLeaves, block_of_part: &[u32]) -> Vec<u32> {
        let mut leaf_of_sub = Vec::with_capacity(sub.len());
        for place in 0..sub.len() {
            let leaf = sub.leaf[place];
            let id = if place > 0 && sub.leaf[place - 1] == leaf {
                self.blocks.iter_mut().for_each(|blocks| blocks.push(blocks[leaf as usize]));
                self.rows.push(0);
                (self.rows.len() - 1) as u32
            } else {
                leaf
            };
            self.rows[id as usize] = sub.rows[place];
            self.blocks[column][id as usize] = block_of_part[sub.part[place] as usize];
            leaf_of_sub.push(id);
        }
        leaf_of_sub
    }
}
