//! Countries, cities and nationalities, by lists.

use std::sync::LazyLock;

use sfumato_core::FastSet;
use sfumato_core::registry::Info;

use super::{Detector, Scan, Strength};
use crate::data::{Span, TermIndex, fold};

/// The detector `place`, an entry of the registry.
pub struct Place;

static INFO: Info = Info {
    name: "place",
    summary: "countries and large cities (GPE), and nationalities (NRP), by lists",
    doc: "All countries and some hundred large cities, and the adjectives of countries, with a \
          capital. Smaller places are found by taggers only.",
    ..Info::DEFAULT
};

/// The names, and the class of each.
static NAMES: LazyLock<(TermIndex, Vec<&'static str>)> = LazyLock::new(|| {
    let (mut index, mut classes) = (TermIndex::default(), Vec::new());
    let mut add = |name: &str, class: &'static str| {
        if index.add(name) == Some(classes.len() as u32) {
            classes.push(class);
        }
    };
    for line in include_str!("lists/countries.txt").lines() {
        for (at, name) in line.split('|').enumerate() {
            add(name, if at == 0 { "GPE" } else { "NRP" });
        }
    }
    include_str!("lists/cities.txt").lines().for_each(|name| add(name, "GPE"));
    (index, classes)
});

/// The words of countries and nationalities of one word, without case and accents.
static COUNTRIES: LazyLock<FastSet<String>> = LazyLock::new(|| {
    let names = include_str!("lists/countries.txt").lines().flat_map(|line| line.split('|'));
    names.filter(|name| !name.contains(' ')).map(fold).collect()
});

/// Whether a word, without case and accents, is a country or a nationality.
pub fn is_country(word: &str) -> bool {
    COUNTRIES.contains(word)
}

impl Detector for Place {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self) -> &'static [&'static str] {
        &["GPE", "NRP"]
    }
    fn strength(&self) -> Strength {
        Strength::Weak
    }
    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Span>) {
        let (index, classes) = &*NAMES;
        let mut spans: Vec<Span> = Vec::new();
        for one in index.find_words(&scan.tokens, &scan.words) {
            let is_capital = scan.text[one.start..].chars().next().is_some_and(char::is_uppercase);
            if is_capital {
                spans.push(Span::new(one.start, one.end, classes[one.term as usize]));
            }
        }
        // The longest of those that overlap: New York City, not New York.
        found.extend(super::resolve(spans.into_iter().map(|one| (Strength::Weak, one)).collect()));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn places_with_a_capital() {
        check(&Place, "from [GPE:New York City] to [GPE:Austria], [NRP:Czech] food, a turkey");
    }
}
