//! What a tagger looks at: the words around a word, their beginnings, endings and shapes, and
//! whether lists know them. Each feature is a number that is made of its text.

use crate::data::fold;
use crate::detectors::person::is_given;
use crate::detectors::place::is_country;

/// A text in pieces: words, and every other sign alone.
pub(super) struct Pieces<'a> {
    text: &'a str,
    pieces: Vec<Piece>,
    has_capitals: bool,
}

struct Piece {
    start: usize,
    end: usize,
    word: String,
    shape: String,
    is_given: bool,
    is_country: bool,
    after_line: bool,
}

impl<'a> Pieces<'a> {
    pub fn new(text: &'a str) -> Self {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut at = 0;
        let mut after_line = true;
        while let Some(c) = text[at..].chars().next() {
            let mut end = at + c.len_utf8();
            if c.is_whitespace() {
                after_line |= c == '\n';
                at = end;
                continue;
            }
            if c.is_alphanumeric() {
                let is_word = |c: char| {
                    c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c)
                };
                let rest = &text[at..];
                end = at + rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            }
            let word = fold(&text[at..end]);
            pieces.push(Piece {
                start: at,
                end,
                shape: shape(&text[at..end]),
                is_given: is_given(&word),
                is_country: is_country(&word),
                word,
                after_line,
            });
            after_line = false;
            at = end;
        }
        Pieces { text, pieces, has_capitals: text.chars().any(char::is_uppercase) }
    }

    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    pub fn range(&self, at: usize) -> (usize, usize) {
        (self.pieces[at].start, self.pieces[at].end)
    }

    /// The features of a piece.
    pub fn features(&self, at: usize, found: &mut Vec<u32>) {
        let near = |by: isize| {
            let place = at.checked_add_signed(by);
            place.and_then(|place| self.pieces.get(place))
        };
        let word = |by: isize| near(by).map_or("|", |piece| piece.word.as_str());
        let shape = |by: isize| near(by).map_or("|", |piece| piece.shape.as_str());
        let own = &self.pieces[at];
        let flag = |is: bool| if is { "1" } else { "0" };
        let mut add = |kind: u8, parts: &[&str]| found.push(hash(kind, parts));
        add(0, &[]);
        for (kind, by) in [(1, 0), (2, -1), (3, 1), (4, -2), (5, 2), (6, -3)] {
            add(kind, &[word(by)]);
        }
        add(10, &[word(-1), word(0)]);
        add(11, &[word(0), word(1)]);
        add(12, &[word(-2), word(-1)]);
        add(13, &[word(1), word(2)]);
        add(14, &[word(-1), shape(0), word(1)]);
        for (kind, by) in [(20, 0), (21, -1), (22, 1), (23, -2), (24, 2)] {
            add(kind, &[shape(by)]);
        }
        add(30, &[shape(-1), shape(0)]);
        add(31, &[shape(0), shape(1)]);
        add(32, &[shape(-1), shape(0), shape(1)]);
        add(33, &[shape(-2), shape(-1), shape(0), shape(1), shape(2)]);
        add(34, &[word(-1), shape(0)]);
        add(35, &[word(-2), shape(0)]);
        add(36, &[shape(0), word(1)]);
        let chars: Vec<(usize, char)> = own.word.char_indices().collect();
        for length in 1..=4 {
            if chars.len() > length {
                add(40 + length as u8, &[&own.word[..chars[length].0]]);
                add(50 + length as u8, &[&own.word[chars[chars.len() - length].0..]]);
            }
        }
        let capitals = flag(self.has_capitals);
        add(60, &[flag(own.is_given), capitals, shape(0)]);
        let given = |by: isize| flag(near(by).is_some_and(|piece| piece.is_given));
        add(61, &[given(-1), given(0), given(1), shape(0)]);
        add(62, &[flag(own.is_country), capitals]);
        add(63, &[flag(own.after_line), shape(0)]);
        let next_line = near(1).is_none_or(|next| next.after_line);
        add(64, &[flag(own.after_line), flag(next_line), shape(0)]);
        let glued = near(-1).is_some_and(|before| before.end == own.start);
        add(65, &[flag(glued), shape(-1), shape(0)]);
        debug_assert!(own.end <= self.text.len());
    }
}

/// The shape of a word: capitals, small letters and digits, with the number of these.
fn shape(word: &str) -> String {
    let mut shape = String::new();
    let mut digits = 0;
    for c in word.chars() {
        let sign = match c {
            c if c.is_numeric() => {
                digits += 1;
                'd'
            }
            c if c.is_uppercase() => 'X',
            c if c.is_alphabetic() => 'x',
            other => other,
        };
        if !shape.ends_with(sign) {
            shape.push(sign);
        }
    }
    match word.chars().count() {
        1 => shape.push('1'),
        2 => shape.push('2'),
        _ => {}
    }
    if digits > 0 {
        shape.push_str(&digits.min(20).to_string());
    }
    shape
}

/// A number for a feature: the hash of Fowler, Noll and Vo over its kind and its parts.
fn hash(kind: u8, parts: &[&str]) -> u32 {
    let mut hash = 0xcbf29ce484222325u64;
    let mut eat = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x100000001b3);
    eat(kind);
    for part in parts {
        part.bytes().for_each(&mut eat);
        eat(0xff);
    }
    (hash ^ (hash >> 32)) as u32
}
