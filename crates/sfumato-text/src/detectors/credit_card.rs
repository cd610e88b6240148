//! Numbers of payment cards, by their check digit.

use sfumato_core::registry::Info;

use super::scan::grouped;
use super::{Detector, Scan, Strength};
use crate::data::Span;

/// The detector `credit-card`, an entry of the registry.
pub struct CreditCard;

static INFO: Info = Info {
    name: "credit-card",
    summary: "numbers of payment cards: 12 to 19 digits with the check digit of Luhn",
    doc: "12 to 19 digits in one piece, or in groups with blanks or hyphens between them, whose \
          check digit is right. One in ten numbers of that length has a right one by chance: a \
          number in one piece that begins with none of the digits that cards begin with is \
          taken only after a word such as card.",
    ..Info::DEFAULT
};

/// Whether the last digit is the check digit of the others.
pub fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| match (at % 2, u32::from(*digit)) {
            (0, digit) => digit,
            (_, digit) => digit * 2 / 10 + digit * 2 % 10,
        })
        .sum();
    sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != 0)
}

impl Detector for CreditCard {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self) -> &'static [&'static str] {
        &["CREDIT_CARD"]
    }
    fn strength(&self) -> Strength {
        Strength::Certain
    }
    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Span>) {
        for one in grouped(scan.text, b" -") {
            let is_long = (12..=19).contains(&one.digits.len());
            let is_grouped = one.groups.len() == 1
                || (one.groups.len() <= 5 && one.groups.iter().all(|n| (3..=7).contains(n)));
            if !is_long || !is_grouped || !luhn(&one.digits) {
                continue;
            }
            let cues = ["card", "cards", "visa", "mastercard", "amex", "credit", "debit", "number"];
            let begins_well = matches!(one.digits[..2], [2..=6, _] | [1, 8]);
            // A plus begins a telephone number, whatever its last digit.
            if scan.text[..one.start].ends_with('+') {
                continue;
            }
            if begins_well || scan.is_after(one.start, 4, &cues) {
                found.push(Span::new(one.start, one.end, "CREDIT_CARD"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn the_check_digit_decides() {
        check(&CreditCard, "card [CREDIT_CARD:4111 1111 1111 1111], not 4111 1111 1111 1112");
        check(&CreditCard, "[CREDIT_CARD:378282246310005] x4111111111111111 0000000000000000");
        check(&CreditCard, "+447700208815");
        check(
            &CreditCard,
            "card [CREDIT_CARD:060400000000], and in another sentence id 060400000000",
        );
        assert!(luhn(&[7, 9, 9, 2, 7, 3, 9, 8, 7, 1, 3]));
    }
}
