//! Distinct texts, each stored once in one buffer.

/// Texts numbered from 0. They are cheap to iterate, and no text has an allocation of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dictionary {
    texts: String,
    ends: Vec<usize>,
}

impl Dictionary {
    /// An empty dictionary.
    pub fn new() -> Self {
        Self::default()
    }
    /// The number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }
    /// Whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
    /// Append a text and return its number. It doesn't look for an equal text: callers keep an
    /// index for that.
    pub fn push(&mut self, text: &str) -> u32 {
        self.texts.push_str(text);
        self.ends.push(self.texts.len());
        (self.ends.len() - 1) as u32
    }
    /// The text with a number.
    #[inline]
    pub fn get(&self, code: u32) -> &str {
        &self.texts[self.range(code)]
    }
    /// The bytes of the text with a number.
    #[inline]
    pub fn get_bytes(&self, code: u32) -> &[u8] {
        &self.texts.as_bytes()[self.range(code)]
    }
    #[inline]
    fn range(&self, code: u32) -> std::ops::Range<usize> {
        let i = code as usize;
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        start..self.ends[i]
    }
    /// All texts in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + Clone + '_ {
        (0..self.len()).map(|i| self.get(i as u32))
    }
    /// The number of bytes in memory.
    pub fn bytes(&self) -> usize {
        self.texts.len() + self.ends.len() * size_of::<usize>()
    }
}

impl<S: AsRef<str>> FromIterator<S> for Dictionary {
    fn from_iter<I: IntoIterator<Item = S>>(iter: I) -> Self {
        let mut dictionary = Dictionary::new();
        for text in iter {
            dictionary.push(text.as_ref());
        }
        dictionary
    }
}
