//! Counts different people who don't fit into memory: they are put into buckets of the disk by a
//! hash, so that each is in one bucket, and counted bucket by bucket.

use sfumato_core::memory::Accountant;
use sfumato_core::{Error, FastSet, Result};
use sfumato_engine::hash::{HASH_START, mix};
use sfumato_io::spill::{RunWriter, SpillFolder};

/// Bytes of a person in a set, with the room that it keeps free.
const PERSON: u64 = 20;
/// Buckets at most.
const MOST: u64 = 32;
/// People of one record of a bucket.
const TOGETHER: usize = 1 << 12;

/// People in buckets.
#[derive(Debug)]
pub struct PeopleRuns {
    writer: RunWriter,
    n_buckets: u64,
    record: Vec<u8>,
    books: Accountant,
}

impl PeopleRuns {
    /// Nobody yet. So many people are expected at most, and a bucket should take no more than
    /// `bytes` bytes.
    pub fn new(folder: &SpillFolder, people: u64, bytes: u64) -> Result<Self> {
        let n_buckets = (people.saturating_mul(PERSON) / bytes.max(1) + 1).min(MOST);
        let writer = RunWriter::create(folder, n_buckets as usize)?;
        let books = folder.accountant().clone();
        Ok(PeopleRuns { writer, n_buckets, record: Vec::new(), books })
    }

    /// Add people; who was added before may be among them.
    pub fn add(&mut self, mut people: Vec<u64>) -> Result<()> {
        let bucket = |person: &u64| (mix(HASH_START, *person) >> 32) % self.n_buckets;
        people.sort_unstable_by_key(|person| (bucket(person), *person));
        people.dedup();
        let record = &mut self.record;
        for of_bucket in people.chunk_by(|a, b| bucket(a) == bucket(b)) {
            for some in of_bucket.chunks(TOGETHER) {
                record.clear();
                some.iter().for_each(|person| record.extend_from_slice(&person.to_le_bytes()));
                self.writer.push(bucket(&some[0]) as usize, record)?;
            }
        }
        Ok(())
    }

    /// How many different people there are.
    pub fn count(self) -> Result<u64> {
        let mut count = 0;
        for run in self.writer.finish(false)? {
            let mut seen: FastSet<[u8; 8]> = FastSet::default();
            let mut memory = self.books.book("people that are counted", 0);
            let mut reader = run.read()?;
            while let Some(record) = reader.next_record()? {
                let (people, rest) = record.as_chunks::<8>();
                if !rest.is_empty() {
                    return Err(Error::internal("people that were put aside can't be read"));
                }
                seen.extend(people);
                memory.rebook(seen.capacity() as u64 * PERSON);
            }
            count += seen.len() as u64;
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn everybody_is_counted_once(
            groups in prop::collection::vec(prop::collection::vec(0u64..400, 0..200), 0..6),
            bytes in 1u64..4000,
        ) {
            let home = tempfile::tempdir().unwrap();
            let destination = home.path().join("o.csv");
            let folder =
                SpillFolder::create(&destination, None, &Accountant::default()).unwrap();
            let mut runs = PeopleRuns::new(&folder, 400, bytes).unwrap();
            for group in &groups {
                runs.add(group.clone()).unwrap();
            }
            let all: BTreeSet<u64> = groups.into_iter().flatten().collect();
            prop_assert_eq!(runs.count().unwrap(), all.len() as u64);
        }
    }
}
