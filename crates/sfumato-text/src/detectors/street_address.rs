//! Streets with numbers, in the ways of several countries, and boxes at a post office.

use sfumato_core::registry::Info;

use super::{Detector, Scan, Strength};
use crate::data::Span;

/// The detector `street-address`, an entry of the registry.
pub struct StreetAddress;

static INFO: Info = Info {
    name: "street-address",
    summary: "a street and a number, in the ways of several countries; boxes and apartments",
    doc: "\
- a number, some capitalized words and a word for a street: 90 Whitchurch Road, 12 Main St.;
- a word that ends like a street, and a number: Ziegelgasse 19, Kerkstraat 7;
- a word for a street, some words, and a number before or after: 12 rue de la Paix, Calle Mayor 5;
- an apartment or a suite after these; P.O. boxes; addresses of the army.
",
    ..Info::DEFAULT
};

const AFTER_NAME: [&str; 32] = [
    "street",
    "st",
    "road",
    "rd",
    "avenue",
    "ave",
    "boulevard",
    "blvd",
    "lane",
    "ln",
    "drive",
    "dr",
    "court",
    "ct",
    "place",
    "pl",
    "square",
    "sq",
    "terrace",
    "way",
    "parkway",
    "pkwy",
    "highway",
    "hwy",
    "circle",
    "cir",
    "crescent",
    "close",
    "row",
    "alley",
    "trail",
    "quay",
];
const BEFORE_NAME: [&str; 26] = [
    "rue",
    "avenue",
    "boulevard",
    "place",
    "chemin",
    "allee",
    "via",
    "viale",
    "piazza",
    "corso",
    "calle",
    "avenida",
    "paseo",
    "plaza",
    "rua",
    "praca",
    "travessa",
    "ul",
    "ulica",
    "aleja",
    "rruga",
    "strada",
    "utca",
    "ulice",
    "cours",
    "impasse",
];
const ENDINGS: [&str; 14] = [
    "strasse", "straße", "str", "gasse", "weg", "platz", "allee", "straat", "laan", "gatan",
    "vagen", "veien", "katu", "tie",
];
const WITHIN: [&str; 9] =
    ["apt", "apartment", "suite", "unit", "flat", "floor", "ste", "app", "appt"];

impl Detector for StreetAddress {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self) -> &'static [&'static str] {
        &["STREET_ADDRESS"]
    }
    fn strength(&self) -> Strength {
        Strength::Weak
    }
    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Span>) {
        let mut at = 0;
        while at < scan.tokens.len() {
            let last =
                number_first(scan, at).or_else(|| name_first(scan, at)).or_else(|| boxes(scan, at));
            match last {
                None => at += 1,
                Some(last) => {
                    let last = inside(scan, last);
                    let (start, end) = (scan.tokens[at].start, scan.tokens[last].end);
                    found.push(Span::new(start, end, "STREET_ADDRESS"));
                    at = last + 1;
                }
            }
        }
    }
}

/// Whether a word is the number of a house: digits, and at most one letter after them.
fn is_number(scan: &Scan<'_>, at: usize) -> bool {
    let Some(word) = scan.words.get(at) else { return false };
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    (1..=5).contains(&digits) && word.len() <= digits + 1
}

/// Whether a word and the next stand in one line, with a blank between them.
fn is_near(scan: &Scan<'_>, at: usize) -> bool {
    at + 1 < scan.tokens.len() && matches!(scan.gap(at), " " | ". " | ", " | "-" | "'")
}

/// A number, words of a name and a word for a street; or a number, a word for a street, and a name.
fn number_first(scan: &Scan<'_>, at: usize) -> Option<usize> {
    if !is_number(scan, at) || !is_near(scan, at) {
        return None;
    }
    let mut next = at + 1;
    if BEFORE_NAME.contains(&scan.words[next].as_str()) {
        return name_after(scan, next);
    }
    while next < at + 6 && next < scan.tokens.len() {
        let is_kind = AFTER_NAME.contains(&scan.words[next].as_str());
        if is_kind && next > at + 1 && scan.is_capital(next) {
            return Some(next);
        }
        if !scan.is_capital(next) || !is_near(scan, next) {
            return None;
        }
        next += 1;
    }
    None
}

/// The last word of a name after a word for a street: capitalized, but for small words.
fn name_after(scan: &Scan<'_>, kind: usize) -> Option<usize> {
    const SMALL: [&str; 13] =
        ["de", "la", "le", "les", "des", "du", "del", "della", "do", "da", "dos", "las", "los"];
    let mut last = None;
    let mut at = kind;
    while is_near(scan, at) && at < kind + 6 {
        at += 1;
        let is_small = SMALL.contains(&scan.words[at].as_str());
        if scan.is_capital(at) {
            last = Some(at);
        } else if !is_small {
            break;
        }
    }
    last
}

/// A word that ends like a street and a number; or a word for a street, a name and a number.
fn name_first(scan: &Scan<'_>, at: usize) -> Option<usize> {
    let word = scan.words[at].as_str();
    let ends = |ending: &&str| word.len() > ending.len() + 2 && word.ends_with(*ending);
    if scan.is_capital(at) && ENDINGS.iter().any(ends) {
        let is_here = is_near(scan, at) && scan.gap(at) != ", " && is_number(scan, at + 1);
        return is_here.then_some(at + 1);
    }
    if BEFORE_NAME.contains(&word) {
        let last = name_after(scan, at)?;
        let is_here = is_near(scan, last) && is_number(scan, last + 1);
        return is_here.then_some(last + 1);
    }
    None
}

/// A box at a post office, or an address of the army.
fn boxes(scan: &Scan<'_>, at: usize) -> Option<usize> {
    let word = |n: usize| scan.words.get(n).map(String::as_str).unwrap_or_default();
    let number = |n: usize| {
        let is_here = !word(n).is_empty() && word(n).bytes().all(|b| b.is_ascii_digit());
        is_here.then_some(n)
    };
    match (word(at), word(at + 1), word(at + 2)) {
        ("p", "o", "box") => number(at + 3),
        ("po", "box", _) => number(at + 2),
        ("psc" | "unit", _, "box") => number(at + 1).and(number(at + 3)),
        _ => None,
    }
}

/// The last word of an apartment that follows, or that of the street.
fn inside(scan: &Scan<'_>, last: usize) -> usize {
    let is_next = last + 2 < scan.tokens.len()
        && scan.gap(last).trim_matches([' ', ',', '.', '\n']).is_empty()
        && WITHIN.contains(&scan.words[last + 1].as_str())
        && scan.gap(last + 1).trim_matches([' ', '.', '#']).is_empty();
    match is_next && is_number(scan, last + 2) {
        true => last + 2,
        false => last,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn streets_of_several_countries() {
        for street in [
            "90 Whitchurch Road",
            "12 Main St",
            "221B Baker Street, Apt. 5",
            "Ziegelgasse 19",
            "Kerkstraat 7",
            "12 rue de la Paix",
            "Calle Mayor 5",
            "P.O. Box 123",
            "PSC 0413, Box 8144",
            "33 avenue de Provence",
        ] {
            check(&StreetAddress, &format!("at [STREET_ADDRESS:{street}] now"));
        }
        for text in
            ["2 people came on the road", "in 1999 St. Mary", "the Street 5", "3 Ways to go"]
        {
            check(&StreetAddress, text);
        }
    }
}
