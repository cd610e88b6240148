//! Social security numbers of the United States.

use sfumato_core::registry::Info;

use super::scan::grouped;
use super::{Detector, Scan, Strength};
use crate::data::Span;

/// The detector `us-ssn`, an entry of the registry.
pub struct UsSsn;

static INFO: Info = Info {
    name: "us-ssn",
    summary: "social security numbers: three, two and four digits",
    doc: "Three, two and four digits with hyphens between them, none of the numbers that were \
          never given out. With blanks, dots or in one piece after a word such as SSN.",
    ..Info::DEFAULT
};

const CUES: [&str; 5] = ["ssn", "social", "security", "ss", "soc"];

impl Detector for UsSsn {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self) -> &'static [&'static str] {
        &["US_SSN"]
    }
    fn strength(&self) -> Strength {
        Strength::Certain
    }
    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Span>) {
        for one in grouped(scan.text, b" -.") {
            if one.digits.len() != 9 {
                continue;
            }
            let number = one.digits.iter().fold(0u32, |n, digit| n * 10 + u32::from(*digit));
            let (area, group, serial) =
                (number / 1_000_000, number / 10_000 % 100, number % 10_000);
            let is_given = area > 0 && area != 666 && area < 900 && group > 0 && serial > 0;
            let written = &scan.text[one.start..one.end];
            let is_grouped = one.groups == [3, 2, 4] && written.matches('-').count() == 2;
            let is_named = (one.groups == [3, 2, 4] || one.groups == [9])
                && scan.is_after(one.start, 5, &CUES);
            if is_given && (is_grouped || is_named) {
                found.push(Span::new(one.start, one.end, "US_SSN"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn numbers_that_were_given_out() {
        check(&UsSsn, "[US_SSN:849-66-3189], 000-12-3456, 666-12-3456, 900-12-3456, 123-45-67890");
        check(&UsSsn, "123 45 6789 is one only if the SSN is [US_SSN:123 45 6789]");
        check(&UsSsn, "social security number [US_SSN:123456789]");
    }
}
