//! What takes the place of what was found.

use std::net::Ipv4Addr;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng as _;
use sfumato_core::{Error, FastMap, FastSet, Result};

use crate::data::{REDACTED, fold};
use crate::detectors::credit_card::luhn;

/// What takes the place of what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replacement {
    /// Its class: `[PERSON]`.
    Tag,
    /// Always the same mark.
    Redact,
    /// Nothing.
    Remove,
    /// A range or a prefix, where the class has one; else its class.
    Generalize,
    /// Something of the same class that is made up, where that can be done; else its class.
    Surrogate,
}

impl Replacement {
    /// By its name in a job.
    pub fn of(name: Option<&str>) -> Replacement {
        match name {
            Some("redact") => Replacement::Redact,
            Some("remove") => Replacement::Remove,
            Some("generalize") => Replacement::Generalize,
            Some("surrogate") => Replacement::Surrogate,
            _ => Replacement::Tag,
        }
    }

    /// Whether a text may be what is published in place of another. Surrogates may be anything but
    /// the original, and whether they agree with each other is seen elsewhere.
    pub fn allows(self, class: &str, original: &str, published: &str) -> bool {
        match self {
            Replacement::Tag => published == tag(class),
            Replacement::Redact => published == REDACTED,
            Replacement::Remove => published.is_empty(),
            Replacement::Generalize => {
                published == generalized(class, original).unwrap_or_else(|| tag(class))
            }
            Replacement::Surrogate => published == tag(class) || fold(published) != fold(original),
        }
    }
}

/// A class as a mark.
pub fn tag(class: &str) -> String {
    format!("[{class}]")
}

/// Prefixes of postal codes of the US with at most 20,000 inhabitants, which Safe Harbor wants as
/// 000 (census of 2000, as the rule's guidance lists them).
const FEW_PEOPLE: [&str; 17] = [
    "036", "059", "063", "102", "203", "556", "692", "790", "821", "823", "830", "831", "878",
    "879", "884", "890", "893",
];

/// A value that says less: an age as a range of ten years and 90 and more as one, a date as its
/// year, a postal code by its first three digits, an address of a network by its first three
/// numbers.
pub fn generalized(class: &str, text: &str) -> Option<String> {
    match class {
        "AGE" => match text.parse::<u32>().ok()? {
            90.. => Some("90+".into()),
            age => Some(format!("[{}-{})", age / 10 * 10, age / 10 * 10 + 10)),
        },
        "DATE_TIME" => {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric());
            let is_year = |word: &&str| {
                word.len() == 4
                    && word.parse::<u32>().is_ok_and(|year| (1800..2200).contains(&year))
            };
            words
                .filter(|word| word.len() >= 4)
                .map(|word| &word[..4])
                .find(is_year)
                .map(Into::into)
        }
        "ZIP_CODE" => {
            let digits = text.split('-').next().unwrap_or_default();
            let is_american = digits.len() == 5 && digits.bytes().all(|b| b.is_ascii_digit());
            let prefix = is_american.then(|| &digits[..3])?;
            let prefix = if FEW_PEOPLE.contains(&prefix) { "000" } else { prefix };
            Some(format!("{prefix}**"))
        }
        "IP_ADDRESS" => {
            let [a, b, c, _] = text.parse::<Ipv4Addr>().ok()?.octets();
            Some(format!("{a}.{b}.{c}.0/24"))
        }
        _ => None,
    }
}

