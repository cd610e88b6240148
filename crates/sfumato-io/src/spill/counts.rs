//! How much was read and written.

use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that went from and to spilled files. Shared by all who read and write them.
#[derive(Debug, Default)]
pub struct IoCounts {
    read: AtomicU64,
    written: AtomicU64,
}

impl IoCounts {
    /// Bytes read.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }
    /// Bytes written.
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
