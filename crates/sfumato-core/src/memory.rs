//! The memory budget: one accountant that all code asks before it holds something large.
//!
//! It counts reservations; it allocates nothing itself and doesn't ask the operating system. What
//! can do with less, or can wait on disk, asks with [`Accountant::reserve`] and may be refused:
//! that is an error, never a wait. What a run can't do without, such as the block that a reader is
//! about to parse, is entered with [`Accountant::book`], so that the others know what is left.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};

/// The accountant of the memory budget. Clones share the budget.
#[derive(Debug, Clone, Default)]
pub struct Accountant(Arc<Books>);

#[derive(Debug, Default)]
struct Books {
    limit: Option<u64>,
    ledger: Mutex<Ledger>,
}

#[derive(Debug, Default)]
struct Ledger {
    used: u64,
    peak: u64,
    holders: Vec<Holder>,
}

/// What is held under one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Holder {
    what: &'static str,
    bytes: u64,
    /// When the most was held of all together.
    at_peak: u64,
}

impl Ledger {
    /// Change what is held under a name.
    fn change(&mut self, what: &'static str, from: u64, to: u64) {
        let at = self.holders.iter().position(|holder| holder.what == what).unwrap_or_else(|| {
            self.holders.push(Holder { what, bytes: 0, at_peak: 0 });
            self.holders.len() - 1
        });
        let changed = |bytes: u64| bytes.saturating_sub(from).saturating_add(to);
        self.holders[at].bytes = changed(self.holders[at].bytes);
        self.used = changed(self.used);
        if self.used > self.peak {
            self.peak = self.used;
            self.holders.iter_mut().for_each(|holder| holder.at_peak = holder.bytes);
        }
    }
}

/// A number of bytes that may be used until the reservation is dropped.
#[derive(Debug)]
pub struct Reservation {
    accountant: Accountant,
    what: &'static str,
    bytes: u64,
}

impl Accountant {
    /// A budget of `limit` bytes. With `None` bytes are only counted, and never refused.
    pub fn new(limit: Option<u64>) -> Self {
        Accountant(Arc::new(Books { limit, ..Books::default() }))
    }
    /// The whole budget.
    pub fn limit(&self) -> Option<u64> {
        self.0.limit
    }
    /// The number of bytes that are reserved now.
    pub fn used(&self) -> u64 {
        self.ledger().used
    }
    /// The number of bytes that are still free. Without a limit this is the largest number.
    pub fn left(&self) -> u64 {
        self.limit().map_or(u64::MAX, |limit| limit.saturating_sub(self.used()))
    }
    /// The largest number of bytes that was ever reserved at once.
    pub fn peak(&self) -> u64 {
        self.ledger().peak
    }
    /// The share of the free bytes for each of `parts` parts.
    pub fn share(&self, parts: u64) -> u64 {
        self.left() / parts.max(1)
    }
    /// What was held when the most was, the largest first.
    pub fn held_at_peak(&self) -> Vec<(&'static str, u64)> {
        let ledger = self.ledger();
        let held = ledger.holders.iter().filter(|holder| holder.at_peak > 0);
        let mut held: Vec<_> = held.map(|holder| (holder.what, holder.at_peak)).collect();
        held.sort_unstable_by_key(|(what, bytes)| (std::cmp::Reverse(*bytes), *what));
        held
    }

    /// Reserve bytes for something. Its name appears in the error if there aren't enough.
    pub fn reserve(&self, what: &'static str, bytes: u64) -> Result<Reservation> {
        self.take(what, 0, bytes)?;
        Ok(Reservation { accountant: self.clone(), what, bytes })
    }

    /// Enter bytes that are needed whether they are free or not.
    pub fn book(&self, what: &'static str, bytes: u64) -> Reservation {
        self.ledger().change(what, 0, bytes);
        Reservation { accountant: self.clone(), what, bytes }
    }

    /// Enter bytes that were planned with the budget in mind. What is held beside them for the
    /// moment is no reason to refuse them; more than the whole budget is.
    pub fn plan(&self, what: &'static str, bytes: u64) -> Result<Reservation> {
        match self.limit().is_some_and(|limit| bytes > limit) {
            true => self.reserve(what, bytes),
            false => Ok(self.book(what, bytes)),
        }
    }