const GIVEN: [&str; 40] = [
    "Alba", "Anders", "Bruno", "Carla", "Cedric", "Dora", "Edgar", "Elsa", "Emil", "Fiona",
    "Gemma", "Goran", "Greta", "Hugo", "Ida", "Ivo", "Jonas", "Kaja", "Karl", "Lena", "Leo",
    "Lotte", "Luca", "Mara", "Mila", "Nils", "Nora", "Olga", "Oskar", "Paula", "Piet", "Rosa",
    "Ruben", "Selma", "Stella", "Thea", "Timo", "Vera", "Viktor", "Zoe",
];
const FAMILY: [&str; 40] = [
    "Abel", "Arden", "Bauer", "Berg", "Brandt", "Castle", "Dahl", "Dean", "Engel", "Farmer",
    "Fisk", "Ford", "Gray", "Haas", "Hale", "Hill", "Holt", "Jansen", "Kern", "Koch", "Lake",
    "Lang", "Marsh", "Moss", "North", "Olsen", "Park", "Quint", "Reed", "Roth", "Sand", "Stone",
    "Thorn", "Vance", "Vogel", "Weber", "West", "Winter", "Wolf", "Young",
];
const PLACES: [&str; 24] = [
    "Ashford",
    "Birkdale",
    "Brookfield",
    "Carlow",
    "Dunmore",
    "Eastvale",
    "Elmstead",
    "Fairhaven",
    "Glenmore",
    "Harwick",
    "Kingsbury",
    "Lakeside",
    "Marlow",
    "Millbrook",
    "Newholm",
    "Oakdale",
    "Pinewood",
    "Ravensdale",
    "Riverton",
    "Stonebridge",
    "Thornbury",
    "Westmere",
    "Whitby",
    "Yarrow",
];
/// Classes that are written with digits and letters, which can be drawn anew one by one.
const NUMBERS: [&str; 14] = [
    "PHONE_NUMBER",
    "US_SSN",
    "CREDIT_CARD",
    "IBAN_CODE",
    "MEDICAL_RECORD_NUMBER",
    "ACCOUNT_NUMBER",
    "HEALTH_PLAN_NUMBER",
    "PASSPORT_NUMBER",
    "LICENSE_NUMBER",
    "US_DRIVER_LICENSE",
    "VEHICLE_ID",
    "DEVICE_ID",
    "TAX_NUMBER",
    "ZIP_CODE",
];

/// Makes what takes the place of texts, the same for the same.
pub struct Replacer {
    how: Replacement,
    random: ChaCha20Rng,
    known: FastMap<(String, String), String>,
    taken: FastSet<(String, String)>,
}

impl Replacer {
    /// With its source of random choices.
    pub fn new(how: Replacement, random: ChaCha20Rng) -> Self {
        Replacer { how, random, known: FastMap::default(), taken: FastSet::default() }
    }

    /// What takes the place of a text of a class.
    pub fn replace(&mut self, class: &str, text: &str) -> Result<String> {
        Ok(match self.how {
            Replacement::Tag => tag(class),
            Replacement::Redact => REDACTED.into(),
            Replacement::Remove => String::new(),
            Replacement::Generalize => generalized(class, text).unwrap_or_else(|| tag(class)),
            Replacement::Surrogate => self.surrogate(class, text)?,
        })
    }

    fn surrogate(&mut self, class: &str, text: &str) -> Result<String> {
        let key = (class.to_string(), fold(text));
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        for attempt in 0..10_000 {
            let Some(drawn) = self.draw(class, text, attempt) else { return Ok(tag(class)) };
            let place = (class.to_string(), fold(&drawn));
            if place.1 != key.1 && !self.known.contains_key(&place) && self.taken.insert(place) {
                self.known.insert(key, drawn.clone());
                return Ok(drawn);
            }
        }
        Err(Error::resources(format!(
            "there are too many texts of the class {class} to make up others"
        ))
        .hint("say --replace tag"))
    }

