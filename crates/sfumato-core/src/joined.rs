//! Releases with different columns, and which records of them can be one person's.
//!
//! Somebody who has several releases joins them by the columns that they share. The join is lossy:
//! a record of one may fit several of another, and nobody knows which of them is the person's. What
//! the join says of a person is what is judged, and not the release alone.

use serde::{Deserialize, Serialize};

use crate::FastSet;
use crate::chain::Meets;
use crate::error::{Error, Result};

/// All columns of a release: its different records, and how often each occurs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sheet {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The different texts of each column.
    pub texts: Vec<Vec<String>>,
    /// The different records: a number into the texts of each column, and how often it occurs.
    pub rows: Vec<(Vec<u32>, u64)>,
}

/// A share of counts, which is compared without rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// What is above the line.
    pub num: u128,
    /// What is below it, which isn't 0.
    pub den: u128,
}

impl Share {
    /// Whether `count` of `of` are at most this share. An error where the numbers are too large to
    /// be compared without rounding.
    pub fn is_at_least(self, count: u128, of: u128) -> Result<bool> {
        let products = (count.checked_mul(self.den), self.num.checked_mul(of));
        match products {
            (Some(count), Some(most)) => Ok(count <= most),
            _ => Err(Error::resources("the join of the releases has too many records to count")
                .hint("write the share with fewer digits, or judge fewer releases together")),
        }
    }
}

/// What somebody asks of the join of releases: (X,Y)-privacy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinAsked {
    /// The columns that say who somebody is.
    pub x: Vec<String>,
    /// The columns that nobody should learn.
    pub y: Vec<String>,
    /// The values of Y that shouldn't be concluded, if not all of them.
    pub values: Option<Vec<String>>,
    /// With how many different values of Y each value of X is joined at least.
    pub k: u64,
    /// The largest share of the records joined with a value of X that have the same value of Y.
    pub most: Option<Share>,
    /// Pairs of values of different columns that nobody has together: column and value, twice.
    pub apart: Vec<[(String, String); 2]>,
    /// Whether numbers are compared, too.
    pub numbers: bool,
}

/// A column of one or more releases.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its texts in all releases.
    pub texts: Vec<String>,
    /// Which of them can be about the same value, if releases are joined by the column.
    pub meets: Option<Meets>,
}

/// Texts of two columns that nobody has together.
#[derive(Debug, Clone, Default)]
pub struct Apart {
    /// The columns.
    pub attributes: [usize; 2],
    /// The pairs of texts.
    pub pairs: FastSet<(u32, u32)>,
}

/// A release that is joined with others.
#[derive(Debug, Clone, Default)]
pub struct JoinedRelease {
    /// What it is called in messages.
    pub name: String,
    /// The attribute of each of its columns.
    pub attributes: Vec<usize>,
    /// Its different records, with numbers of texts of the attributes, and how often each occurs.
    pub rows: Vec<(Vec<u32>, u64)>,
}

/// Releases that are joined, in the order in which they were published.
#[derive(Debug, Clone, Default)]
pub struct Joined {
    /// The columns of all releases.
    pub attributes: Vec<Attribute>,
    /// The releases.
    pub releases: Vec<JoinedRelease>,
    /// What nobody has together.
    pub apart: Vec<Apart>,
}

impl Joined {
    /// The attribute with a name. An error if no release has it.
    pub fn attribute(&self, name: &str) -> Result<usize> {
        self.attributes.iter().position(|one| one.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.attributes.iter().map(|one| one.name.as_str()).collect();
            Error::params(format!("no release has a column '{name}'"))
                .hint(format!("the releases have {}", names.join(", ")))
        })
    }

    /// Whether an attribute decides which records match.
    pub fn is_join(&self, attribute: usize) -> bool {
        self.attributes[attribute].meets.is_some()
            || self.apart.iter().any(|apart| apart.attributes.contains(&attribute))
    }

    /// The places of the columns of a release by which it is joined.
    pub fn join_places(&self, release: usize) -> Vec<usize> {
        let attributes = self.releases[release].attributes.iter().enumerate();
        attributes.filter(|(_, one)| self.is_join(**one)).map(|(place, _)| place).collect()
    }

    /// Whether records of two releases can be one person's, by their cells in the given places.
    pub fn is_match(
        &self,
        (one, places, cells): (usize, &[usize], &[u32]),
        (other, others, theirs): (usize, &[usize], &[u32]),
    ) -> bool {
        let attribute = |release: usize, place: usize| self.releases[release].attributes[place];
        places.iter().zip(cells).all(|(place, a)| {
            let mine = attribute(one, *place);
            others.iter().zip(theirs).all(|(place, b)| {
                let yours = attribute(other, *place);
                match mine == yours {
                    true => self.attributes[mine].meets.as_ref().is_none_or(|m| m.at(*a, *b)),
                    false => !self.is_apart((mine, *a), (yours, *b)),
                }
            })
        })
    }

    fn is_apart(&self, (mine, a): (usize, u32), (yours, b): (usize, u32)) -> bool {
        self.apart.iter().any(|apart| match apart.attributes {
            [first, second] if (first, second) == (mine, yours) => apart.pairs.contains(&(a, b)),
            [first, second] if (first, second) == (yours, mine) => apart.pairs.contains(&(b, a)),
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(name: &str, meets: Option<Meets>) -> Attribute {
        Attribute { name: name.into(), texts: vec!["a".into(), "b".into(), "*".into()], meets }
    }

    fn joined() -> Joined {
        let meets = Meets::new(3, |a, b| a == b || b == 2);
        let release = |attributes: &[usize]| JoinedRelease {
            attributes: attributes.to_vec(),
            ..JoinedRelease::default()
        };
        let pairs = [(0, 1)].into_iter().collect();
        Joined {
            attributes: vec![
                attribute("job", Some(meets)),
                attribute("sex", None),
                attribute("test", None),
                attribute("name", None),
            ],
            releases: vec![release(&[0, 1]), release(&[3, 2, 0])],
            apart: vec![Apart { attributes: [1, 2], pairs }],
        }
    }

    #[test]
    fn records_match_where_common_columns_meet_and_nothing_excludes_them() {
        let joined = joined();
        assert_eq!((joined.join_places(0), joined.join_places(1)), (vec![0, 1], vec![1, 2]));
        let both = |a: [u32; 2], b: [u32; 2]| {
            let there = joined.is_match((0, &[0, 1], &a), (1, &[1, 2], &b));
            assert_eq!(there, joined.is_match((1, &[1, 2], &b), (0, &[0, 1], &a)));
            there
        };
        assert!(both([0, 0], [0, 0]) && both([0, 0], [0, 2]) && both([1, 1], [1, 1]));
        assert!(!both([0, 0], [0, 1]), "other jobs");
        assert!(!both([0, 0], [1, 0]), "nobody has both");
    }

    #[test]
    fn shares_are_exact_and_refuse_what_they_cannot_count() {
        let tenth = Share { num: 1, den: 10 };
        assert_eq!(tenth.is_at_least(3, 30), Ok(true));
        assert_eq!(tenth.is_at_least(4, 39), Ok(false));
        assert!(tenth.is_at_least(u128::MAX, u128::MAX).is_err());
        assert!(joined().attribute("nobody").unwrap_err().hint.unwrap().contains("job, sex"));
    }
}
