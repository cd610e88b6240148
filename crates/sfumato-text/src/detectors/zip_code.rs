//! Postal codes of several countries.

use sfumato_core::registry::Info;

use super::{Detector, Scan, Strength};
use crate::data::Span;

/// The detector `zip-code`, an entry of the registry.
pub struct ZipCode;

static INFO: Info = Info {
    name: "zip-code",
    summary: "postal codes: after a word that names them, after a state, or of the UK and Canada",
    doc: "\
- five digits, or five and four, after the two letters of a state of the US;
- codes of the United Kingdom and of Canada, whose letters and digits little else has;
- after a word such as zip or postcode: digits, with letters or a hyphen, of three to ten signs.
",
    ..Info::DEFAULT
};

const STATES: &str = " AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS \
    MO MT NE NV NH NJ NM NY NC ND OH OK OR PA PR RI SC SD TN TX UT VT VA WA WV WI WY AA AE AP ";
const CUES: [&str; 9] =
    ["zip", "zipcode", "postcode", "postal", "plz", "cap", "codice", "eircode", "pin"];

/// The shape of a word: `A` for a capital, `9` for a digit, `?` for anything else.
fn shape(text: &str) -> String {
    let sign = |b: u8| match b {
        b'0'..=b'9' => '9',
        b'A'..=b'Z' => 'A',
        _ => '?',
    };
    text.bytes().map(sign).collect()
}

impl Detector for ZipCode {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self) -> &'static [&'static str] {
        &["ZIP_CODE"]
    }
    fn strength(&self) -> Strength {
        Strength::Pattern
    }
    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Span>) {
        for (at, token) in scan.tokens.iter().enumerate() {
            let next = scan.tokens.get(at + 1);
            let one = shape(scan.written(at));
            let other = next.map(|_| shape(scan.written(at + 1))).unwrap_or_default();
            let gap = scan.gap(at);
            let is_british = matches!(&one[..], "A9" | "A99" | "AA9" | "AA99" | "A9A" | "AA9A")
                && other == "9AA";
            let is_canadian = one == "A9A" && other == "9A9";
            if let (true, " ", Some(next)) = (is_british || is_canadian, gap, next) {
                found.push(Span::new(token.start, next.end, "ZIP_CODE"));
                continue;
            }
            let has_digits = !one.is_empty() && one.bytes().all(|b| b == b'9');
            let is_after_state = at > 0
                && one == "99999"
                && matches!(scan.gap(at - 1), " " | ", ")
                && STATES.contains(&format!(" {} ", scan.written(at - 1)));
            let is_named =
                has_digits && (3..=7).contains(&one.len()) && scan.is_after(token.start, 4, &CUES);
            if !is_after_state && !is_named {
                continue;
            }
            // Five and four digits, two and three, or digits and letters.
            let is_pair = match (gap, next) {
                ("-", Some(_)) => (2..=4).contains(&other.len()) && !other.contains(['A', '?']),
                (" ", Some(_)) => is_named && (other == "AA" || (one == "999" && other == "99")),
                _ => false,
            };
            let end = match next {
                Some(next) if is_pair => next.end,
                _ => token.end,
            };
            found.push(Span::new(token.start, end, "ZIP_CODE"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn codes_of_several_countries() {
        check(
            &ZipCode,
            "Boston, MA [ZIP_CODE:02139-4307] and [ZIP_CODE:SW1A 1AA], [ZIP_CODE:B0J 2H0]",
        );
        check(
            &ZipCode,
            "My zip code is [ZIP_CODE:880]; ZIP: [ZIP_CODE:7412 SL]; PLZ [ZIP_CODE:80331]",
        );
        check(&ZipCode, "12345 people, OK 12 of 12345, A9 road");
    }
}
