//! Classes in memory as bytes: a key and a packed summary each, found by hash and compared in full.
//!
//! Bytes are stored in chunks that are never moved, so that memory grows by a chunk and not by
//! half. A class that becomes longer is written again; its old bytes are removed when memory is
//! needed.

use sfumato_core::group::{Summary, put_number, take_number};
use sfumato_core::memory::Reservation;
use sfumato_core::{Error, Result};

use sfumato_engine::hash::{HASH_START, mix};

/// A slot without a class.
const FREE: u64 = u64::MAX;
/// A slot is 16 bits of hash, the number of a chunk and a place in it.
const PLACE_BITS: u32 = 24;
const CHUNK_BITS: u32 = 24;
const CHUNK_BYTES: usize = 1 << 20;
/// The largest number of bytes of the lengths of an entry.
const LENGTHS: usize = 20;
/// The initial number of slots.
const FIRST_SLOTS: usize = 64;

/// Classes by key.
#[derive(Debug)]
pub struct Held {
    level: u32,
    limit: u64,
    chunk_bytes: usize,
    chunks: Vec<Vec<u8>>,
    slots: Vec<u64>,
    len: usize,
    /// The number of bytes of chunks. Those of entries that were written again are counted
    /// separately.
    bytes: u64,
    garbage: u64,
    memory: Reservation,
    scratch: Vec<u8>,
}

/// One class: where its packed summary begins, and where it ends.
struct Entry<'a> {
    key: &'a [u8],
    packed: &'a [u8],
    len: usize,
}

/// The hash of a key. Each level has its own, so that keys of one bucket go to several at the next
/// level.
pub fn hash(level: u32, key: &[u8]) -> u64 {
    let (words, rest) = key.as_chunks::<8>();
    let start = mix(mix(HASH_START, u64::from(level)), key.len() as u64);
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let hash = words.iter().fold(start, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    mix(hash, u64::from_le_bytes(last))
}

/// The error for packed bytes that aren't a summary.
pub fn damaged() -> Error {
    Error::internal("a class that was put aside can't be read")
}

fn entry(bytes: &[u8]) -> Option<Entry<'_>> {
    let mut rest = bytes;
    let key_len = usize::try_from(take_number(&mut rest)?).ok()?;
    let packed_len = usize::try_from(take_number(&mut rest)?).ok()?;
    let (key, rest) = rest.split_at_checked(key_len)?;
    let (packed, rest) = rest.split_at_checked(packed_len)?;
    Some(Entry { key, packed, len: bytes.len() - rest.len() })
}

impl Held {
    /// An empty table for at most `limit` bytes of classes, which are reserved.
    pub fn new(level: u32, limit: u64, memory: Reservation) -> Self {
        let chunk_bytes = CHUNK_BYTES.min((limit / 16) as usize).max(256);
        let slots = vec![FREE; FIRST_SLOTS];
        let (chunks, scratch) = (Vec::new(), Vec::new());
        Held {
            level,
            limit,
            chunk_bytes,
            chunks,
            slots,
            len: 0,
            bytes: 0,
            garbage: 0,
            memory,
            scratch,
        }
    }

    /// How many slots there are to visit.
    pub fn n_slots(&self) -> usize {
        self.slots.len()
    }

    /// The classes in some slots, as key and packed summary.
    pub fn visit(
        &self,
        slots: std::ops::Range<usize>,
        mut visit: impl FnMut(&[u8], &[u8]) -> Result<()>,
    ) -> Result<()> {
        for slot in self.slots[slots].iter().filter(|slot| **slot != FREE) {
            let found = entry(self.at(*slot)).ok_or_else(damaged)?;
            visit(found.key, found.packed)?;
        }
        Ok(())
    }

    /// Forget all classes.
    pub fn clear(&mut self) {
        self.chunks.clear();
        self.slots.fill(FREE);
        (self.len, self.bytes, self.garbage) = (0, 0, 0);
    }

    fn at(&self, slot: u64) -> &[u8] {
        let chunk = slot >> PLACE_BITS & ((1 << CHUNK_BITS) - 1);
        &self.chunks[chunk as usize][(slot & ((1 << PLACE_BITS) - 1)) as usize..]
    }

