//! Ages of people.

use sfumato_core::registry::Info;

use super::{Detector, Scan, Strength};
use crate::data::Span;

/// The detector `age`, an entry of the registry.
pub struct Age;

static INFO: Info = Info {
    name: "age",
    summary: "ages: a number up to 125 with words that make it one",
    doc: "A number before words such as years old, y/o or -year-old, or after words such as aged, \
          age of, turned or I'm. Only the number is found.",
    ..Info::DEFAULT
};

impl Detector for Age {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self) -> &'static [&'static str] {
        &["AGE"]
    }
    fn strength(&self) -> Strength {
        Strength::Pattern
    }
    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Span>) {
        for (at, token) in scan.tokens.iter().enumerate() {
            let is_number = scan.words[at].parse::<u32>().is_ok_and(|n| n <= 125);
            // Part of a larger number, of a sum or of a time.
            let is_sign = |c: char| ".,/:$€£".contains(c);
            let before = scan.text[..token.start].chars().next_back().is_some_and(is_sign);
            let mut after = scan.text[token.end..].chars();
            let goes_on = after.next().is_some_and(is_sign)
                && after.next().is_some_and(|c| c.is_ascii_digit());
            let is_part = before || goes_on;
            if is_number && !is_part && (is_before_years(scan, at) || is_after_words(scan, at)) {
                found.push(Span::new(token.start, token.end, "AGE"));
            }
        }
    }
}

/// Whether words for years of life follow.
fn is_before_years(scan: &Scan<'_>, at: usize) -> bool {
    let next = |n: usize| scan.words.get(at + n).map(String::as_str).unwrap_or_default();
    matches!(
        (next(1), next(2), next(3)),
        ("year" | "years" | "yr" | "yrs" | "month" | "months", "old", _)
            | ("year" | "years" | "yrs", "of", "age")
            | ("y", "o", _)
            | ("yo" | "yo." | "ans" | "anos" | "jahre" | "jaar" | "anni", _, _)
    )
}

/// Whether words that an age follows come before.
fn is_after_words(scan: &Scan<'_>, at: usize) -> bool {
    let word = |n: usize| match at.checked_sub(n) {
        Some(place) => scan.words[place].as_str(),
        None => "",
    };
    let is_end = at + 1 == scan.tokens.len()
        || scan.gap(at).starts_with(['.', ',', ';', '!', '?', '\n', ')']);
    match (word(3), word(2), word(1)) {
        (_, _, "age" | "aged" | "ages" | "turned" | "turning") => true,
        (_, "age", "of" | "is" | "was") => true,
        ("i", "ll", "turn") | (_, "will", "turn") => true,
        // Nothing but the end of the sentence follows: I'm 42.
        ("i" | "he" | "she", "m" | "s", "just") => is_end,
        (_, "i", "m") | (_, "he" | "she", "is" | "s") => is_end,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn ages_and_other_numbers() {
        check(&Age, "a [AGE:62]-year-old male, [AGE:82] y/o, aged [AGE:7], at the age of [AGE:45]");
        check(&Age, "I just turned [AGE:42]. I'm [AGE:30]. He's 5 feet tall, age 130, aged 4.5");
        check(&Age, "for 20 years, 12 months, room 42");
    }
}
