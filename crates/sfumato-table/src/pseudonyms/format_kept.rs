//! Pseudonyms that keep the form of a text: a digit becomes a digit, a letter a letter of the same
//! case, and all else stays.
//!
//! The digits and letters of a text are the wheels of a Feistel network: in each round one half is
//! turned by numbers that follow from the key and the other half. Whatever the turns are, a round
//! can be undone, so that different texts of one form get different pseudonyms, and whoever has the
//! key can undo them. A form with few texts gives nobody much to hide among, whatever the key.

use sfumato_core::{Error, Result};

use super::keyed::Stream;

/// As many rounds as FF1 has.
const ROUNDS: u8 = 10;

/// One digit or letter of a text.
#[derive(Clone, Copy)]
struct Wheel {
    /// Its place in the text, in characters.
    place: usize,
    /// The first character of its kind.
    first: char,
    /// How many characters there are of its kind.
    size: u16,
    /// Where it stands.
    at: u16,
}

/// The pseudonym of a text in a space of names.
pub fn kept(key: &[u8; 32], space: &str, text: &str) -> Result<String> {
    turned(key, space, text, true)
}

/// The text of a pseudonym.
pub fn undone(key: &[u8; 32], space: &str, pseudonym: &str) -> Result<String> {
    turned(key, space, pseudonym, false)
}

fn turned(key: &[u8; 32], space: &str, text: &str, forward: bool) -> Result<String> {
    let mut chars: Vec<char> = text.chars().collect();
    let mut wheels = Vec::new();
    for (place, c) in chars.iter().enumerate() {
        let (first, size) = match c {
            '0'..='9' => ('0', 10),
            'a'..='z' => ('a', 26),
            'A'..='Z' => ('A', 26),
            c if c.is_alphanumeric() => {
                return Err(Error::input(
                    "only texts with the letters A to Z and the digits 0 to 9 can keep their form",
                ));
            }
            _ => continue,
        };
        wheels.push(Wheel { place, first, size, at: (*c as u32 - first as u32) as u16 });
    }
    if wheels.is_empty() {
        return Err(Error::input("a text without letters and digits has no form to keep"));
    }
    // The form is a part of what turns the wheels: texts of different forms have nothing in common.
    let form: String = chars
        .iter()
        .map(|c| match c {
            '0'..='9' => '9',
            'a'..='z' => 'a',
            'A'..='Z' => 'A',
            other => *other,
        })
        .collect();
    let half = wheels.len() / 2;
    let rounds: Vec<u8> = match forward {
        true => (0..ROUNDS).collect(),
        false => (0..ROUNDS).rev().collect(),
    };
    for round in rounds {
        let (left, right) = wheels.split_at_mut(half);
        let (turned, by) = if round % 2 == 0 { (right, &*left) } else { (left, &*right) };
        let mut said = Vec::new();
        for part in [space, form.as_str()] {
            said.extend((part.len() as u64).to_be_bytes());
            said.extend(part.bytes());
        }
        said.push(round);
        said.extend(by.iter().map(|wheel| wheel.at as u8));
        let mut numbers = Stream::new(key, said);
        for wheel in turned {
            let turn = numbers.below(wheel.size);
            let turn = if forward { turn } else { wheel.size - turn };
            wheel.at = (wheel.at + turn) % wheel.size;
        }
    }
    for wheel in &wheels {
        let code = wheel.first as u32 + u32::from(wheel.at);
        chars[wheel.place] = char::from_u32(code).expect("an ASCII letter or digit");
    }
    Ok(chars.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_form_is_kept_and_the_key_undoes_it(text in "[0-9a-zA-Z .-]{0,24}", key: [u8; 32]) {
            match kept(&key, "id", &text) {
                Err(_) => prop_assert!(!text.chars().any(|c| c.is_alphanumeric())),
                Ok(pseudonym) => {
                    let kind = |c: char| match c {
                        c if c.is_ascii_digit() => '9',
                        c if c.is_ascii_lowercase() => 'a',
                        c if c.is_ascii_uppercase() => 'A',
                        c => c,
                    };
                    let form = |text: &str| text.chars().map(kind).collect::<String>();
                    prop_assert_eq!(form(&pseudonym), form(&text));
                    prop_assert_eq!(undone(&key, "id", &pseudonym).unwrap(), text);
                }
            }
        }
    }

    #[test]
    fn it_is_a_permutation_of_the_texts_of_a_form() {
        let key = [3; 32];
        for form in [1, 2, 3] {
            let n = 10_usize.pow(form);
            let mut seen = vec![false; n];
            for number in 0..n {
                let text = format!("{number:0width$}", width = form as usize);
                let found: usize = kept(&key, "id", &text).unwrap().parse().unwrap();
                assert!(!seen[found]);
                seen[found] = true;
            }
        }
        assert_ne!(kept(&key, "a", "1234-ABCD"), kept(&key, "b", "1234-ABCD"));
        assert!(kept(&key, "a", "José").is_err());
    }
}
