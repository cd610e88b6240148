//! Which group each record belongs to.

/// Records in groups: each record is in one group, and no group is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    of_record: Vec<u32>,
    sizes: Vec<u32>,
}

impl Groups {
    /// Make groups from a label per record: records with the same label are a group. Groups are
    /// numbered in the order in which they first occur, so labels may be any numbers, and equal
    /// partitions are equal.
    pub fn from_labels(labels: &[u32]) -> Self {
        let mut numbers: sfumato_core::FastMap<u32, u32> = sfumato_core::FastMap::default();
        let mut sizes: Vec<u32> = Vec::new();
        let of_record = labels
            .iter()
            .map(|label| {
                let group = *numbers.entry(*label).or_insert(sizes.len() as u32);
                if group as usize == sizes.len() {
                    sizes.push(0);
                }
                sizes[group as usize] += 1;
                group
            })
            .collect();
        Groups { of_record, sizes }
    }
    /// The group of each record.
    pub fn of_record(&self) -> &[u32] {
        &self.of_record
    }
    /// The number of groups.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }
    /// Whether there are no groups.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }
    /// How many records each group has.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }
    /// The records of every group, ascending: those of group `g` are `records[offsets[g]..offsets[g
    /// + 1]]`.
    pub fn members(&self) -> (Vec<usize>, Vec<u32>) {
        let mut offsets = vec![0usize; self.len() + 1];
        for (group, size) in self.sizes.iter().enumerate() {
            offsets[group + 1] = offsets[group] + *size as usize;
        }
        let mut next = offsets.clone();
        let mut records = vec![0u32; self.of_record.len()];
        for (record, group) in self.of_record.iter().enumerate() {
            records[next[*group as usize]] = record as u32;
            next[*group as usize] += 1;
        }
        (offsets, records)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_numbered_as_they_occur() {
        let groups = Groups::from_labels(&[9, 4, 9, 9, 7]);
        assert_eq!(groups.of_record(), [0, 1, 0, 0, 2]);
        assert_eq!((groups.len(), groups.sizes()), (3, &[3, 1, 1][..]));
        assert_eq!(groups.members(), (vec![0, 3, 4, 5], vec![0, 2, 3, 1, 4]));
        assert_eq!(groups, Groups::from_labels(&[0, 1, 0, 0, 2]));
        assert!(Groups::from_labels(&[]).is_empty());
    }
}