    /// Something of the same class. Names get longer where many were drawn already.
    fn draw(&mut self, class: &str, text: &str, attempt: u32) -> Option<String> {
        let words = text.split_whitespace().count();
        let middle = match attempt {
            0..20 => String::new(),
            _ => format!(" {}.", char::from(b'A' + self.below(26) as u8)),
        };
        Some(match class {
            "PERSON" if words == 1 && attempt < 20 => self.one_of(&GIVEN).into(),
            "PERSON" => format!("{}{middle} {}", self.one_of(&GIVEN), self.one_of(&FAMILY)),
            "GPE" if attempt < 20 => self.one_of(&PLACES).into(),
            "GPE" => format!("{} {}", self.one_of(&["North", "South", "Old", "New"]), {
                self.one_of(&PLACES)
            }),
            "EMAIL_ADDRESS" => {
                let (name, number) = (self.one_of(&GIVEN).to_lowercase(), self.below(100_000));
                format!("{name}{number}@example.org")
            }
            "DOMAIN_NAME" => format!("https://www.example.org/{}", self.below(1_000_000)),
            class if NUMBERS.contains(&class) => {
                let drawn = self.signs(text);
                if class == "CREDIT_CARD" { checked(drawn) } else { drawn }
            }
            _ => return None,
        })
    }

    /// The same signs with other digits and letters.
    fn signs(&mut self, text: &str) -> String {
        let mut one = |c: char| match c {
            '0'..='9' => char::from(b'0' + self.below(10) as u8),
            'A'..='Z' => char::from(b'A' + self.below(26) as u8),
            'a'..='z' => char::from(b'a' + self.below(26) as u8),
            other => other,
        };
        text.chars().map(&mut one).collect()
    }

    fn below(&mut self, bound: u32) -> u32 {
        // The high part of a product; a bias of one in forty million hides nobody less.
        ((u64::from(self.random.next_u32()) * u64::from(bound)) >> 32) as u32
    }

    fn one_of(&mut self, list: &[&'static str]) -> &'static str {
        list[self.below(list.len() as u32) as usize]
    }
}

/// A number of a card with the right check digit.
fn checked(text: String) -> String {
    let digits = |text: &str| -> Vec<u8> {
        text.bytes().filter(u8::is_ascii_digit).map(|b| b - b'0').collect()
    };
    let Some(last) = text.rfind(|c: char| c.is_ascii_digit()) else { return text };
    (0..10)
        .map(|digit| format!("{}{digit}{}", &text[..last], &text[last + 1..]))
        .find(|text| luhn(&digits(text)))
        .unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use sfumato_engine::random::generator;

    use super::*;

    #[test]
    fn values_that_say_less() {
        for (class, text, less) in [
            ("AGE", "37", Some("[30-40)")),
            ("AGE", "93", Some("90+")),
            ("AGE", "x", None),
            ("DATE_TIME", "12 May 1987", Some("1987")),
            ("DATE_TIME", "1978-07-13 07:00", Some("1978")),
            ("DATE_TIME", "5/12/87", None),
            ("ZIP_CODE", "02139-4307", Some("021**")),
            ("ZIP_CODE", "03601", Some("000**")),
            ("ZIP_CODE", "SW1A 1AA", None),
            ("IP_ADDRESS", "10.1.2.3", Some("10.1.2.0/24")),
            ("PERSON", "Ann", None),
        ] {
            assert_eq!(generalized(class, text).as_deref(), less, "{class} {text}");
        }
    }

    #[test]
    fn surrogates_are_the_same_for_the_same_and_others_for_others() {
        let random = generator(Some(1)).unwrap();
        let mut replacer = Replacer::new(Replacement::Surrogate, random);
        let mut seen = FastSet::default();
        for at in 0..3000 {
            let name = format!("Person{at} Surname{at}");
            let drawn = replacer.replace("PERSON", &name).unwrap();
            assert_eq!(replacer.replace("PERSON", &name.to_uppercase()).unwrap(), drawn);
            assert!(seen.insert(fold(&drawn)), "{drawn} stands for two");
        }
        let card = replacer.replace("CREDIT_CARD", "4111 1111 1111 1111").unwrap();
        let digits: Vec<u8> = card.bytes().filter(u8::is_ascii_digit).map(|b| b - b'0').collect();
        assert!(luhn(&digits) && card.len() == 19 && card != "4111 1111 1111 1111");
        assert_eq!(replacer.replace("AGE", "37").unwrap(), "[AGE]");
    }
}
