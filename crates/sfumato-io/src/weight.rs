//! How many bytes of memory a block takes that was read and waits for its receiver: the accountant
//! is told, so that whoever else needs memory knows what is left.

/// Something that takes memory while it waits.
pub(crate) trait Weight {
    /// The number of bytes, as far as a glance says it.
    fn bytes(&self) -> u64;
}

impl Weight for Vec<u8> {
    fn bytes(&self) -> u64 {
        self.capacity() as u64
    }
}

impl Weight for Vec<String> {
    fn bytes(&self) -> u64 {
        let texts: usize = self.iter().map(String::capacity).sum();
        (self.capacity() * size_of::<String>() + texts) as u64
    }
}

impl<A: Weight, B: Weight> Weight for (A, B) {
    fn bytes(&self) -> u64 {
        self.0.bytes() + self.1.bytes()
    }
}