    /// The ledger. Whoever panicked with it changed numbers only, one by one.
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.0.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, what: &'static str, from: u64, to: u64) -> Result<()> {
        let limit = self.limit().unwrap_or(u64::MAX);
        let more = to.saturating_sub(from);
        let mut ledger = self.ledger();
        if more == 0 || ledger.used.checked_add(more).is_some_and(|sum| sum <= limit) {
            ledger.change(what, from, to);
            return Ok(());
        }
        Err(Error::resources(format!(
            "{what} wanted {} of memory, but only {} of {} are left",
            format_bytes(more),
            format_bytes(limit.saturating_sub(ledger.used)),
            format_bytes(limit)
        ))
        .hint("raise --memory"))
    }
}

impl Reservation {
    /// The number of reserved bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whose budget it is.
    pub fn accountant(&self) -> &Accountant {
        &self.accountant
    }

    /// Change the number of reserved bytes. If there aren't enough, it stays as it was.
    pub fn resize(&mut self, bytes: u64) -> Result<()> {
        self.accountant.take(self.what, self.bytes, bytes)?;
        self.bytes = bytes;
        Ok(())
    }

    /// Reserve more for the same thing.
    pub fn grow(&mut self, more: u64) -> Result<()> {
        self.resize(self.bytes.saturating_add(more))
    }

