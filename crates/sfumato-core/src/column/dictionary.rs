//! Distinct texts, each stored once in one buffer.

/// Texts numbered from 0. Cheap to iterate, no allocation per text.
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
    /// How many texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
    /// Append a text and get its number. Doesn't look for an equal one: that's the caller's index.
    pub fn push(&mut self, text: &str) -> u32 {
        self.texts.push_str(text);
        self.ends.push(self.texts.len());
        (self.ends.len() - 1) as u32
    }
    /// The text of a number.
    #[inline]
    pub fn get(&self, code: u32) -> &str {
        &self.texts[self.range(code)]
    }
    /// The bytes of a text.
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
    /// Bytes of memory held.
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
