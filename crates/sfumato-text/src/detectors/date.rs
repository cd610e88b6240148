//! Dates and times of day.

use sfumato_core::registry::Info;

use super::{Detector, Scan, Strength};
use crate::data::Span;

/// The detector `date`, an entry of the registry.
pub struct Date;

static INFO: Info = Info {
    name: "date",
    summary: "dates with a day or a month, with the time of day where it follows",
    doc: "\
- numbers: 1987-05-12, 12.5.1987, 5/12/87, and a time of day after these;
- a month by its name with a day or a year: 12 May 1987, May 12th, May 1987.

Years alone aren't found: they are allowed by Safe Harbor. The tagger may find them.
",
    ..Info::DEFAULT
};

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Whether a word is the name of a month, in full or with three or four letters.
fn is_month(word: &str) -> bool {
    let is_short = |month: &&str| {
        *month == word || (word.len() == 3 && month.starts_with(word)) || word == "sept"
    };
    MONTHS.iter().any(is_short)
}

/// A number within bounds, of so many digits at most.
fn within(text: &str, least: u32, most: u32) -> bool {
    let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    is_number && text.len() <= 4 && text.parse::<u32>().is_ok_and(|n| (least..=most).contains(&n))
}

fn is_year(text: &str) -> bool {
    (text.len() == 4 && within(text, 1800, 2199)) || (text.len() == 2 && within(text, 0, 99))
}

impl Detector for Date {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self) -> &'static [&'static str] {
        &["DATE_TIME"]
    }
    fn strength(&self) -> Strength {
        Strength::Pattern
    }
    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Span>) {
        let mut at = 0;
        while at < scan.tokens.len() {
            match numbers(scan, at).or_else(|| names(scan, at)) {
                None => at += 1,
                Some(last) => {
                    let last = with_time(scan, last);
                    let (start, end) = (scan.tokens[at].start, scan.tokens[last].end);
                    found.push(Span::new(start, end, "DATE_TIME"));
                    at = last + 1;
                }
            }
        }
    }
}

/// The last word of a date of three numbers.
fn numbers(scan: &Scan<'_>, at: usize) -> Option<usize> {
    if at + 2 >= scan.tokens.len() {
        return None;
    }
    let (sign, other) = (scan.gap(at), scan.gap(at + 1));
    let is_sign = matches!(sign, "-" | "/" | ".") && sign == other;
    let touches = scan.text[..scan.tokens[at].start].ends_with(['-', '/', '.', '$']);
    let goes_on = scan.gap(at + 2).starts_with(['-', '/']) && scan.gap(at + 2).len() == 1;
    // ISO 8601 has a T between the date and the time, which belongs to the last word.
    let third = scan.written(at + 2);
    let third = third.split_once('T').map_or(third, |(date, _)| date);
    let parts = [scan.written(at), scan.written(at + 1), third];
    let is_iso = parts[0].len() == 4
        && is_year(parts[0])
        && within(parts[1], 1, 12)
        && within(parts[2], 1, 31);
    let is_short = |text: &str| text.len() <= 2 && within(text, 1, 31);
    let has_month = within(parts[0], 1, 12) || within(parts[1], 1, 12);
    let is_usual = is_short(parts[0]) && is_short(parts[1]) && has_month && is_year(parts[2]);
    (is_sign && !touches && !goes_on && (is_iso || is_usual)).then_some(at + 2)
}

/// The last word of a date with the name of a month.
fn names(scan: &Scan<'_>, at: usize) -> Option<usize> {
    let word = |n: usize| scan.words.get(n).map(String::as_str).unwrap_or_default();
    let is_day = |n: usize| {
        let is_ending = |c: char| "stndrh".contains(c);
        let text = word(n).trim_end_matches(is_ending);
        text.len() <= 2 && within(text, 1, 31)
    };
    let is_full_year = |n: usize| word(n).len() == 4 && is_year(word(n));
    let is_near = |n: usize| scan.gap(n).trim_matches([' ', ',', '.', '-']).is_empty();
    let is_name = |n: usize| is_month(word(n)) && (scan.is_capital(n) || word(n).len() > 3);
    // A day before the month: 12 May, the 12th of May.
    if is_day(at) {
        let month = if word(at + 1) == "of" { at + 2 } else { at + 1 };
        if month < scan.tokens.len() && is_near(at) && is_name(month) {
            let has_year = is_near(month) && is_full_year(month + 1);
            return Some(if has_year { month + 1 } else { month });
        }
    }
    if is_name(at) && is_near(at) {
        if is_day(at + 1) {
            let has_year = is_near(at + 1) && is_full_year(at + 2);
            return Some(if has_year { at + 2 } else { at + 1 });
        }
        return is_full_year(at + 1).then_some(at + 1);
    }
    None
}

/// The last word of a time of day that follows a date, or that of the date.
fn with_time(scan: &Scan<'_>, last: usize) -> usize {
    let part = |n: usize, most: u32| {
        scan.tokens
            .get(n)
            .is_some_and(|_| scan.written(n).len() <= 2 && within(scan.written(n), 0, most))
    };
    let has_t = scan.written(last).contains('T') && last + 1 < scan.tokens.len();
    let first = if has_t { last } else { last + 1 };
    let is_first = has_t || (matches!(scan.gap(last), " " | ", ") && part(first, 23));
    if !is_first || first + 1 >= scan.tokens.len() || scan.gap(first) != ":" || !part(first + 1, 59)
    {
        return last;
    }
    match first + 2 < scan.tokens.len() && scan.gap(first + 1) == ":" && part(first + 2, 60) {
        true => first + 2,
        false => first + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn dates_in_many_ways() {
        for date in [
            "1978-07-13 07:00:28",
            "10/5/1971",
            "12.5.87",
            "12 May 1987",
            "May 12th, 1987",
            "Sept 2001",
            "2001-02-03T04:05:06",
            "3rd of May",
            "Jan. 5",
        ] {
            check(&Date, &format!("on [DATE_TIME:{date}], he"));
        }
        for text in ["in 1987", "he may 2 times", "1.2.3.4", "13/13/2001", "3-4 times", "v1.2.3"] {
            check(&Date, text);
        }
    }
}
