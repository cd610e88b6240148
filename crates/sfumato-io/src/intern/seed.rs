//! The seed of a column: what is known about it while the file is still being read, shared by all
//! workers.

use sfumato_core::column::Dictionary;

use crate::intern::key::{MIDDLE, SHORT, key_at};
use crate::intern::shortcut::Shortcut;
use crate::intern::table::Table;

/// The first texts of a column of the whole file with their final codes. All workers look texts up
/// in it.
pub(crate) struct Seed {
    pub(super) table: Table,
    pub(super) bytes: Vec<u8>,
    /// Codes below this are taken, whether they can be found here or not.
    pub(crate) codes: u32,
    /// Whether some texts are their own keys and others are just too long for that.
    pub(super) mixed: bool,
    /// A faster table for very short texts.
    pub(super) shortcut: Option<Shortcut>,
}

impl Seed {
    /// Make a seed of the first `n` texts of a dictionary, without null. `None` if they are too
    /// long to be worth it.
    pub(crate) fn new(dictionary: &Dictionary, n: usize, null: Option<u32>) -> Option<Seed> {
        let mut table = Table::new(n);
        let mut bytes = Vec::new();
        let (mut short, mut middle) = (false, false);
        for code in 0..n as u32 {
            let text = dictionary.get_bytes(code);
            let (start, end) = (bytes.len(), bytes.len() + text.len());
            table.spans.push((u32::try_from(start).ok()?, u32::try_from(end).ok()?));
            bytes.extend_from_slice(text);
            if null != Some(code) {
                let key = key_at::<false>(text, 0, text.len());
                short |= text.len() <= SHORT;
                middle |= (SHORT + 1..=MIDDLE).contains(&text.len());
                table.place(table.home(key), key, code);
            }
        }
        let shortcut = Shortcut::new(dictionary, n, null);
        Some(Seed { table, bytes, codes: n as u32, mixed: short && middle, shortcut })
    }
}
