//! Counts how much was read and written.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of bytes read from and written to spilled files. All readers and writers share it.
#[derive(Debug, Default)]
pub struct IoCounts {
    read: AtomicU64,
    written: AtomicU64,
}

impl IoCounts {
    /// The number of bytes read.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }
    /// The number of bytes written.
    pub fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }
    /// Count bytes read.
    pub fn add_read(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }
    /// Count bytes written.
    pub fn add_written(&self, bytes: u64) {
        self.written.fetch_add(bytes, Ordering::Relaxed);
    }
}
