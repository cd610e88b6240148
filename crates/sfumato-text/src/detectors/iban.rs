//! Numbers of bank accounts, by their check digits.

use sfumato_core::registry::Info;

use super::{Detector, Scan, Strength};
use crate::data::Span;

/// The detector `iban`, an entry of the registry.
pub struct Iban;

static INFO: Info = Info {
    name: "iban",
    summary: "international bank account numbers, by their check digits",
    doc: "Two letters, two check digits and 11 to 30 letters or digits, in one piece or in groups \
          of four, whose remainder by 97 is 1.",
    ..Info::DEFAULT
};

/// Whether the check digits are right.
pub fn is_checked(text: &str) -> bool {
    let packed: Vec<u8> = text.bytes().filter(|b| *b != b' ').collect();
    if !(15..=34).contains(&packed.len()) {
        return false;
    }
    let (head, body) = packed.split_at(4);
    let is_head =
        head[..2].iter().all(u8::is_ascii_alphabetic) && head[2..].iter().all(u8::is_ascii_digit);
    let mut rest = 0u32;
    for b in body.iter().chain(head) {
        rest = match b {
            b'0'..=b'9' => rest * 10 + u32::from(b - b'0'),
            b'a'..=b'z' | b'A'..=b'Z' => rest * 100 + u32::from(b.to_ascii_uppercase() - b'A') + 10,
            _ => return false,
        } % 97;
    }
    is_head && rest == 1
}

impl Detector for Iban {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self) -> &'static [&'static str] {
        &["IBAN_CODE"]
    }
    fn strength(&self) -> Strength {
        Strength::Certain
    }
    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Span>) {
        let mut at = 0;
        while at < scan.tokens.len() {
            let first = scan.written(at).as_bytes();
            let is_head = first.len() >= 4
                && first[..2].iter().all(u8::is_ascii_alphabetic)
                && first[2..4].iter().all(u8::is_ascii_digit);
            // In one piece, or in groups of four of which the last may be shorter.
            let mut last = at;
            let mut best = None;
            while is_head && last < scan.tokens.len() && last < at + 9 {
                let (start, end) = (scan.tokens[at].start, scan.tokens[last].end);
                if is_checked(&scan.text[start..end]) {
                    best = Some((end, last));
                }
                if scan.written(last).len() != 4 || scan.gap(last) != " " {
                    break;
                }
                last += 1;
            }
            if let Some((end, last)) = best {
                found.push(Span::new(scan.tokens[at].start, end, "IBAN_CODE"));
                at = last;
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn the_check_digits_decide() {
        check(
            &Iban,
            "to [IBAN_CODE:DE89 3704 0044 0532 0130 00] or [IBAN_CODE:gb82west12345698765432]",
        );
        check(&Iban, "not DE88370400440532013000, nor DE89");
    }
}