    /// Enter another number of bytes for the same thing, whether they are free or not.
    pub fn rebook(&mut self, bytes: u64) {
        if bytes != self.bytes {
            self.accountant.ledger().change(self.what, self.bytes, bytes);
            self.bytes = bytes;
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.accountant.ledger().change(self.what, self.bytes, 0);
    }
}

/// Units by their lower-case names. A letter alone is the binary unit, as in most tools that limit
/// memory.
const UNITS: [(&str, u64); 14] = [
    ("", 1),
    ("b", 1),
    ("k", 1 << 10),
    ("kb", 1000),
    ("kib", 1 << 10),
    ("m", 1 << 20),
    ("mb", 1_000_000),
    ("mib", 1 << 20),
    ("g", 1 << 30),
    ("gb", 1_000_000_000),
    ("gib", 1 << 30),
    ("t", 1 << 40),
    ("tb", 1_000_000_000_000),
    ("tib", 1 << 40),
];

/// Parse a size as people write it: `512MiB`, `2GB`, `1.5 GiB`, or plain bytes.
pub fn parse_bytes(text: &str) -> Result<u64> {
    let wrong = |why: &str| {
        Error::params(format!("`{text}` isn't a size: {why}"))
            .hint("write a size like 512MiB, 2GB or 1.5 GiB")
    };
    let trimmed = text.trim();
    let end = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(trimmed.len());
    let (number, unit) = trimmed.split_at(end);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || (number.contains('.') && fraction.is_empty()) {
        return Err(wrong("it must begin with a number"));
    }
    if fraction.contains('.') || fraction.len() > 9 {
        return Err(wrong("its number can't be read"));
    }
    let unit = unit.trim().to_ascii_lowercase();
    let (_, unit) = UNITS
        .iter()
        .find(|(name, _)| *name == unit)
        .ok_or_else(|| wrong("its unit isn't known"))?;
    // All digits as one whole number, so that nothing is rounded but the last byte.
    let digits: u64 = format!("{whole}{fraction}").parse().map_err(|_| wrong("it is too large"))?;
    let bytes = u128::from(digits) * u128::from(*unit) / 10u128.pow(fraction.len() as u32);
    u64::try_from(bytes).map_err(|_| wrong("it is too large"))
}

/// Format a size for people: `512 MiB`, `1.5 GiB`, `17 bytes`.
pub fn format_bytes(bytes: u64) -> String {
    let units = [("GiB", 1u64 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    let Some((name, unit)) = units.iter().find(|(_, unit)| bytes >= *unit) else {
        return format!("{bytes} bytes");
    };
    let tenths = (u128::from(bytes) * 10 / u128::from(*unit)) as u64;
    match tenths % 10 {
        0 => format!("{} {name}", tenths / 10),
        tenth => format!("{}.{tenth} {name}", tenths / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn what_is_dropped_is_given_back() {
        let accountant = Accountant::new(Some(100));
        let clone = accountant.clone();
        let mut first = clone.reserve("the first", 60).unwrap();
        assert_eq!((accountant.left(), accountant.used(), accountant.share(4)), (40, 60, 10));
        let error = accountant.reserve("the second", 41).unwrap_err();
        assert_eq!((error.kind, error.kind.exit_code()), (ErrorKind::Resources, 4));
        let message =
            "the second wanted 41 bytes of memory, but only 40 bytes of 100 bytes are left";
        assert_eq!(
            (error.message.as_str(), error.hint.as_deref()),
            (message, Some("raise --memory"))
        );
        first.grow(40).unwrap();
        assert!(first.grow(1).is_err() && first.grow(u64::MAX).is_err());
        assert_eq!((first.bytes(), accountant.left()), (100, 0));
        first.resize(10).unwrap();
        assert_eq!(accountant.left(), 90);
        drop(first);
        assert_eq!((accountant.used(), accountant.peak(), accountant.limit()), (0, 100, Some(100)));
    }

    #[test]
    fn without_a_limit_it_only_counts() {
        let accountant = Accountant::new(None);
        let all = accountant.reserve("everything", u64::MAX).unwrap();
        assert!(accountant.reserve("a bit more", 1).is_err());
        drop(all);
        let some = accountant.reserve("some", 7).unwrap();
        assert_eq!((accountant.left(), accountant.used(), accountant.limit()), (u64::MAX, 7, None));
        assert_eq!(some.bytes(), 7);
    }

    #[test]
    fn what_is_needed_is_counted_where_it_is_too_much() {
        let accountant = Accountant::new(Some(100));
        let mut block = accountant.book("a block", 70);
        let table = accountant.reserve("a table", 30).unwrap();
        assert!(accountant.reserve("another", 1).is_err());
        block.rebook(90);
        assert_eq!((accountant.used(), accountant.left(), accountant.peak()), (120, 0, 120));
        // Less may always be held, also where all together is too much.
        let mut table = table;
        assert!(table.resize(20).is_ok() && table.grow(1).is_err());
        block.rebook(10);
        table.grow(60).unwrap();
        assert_eq!((accountant.used(), accountant.left()), (90, 10));
        assert_eq!(accountant.held_at_peak(), [("a block", 90), ("a table", 30)]);
        // What was planned is refused only if no run could have it.
        assert!(accountant.plan("a plan", 101).is_err());
        drop(accountant.plan("a plan", 30).unwrap());
        drop((block, table));
        assert_eq!((accountant.used(), accountant.peak()), (0, 120));
        assert_eq!(accountant.held_at_peak(), [("a block", 90), ("a table", 30)]);
    }

    #[test]
    fn equal_names_are_one_holder() {
        let accountant = Accountant::new(None);
        let first = accountant.book("a block", 3);
        let second = accountant.book("a block", 4);
        let other = accountant.book("a table", 7);
        drop(first);
        let more = accountant.book("a sample", 2);
        assert_eq!(accountant.held_at_peak(), [("a block", 7), ("a table", 7)]);
        drop((second, other, more));
        assert_eq!(accountant.used(), 0);
    }

    #[test]
    fn threads_never_get_more_than_there_is() {
        let accountant = Accountant::new(Some(1000));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for bytes in 0..2000u64 {
                        let got = accountant.reserve("a thread", bytes % 400);
                        assert!(accountant.used() <= 1000);
                        drop(got);
                    }
                });
            }
        });
        assert_eq!(accountant.used(), 0);
        assert!(accountant.peak() <= 1000 && accountant.peak() >= 399);
    }

    #[test]
    fn sizes() {
        let sizes: [(&str, u64); 11] = [
            ("512MiB", 512 << 20),
            ("2GB", 2_000_000_000),
            ("1.5 GiB", 3 << 29),
            (" 17 ", 17),
            ("0", 0),
            ("64k", 64 << 10),
            ("0.5kB", 500),
            ("1.999b", 1),
            ("3 t", 3 << 40),
            ("18446744073709551615", u64::MAX),
            ("0.000000001GB", 1),
        ];
        for (text, bytes) in sizes {
            assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
        }
        for text in [
            "",
            "MiB",
            "-1",
            "1.",
            ".5",
            "1.2.3",
            "5 furlongs",
            "1e9",
            "99999999TiB",
            "20000000000000000000",
            "½",
        ] {
            let error = parse_bytes(text).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Params, "{text}");
            assert!(error.message.contains(text) && error.hint.is_some());
        }
        for (bytes, text) in
            [(0, "0 bytes"), (1023, "1023 bytes"), (1536, "1.5 KiB"), (512 << 20, "512 MiB")]
        {
            assert_eq!(format_bytes(bytes), text);
        }
        assert_eq!(format_bytes(u64::MAX), "17179869183.9 GiB");
    }
}
