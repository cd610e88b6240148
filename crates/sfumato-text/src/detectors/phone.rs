//! Numbers of telephones, in the ways of several countries.

use sfumato_core::registry::Info;

use super::{Detector, Scan, Strength};
use crate::data::Span;

/// The detector `phone`, an entry of the registry.
pub struct Phone;

static INFO: Info = Info {
    name: "phone",
    summary: "telephone and fax numbers, in the ways of several countries",
    doc: "\
Digits in groups, with blanks, hyphens, dots or brackets between them, and an extension:

- with a plus or two zeros at the front, at least 8 digits;
- with a group in brackets, at least 7;
- three, three and four digits, as in North America;
- after or before a word such as phone, call or fax, at least 6, grouped or not;
- else 8 to 12 digits in three or more groups, unless these are those of a large number or a date.
",
    ..Info::DEFAULT
};

const BEFORE: [&str; 36] = [
    "phone",
    "phones",
    "telephone",
    "tel",
    "mobile",
    "cell",
    "cellphone",
    "fax",
    "desk",
    "call",
    "called",
    "calling",
    "dial",
    "ring",
    "text",
    "sms",
    "whatsapp",
    "contact",
    "reach",
    "reached",
    "registered",
    "answering",
    "messages",
    "pager",
    "hotline",
    "landline",
    "handy",
    "telefon",
    "telefono",
    "telefone",
    "gsm",
    "mob",
    "ph",
    "office",
    "telefax",
    "callback",
];
const AFTER: [&str; 8] = ["office", "fax", "mobile", "cell", "home", "desk", "work", "phone"];

/// A number as it was found.
struct Number {
    start: usize,
    end: usize,
    groups: Vec<usize>,
    has_plus: bool,
    has_brackets: bool,
    has_extension: bool,
}

/// Read a number that begins here: digits, and at most two signs between groups of them.
fn number_at(text: &str, start: usize) -> Number {
    let bytes = text.as_bytes();
    let mut number = Number {
        start,
        end: start,
        groups: Vec::new(),
        has_plus: bytes[start] == b'+',
        has_brackets: false,
        has_extension: false,
    };
    let mut at = start + usize::from(number.has_plus);
    let mut between = 0;
    let mut opened = None;
    let mut was_digit = false;
    while let Some(b) = bytes.get(at) {
        match b {
            b'0'..=b'9' => {
                match was_digit {
                    true => *number.groups.last_mut().expect("a digit came before") += 1,
                    false => number.groups.push(1),
                }
                (between, was_digit) = (0, true);
                // What ends within an open bracket ends before it.
                if opened.is_none() {
                    number.end = at + 1;
                }
            }
            b'(' if opened.is_none() && between < 2 && !number.has_brackets => {
                opened = Some(at);
                (between, was_digit) = (between + 1, false);
            }
            b')' if opened.is_some() && was_digit => {
                opened = None;
                number.has_brackets = true;
                (between, was_digit) = (1, false);
            }
            b' ' | b'-' | b'.' | b'/' if between < 2 && opened.is_none() => {
                (between, was_digit) = (between + 1, false);
            }
            _ => break,
        }
        at += 1;
    }
    extension(text, &mut number);
    number
}

/// An extension after a number: `x123`, ` ext. 123`.
fn extension(text: &str, number: &mut Number) {
    let rest = &text[number.end..];
    for word in [" extension ", " ext. ", " ext ", "ext", " x", "x"] {
        if let Some(after) = rest.strip_prefix(word) {
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            if (1..=6).contains(&digits) {
                number.end += word.len() + digits;
                number.has_extension = true;
                return;
            }
        }
    }
}

impl Number {
    fn is_phone(&self, scan: &Scan<'_>) -> bool {
        let digits: usize = self.groups.iter().sum();
        if !(6..=15).contains(&digits) || self.groups.len() > 7 {
            return false;
        }
        let written = &scan.text[self.start..self.end];
        let is_abroad = (self.has_plus || written.starts_with("00")) && digits >= 8;
        let is_american = self.groups.ends_with(&[3, 3, 4]) && digits <= 13;
        if is_abroad || (self.has_brackets && digits >= 7) || is_american || self.has_extension {
            return true;
        }
        let is_named = scan.is_after(self.start, 4, &BEFORE) || scan.is_before(self.end, 1, &AFTER);
        if is_named && !is_date(&self.groups, written) {
            return true;
        }
        // A large number has groups of three: 1 000 000.
        let is_large = self.groups[0] <= 3
            && self.groups[1..].iter().all(|n| *n == 3)
            && !written.starts_with('0');
        self.groups.len() >= 3
            && (8..=12).contains(&digits)
            && self.groups.iter().all(|n| (2..=4).contains(n))
            && !is_large
            && !is_date(&self.groups, written)
    }
}

/// Whether groups of digits may be a day, a month and a year.
fn is_date(groups: &[usize], written: &str) -> bool {
    let signs: Vec<u8> = written.bytes().filter(|b| !b.is_ascii_digit()).collect();
    let is_one_sign = matches!(signs[..], [one, other] if one == other && one != b' ');
    is_one_sign && matches!(groups, [4, 1..=2, 1..=2] | [1..=2, 1..=2, 4] | [1..=2, 1..=2, 2])
}

impl Detector for Phone {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self) -> &'static [&'static str] {
        &["PHONE_NUMBER"]
    }
    fn strength(&self) -> Strength {
        Strength::Pattern
    }
    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Span>) {
        let bytes = scan.text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let begins = bytes[at].is_ascii_digit()
                || (matches!(bytes[at], b'+' | b'(')
                    && bytes.get(at + 1).is_some_and(|b| b.is_ascii_digit() || *b == b'('));
            if !begins {
                at += 1;
                continue;
            }
            let number = number_at(scan.text, at);
            let touches = scan.text[..at].chars().next_back();
            let is_inside = touches.is_some_and(|c| c.is_alphanumeric() || "@#$€£_".contains(c));
            let goes_on = scan.text[number.end..].chars().next();
            let is_cut = goes_on.is_some_and(|c| c.is_alphanumeric() || c == '%');
            if number.end > at && !is_inside && !is_cut && number.is_phone(scan) {
                found.push(Span::new(at, number.end, "PHONE_NUMBER"));
            }
            at = number.end.max(at + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn numbers_of_several_countries() {
        for number in [
            "+41 (0)62 585 51 90",
            "(602)272-9781",
            "001-253-366-9781",
            "+1-903-140-4508x769",
            "930.167.3943",
            "0490 39 07 81",
            "71-33-52-22",
            "079 0442 1744",
            "03.93.92.16.85",
            "(64) 3591-3246",
            "+447700677662",
            "+447700 208 815",
            "212-555-0123 ext. 4",
        ] {
            check(&Phone, &format!("at [PHONE_NUMBER:{number}], then"));
        }
        check(&Phone, "call me on [PHONE_NUMBER:668 5702]? Fax: [PHONE_NUMBER:5403926876]");
        check(&Phone, "[PHONE_NUMBER:28-64-66-98] office\n[PHONE_NUMBER:3660170548]-Fax");
    }

    #[test]
    fn numbers_that_are_none() {
        for text in [
            "1 000 000 people",
            "on 12-05-1987",
            "in 1999",
            "120/80 mmHg",
            "668 5702",
            "$12.50",
            "12.5.1987 and 1987-05-12",
            "page 12-14",
            "id A12345678",
            "call by 12/05/1987",
        ] {
            check(&Phone, text);
        }
    }
}
