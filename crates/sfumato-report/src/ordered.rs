//! A map that keeps the order in which it was filled, in memory and in JSON.
//!
//! Reports hold a dozen entries, so lookups scan; it isn't meant for anything larger.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// Names and values in the order of insertion; written as a JSON object.
#[derive(Clone, Debug, PartialEq)]
pub struct Ordered<V> {
    entries: Vec<(String, V)>,
}

impl<V> Ordered<V> {
    /// An empty map.
    pub fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Set `name`. A name that already exists keeps its place and gets the new value.
    pub fn insert(&mut self, name: impl Into<String>, value: V) {
        let name = name.into();
        match self.entries.iter_mut().find(|(known, _)| *known == name) {
            Some((_, slot)) => *slot = value,
            None => self.entries.push((name, value)),
        }
    }

    /// The value under `name`.
    pub fn get(&self, name: &str) -> Option<&V> {
        self.entries.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The entries in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &V)> {
        self.entries.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<V> Default for Ordered<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<N: Into<String>, V> FromIterator<(N, V)> for Ordered<V> {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (name, value) in entries {
            map.insert(name, value);
        }
        map
    }
}

impl<V: Serialize> Serialize for Ordered<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Ordered<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
            type Value = Ordered<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                let mut map = Ordered::new();
                while let Some((name, value)) = access.next_entry::<String, V>()? {
                    map.insert(name, value);
                }
                Ok(map)
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_survives_json_and_a_second_insert() {
        let mut map: Ordered<u32> = [("zeta", 1), ("alpha", 2)].into_iter().collect();
        map.insert("zeta", 3);
        let json = serde_json::to_string(&map).unwrap();
        assert_eq!(json, r#"{"zeta":3,"alpha":2}"#);
        assert_eq!(serde_json::from_str::<Ordered<u32>>(&json).unwrap(), map);
        assert_eq!(
            (map.get("alpha"), map.get("beta"), map.len(), map.is_empty()),
            (Some(&2), None, 2, false)
        );
    }
}
