//! The names of nodes as a file has them, and the numbers that nodes get in the order in which they
//! are first seen.

use sfumato_core::{Error, FastMap, Result};

/// Numbers below this are looked up in a list, larger ones in a map.
const DENSE: u64 = 1 << 24;
/// The mark of a number that wasn't seen yet.
const UNSEEN: u32 = u32::MAX;

/// The names of nodes, by number of the node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Names {
    /// All names are whole numbers, spelled in the only way.
    Numbers(Vec<u64>),
    /// Texts.
    Texts(Vec<String>),
}

impl Names {
    /// How many nodes have a name.
    pub fn len(&self) -> usize {
        match self {
            Names::Numbers(numbers) => numbers.len(),
            Names::Texts(texts) => texts.len(),
        }
    }
    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The name of a node. A node beyond the names is known only by a count, and has none.
    pub fn get(&self, node: u32) -> Option<String> {
        match self {
            Names::Numbers(numbers) => numbers.get(node as usize).map(u64::to_string),
            Names::Texts(texts) => texts.get(node as usize).cloned(),
        }
    }
    /// The number of each node from 0, if the names are `n` numbers from `first` on, each once.
    /// Nodes that have no name get the numbers that are left over, ascending.
    pub fn as_numbers(&self, n: usize, first: u64) -> Option<Vec<u32>> {
        let Names::Numbers(numbers) = self else { return None };
        let mut ids = Vec::with_capacity(n);
        let mut is_taken = vec![false; n];
        for number in numbers {
            let number = number.checked_sub(first)?;
            let place = is_taken.get_mut(usize::try_from(number).ok()?)?;
            if std::mem::replace(place, true) {
                return None;
            }
            ids.push(number as u32);
        }
        ids.extend((0..n as u32).filter(|id| !is_taken[*id as usize]));
        (ids.len() == n).then_some(ids)
    }
}

/// Gives numbers to names.
#[derive(Debug, Default)]
pub struct Numbering {
    dense: Vec<u32>,
    sparse: FastMap<u64, u32>,
    numbers: Vec<u64>,
    texts: Option<(FastMap<String, u32>, Vec<String>)>,
}

/// The number that a name spells in the only way: without a sign or leading zeros.
fn plain_number(name: &[u8]) -> Option<u64> {
    if name.is_empty() || name.len() > 19 || (name[0] == b'0' && name.len() > 1) {
        return None;
    }
    name.iter().try_fold(0u64, |number, byte| match byte {
        b'0'..=b'9' => Some(number * 10 + u64::from(byte - b'0')),
        _ => None,
    })
}

impl Numbering {
    /// The number of a name, which is a new one where the name wasn't seen yet.
    pub fn number(&mut self, name: &[u8]) -> Result<u32> {
        if self.texts.is_none() {
            match plain_number(name) {
                Some(number) => return self.number_of_number(number),
                None => self.begin_texts(),
            }
        }
        let text = std::str::from_utf8(name)
            .map_err(|_| Error::input("a name isn't UTF-8").hint("convert the file to UTF-8"))?;
        let (known, texts) = self.texts.as_mut().expect("texts were begun above");
        if let Some(number) = known.get(text) {
            return Ok(*number);
        }
        let number = next(texts.len())?;
        known.insert(text.to_string(), number);
        texts.push(text.to_string());
        Ok(number)
    }

    /// The number of a name that was seen, if it was.
    pub fn find(&self, name: &str) -> Option<u32> {
        match &self.texts {
            Some((known, _)) => known.get(name).copied(),
            None => {
                let number = plain_number(name.as_bytes())?;
                let found = match number < DENSE {
                    true => self.dense.get(number as usize).copied(),
                    false => self.sparse.get(&number).copied(),
                };
                found.filter(|found| *found != UNSEEN)
            }
        }
    }

    /// How many names were seen.
    pub fn len(&self) -> usize {
        self.texts.as_ref().map_or(self.numbers.len(), |(_, texts)| texts.len())
    }

    /// Whether no name was seen.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names that were seen.
    pub fn into_names(self) -> Names {
        match self.texts {
            Some((_, texts)) => Names::Texts(texts),
            None => Names::Numbers(self.numbers),
        }
    }

    fn number_of_number(&mut self, name: u64) -> Result<u32> {
        if name >= DENSE {
            if let Some(number) = self.sparse.get(&name) {
                return Ok(*number);
            }
            let number = next(self.numbers.len())?;
            self.sparse.insert(name, number);
            self.numbers.push(name);
            return Ok(number);
        }
        let place = name as usize;
        if self.dense.len() <= place {
            let length = (place + 1).max(2 * self.dense.len()).min(DENSE as usize);
            self.dense.resize(length, UNSEEN);
        }
        if self.dense[place] == UNSEEN {
            self.dense[place] = next(self.numbers.len())?;
            self.numbers.push(name);
        }
        Ok(self.dense[place])
    }

    /// From now on names are texts: the numbers so far are texts as well.
    fn begin_texts(&mut self) {
        let texts: Vec<String> = self.numbers.iter().map(u64::to_string).collect();
        let known = texts.iter().cloned().zip(0..).collect();
        self.texts = Some((known, texts));
    }
}

/// The next number, after so many.
fn next(after: usize) -> Result<u32> {
    u32::try_from(after)
        .ok()
        .filter(|number| *number < u32::MAX - 1)
        .ok_or_else(|| Error::resources("more than 4,294,967,293 nodes are not supported"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_numbers_when_texts_come() {
        let mut numbering = Numbering::default();
        let mut number = |name: &str| numbering.number(name.as_bytes()).unwrap();
        assert_eq!([number("7"), number("99999999999"), number("0"), number("7")], [0, 1, 2, 0]);
        // Another spelling of a number is another name.
        assert_eq!([number("007"), number("7"), number("x"), number("007")], [3, 0, 4, 3]);
        assert_eq!((numbering.find("x"), numbering.find("8")), (Some(4), None));
        let names = numbering.into_names();
        assert_eq!(names.get(1).as_deref(), Some("99999999999"));
        assert_eq!((names.len(), names.get(5), names.as_numbers(5, 0)), (5, None, None));
    }

    #[test]
    fn numbers_from_0_are_known_as_such() {
        let names = |all: &[u64]| Names::Numbers(all.to_vec());
        assert_eq!(names(&[2, 0]).as_numbers(4, 0), Some(vec![2, 0, 1, 3]));
        assert_eq!(names(&[2, 4]).as_numbers(4, 0), None);
        assert_eq!(names(&[2, 2]).as_numbers(4, 0), None);
        assert_eq!(names(&[4, 1]).as_numbers(4, 1), Some(vec![3, 0, 1, 2]));
        assert_eq!(names(&[0, 1]).as_numbers(4, 1), None);
    }
}