    /// The slot of a key, and whether its class is there.
    fn find(&self, hash: u64, key: &[u8]) -> Result<(usize, bool)> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == FREE {
                return Ok((at, false));
            }
            if slot >> 48 == hash >> 48 && entry(self.at(slot)).ok_or_else(damaged)?.key == key {
                return Ok((at, true));
            }
            at = (at + 1) & mask;
        }
    }

    /// Add a class, or merge it with the one that has its key. Returns false, and adds nothing, if
    /// there is no room. For a single class there always is, if the budget allows.
    pub fn add(&mut self, key: &[u8], packed: &[u8]) -> Result<bool> {
        let hash = hash(self.level, key);
        let (at, is_known) = self.find(hash, key)?;
        if !is_known {
            let alone = self.len == 0;
            if (self.len + 1) * 4 > self.slots.len() * 3 {
                if !self.has_room(self.slots.len() as u64 * 16, alone)? {
                    return Ok(false);
                }
                self.grow();
                return self.add(key, packed);
            }
            let Some(place) = self.append(key, packed, alone)? else { return Ok(false) };
            self.slots[at] = (hash >> 48 << 48) | place;
            self.len += 1;
            return Ok(true);
        }
        let unpack = |mut bytes: &[u8]| Summary::unpack(&mut bytes).ok_or_else(damaged);
        let known = entry(self.at(self.slots[at])).ok_or_else(damaged)?;
        let (old_len, old_packed) = (known.len, known.packed.len());
        let mut summary = unpack(known.packed)?;
        summary.merge(&unpack(packed)?);
        let mut merged = std::mem::take(&mut self.scratch);
        merged.clear();
        summary.pack(&mut merged);
        let fits = if merged.len() == old_packed {
            let slot = self.slots[at];
            let (chunk, first) =
                (slot >> PLACE_BITS & ((1 << CHUNK_BITS) - 1), slot & ((1 << PLACE_BITS) - 1));
            let end = first as usize + old_len;
            self.chunks[chunk as usize][end - old_packed..end].copy_from_slice(&merged);
            true
        } else {
            match self.append(key, &merged, self.len == 1)? {
                None => false,
                Some(place) => {
                    self.slots[at] = (hash >> 48 << 48) | place;
                    self.garbage += old_len as u64;
                    true
                }
            }
        };
        self.scratch = merged;
        Ok(fits)
    }

    /// Whether that much more memory may be used.
    fn has_room(&mut self, more: u64, anyway: bool) -> Result<bool> {
        let wanted = self.bytes + self.slots.len() as u64 * 8 + more;
        if wanted > self.limit && !anyway {
            return Ok(false);
        }
        if wanted > self.memory.bytes() {
            self.memory.resize(wanted)?;
        }
        Ok(true)
    }

    /// Append an entry.
    fn append(&mut self, key: &[u8], packed: &[u8], anyway: bool) -> Result<Option<u64>> {
        let len = key.len() + packed.len() + LENGTHS;
        let has_place = |held: &Self| {
            held.chunks.last().is_some_and(|chunk| chunk.capacity() - chunk.len() >= len)
        };
        if !has_place(self) && self.garbage * 2 > self.bytes {
            self.clear_away()?;
        }
        if !has_place(self) {
            let capacity = self.chunk_bytes.max(len);
            if self.chunks.len() >= 1 << CHUNK_BITS || !self.has_room(capacity as u64, anyway)? {
                return Ok(None);
            }
            self.add_chunk(capacity);
        }
        self.write(key, packed).map(Some)
    }

    fn add_chunk(&mut self, capacity: usize) {
        self.chunks.push(Vec::with_capacity(capacity));
        self.bytes += capacity as u64;
    }

    fn write(&mut self, key: &[u8], packed: &[u8]) -> Result<u64> {
        let number = self.chunks.len() as u64 - 1;
        let chunk = self.chunks.last_mut().ok_or_else(damaged)?;
        let place = chunk.len() as u64;
        put_number(chunk, key.len() as u64);
        put_number(chunk, packed.len() as u64);
        chunk.extend_from_slice(key);
        chunk.extend_from_slice(packed);
        Ok(number << PLACE_BITS | place)
    }

    /// Copy the classes that are still valid, chunk after chunk, so that only one is in memory
    /// twice. Numbers of chunks aren't reused, so an old place is never mistaken for a new one.
    fn clear_away(&mut self) -> Result<()> {
        let n_chunks = self.chunks.len();
        self.garbage = 0;
        self.chunks.push(Vec::new());
        for number in 0..n_chunks {
            let chunk = std::mem::take(&mut self.chunks[number]);
            let mut first = 0;
            while first < chunk.len() {
                let found = entry(&chunk[first..]).ok_or_else(damaged)?;
                let hash = hash(self.level, found.key);
                let old = hash >> 48 << 48 | (number as u64) << PLACE_BITS | first as u64;
                let mask = self.slots.len() - 1;
                let mut at = hash as usize & mask;
                while self.slots[at] != old && self.slots[at] != FREE {
                    at = (at + 1) & mask;
                }
                if self.slots[at] == old {
                    if self
                        .chunks
                        .last()
                        .is_none_or(|chunk| chunk.capacity() - chunk.len() < found.len)
                    {
                        self.add_chunk(self.chunk_bytes.max(found.len));
                    }
                    self.slots[at] = hash >> 48 << 48 | self.write(found.key, found.packed)?;
                }
                first += found.len;
            }
            self.bytes -= chunk.capacity() as u64;
        }
        Ok(())
    }

    fn grow(&mut self) {
        let slots = vec![FREE; self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, slots);
        let mask = self.slots.len() - 1;
        for slot in old.into_iter().filter(|slot| *slot != FREE) {
            // An entry that can be found can be read.
            let Some(known) = entry(self.at(slot)) else { continue };
            let mut at = hash(self.level, known.key) as usize & mask;
            while self.slots[at] != FREE {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }
}
