//! Numbers of records, accounts, licenses and devices, after the words that name them.

use sfumato_core::registry::Info;

use super::{Detector, Scan, Strength};
use crate::data::Span;

/// The detector `record-number`, an entry of the registry.
pub struct RecordNumber;

static INFO: Info = Info {
    name: "record-number",
    summary: "numbers of medical records, accounts, health plans, licenses, passports and devices",
    doc: "A word of letters and digits, or groups of digits, that follows a word which says what \
          number it is: MRN, account, policy, license, passport, serial number. Without such a \
          word a number says nothing, and isn't found.",
    ..Info::DEFAULT
};

/// The words that name a number, one after the other, and the class of the number.
const NAMES: &[(&[&str], &str)] = &[
    (&["driver", "s", "license"], "US_DRIVER_LICENSE"),
    (&["driver", "s", "licence"], "US_DRIVER_LICENSE"),
    (&["drivers", "license"], "US_DRIVER_LICENSE"),
    (&["drivers", "licence"], "US_DRIVER_LICENSE"),
    (&["driver", "license"], "US_DRIVER_LICENSE"),
    (&["driving", "licence"], "US_DRIVER_LICENSE"),
    (&["driving", "license"], "US_DRIVER_LICENSE"),
    (&["medical", "record"], "MEDICAL_RECORD_NUMBER"),
    (&["mrn"], "MEDICAL_RECORD_NUMBER"),
    (&["patient", "id"], "MEDICAL_RECORD_NUMBER"),
    (&["patient", "number"], "MEDICAL_RECORD_NUMBER"),
    (&["record", "number"], "MEDICAL_RECORD_NUMBER"),
    (&["record", "no"], "MEDICAL_RECORD_NUMBER"),
    (&["chart", "number"], "MEDICAL_RECORD_NUMBER"),
    (&["case", "number"], "MEDICAL_RECORD_NUMBER"),
    (&["case", "no"], "MEDICAL_RECORD_NUMBER"),
    (&["nhs", "number"], "MEDICAL_RECORD_NUMBER"),
    (&["health", "plan"], "HEALTH_PLAN_NUMBER"),
    (&["insurance", "id"], "HEALTH_PLAN_NUMBER"),
    (&["insurance", "number"], "HEALTH_PLAN_NUMBER"),
    (&["member", "id"], "HEALTH_PLAN_NUMBER"),
    (&["policy", "number"], "HEALTH_PLAN_NUMBER"),
    (&["policy", "no"], "HEALTH_PLAN_NUMBER"),
    (&["medicare"], "HEALTH_PLAN_NUMBER"),
    (&["account", "number"], "ACCOUNT_NUMBER"),
    (&["account", "no"], "ACCOUNT_NUMBER"),
    (&["account", "id"], "ACCOUNT_NUMBER"),
    (&["account"], "ACCOUNT_NUMBER"),
    (&["acct"], "ACCOUNT_NUMBER"),
    (&["customer", "number"], "ACCOUNT_NUMBER"),
    (&["routing", "number"], "ACCOUNT_NUMBER"),
    (&["passport", "number"], "PASSPORT_NUMBER"),
    (&["passport", "no"], "PASSPORT_NUMBER"),
    (&["passport"], "PASSPORT_NUMBER"),
    (&["certificate", "number"], "LICENSE_NUMBER"),
    (&["license", "number"], "LICENSE_NUMBER"),
    (&["licence", "number"], "LICENSE_NUMBER"),
    (&["npi"], "LICENSE_NUMBER"),
    (&["dea", "number"], "LICENSE_NUMBER"),
    (&["license", "plate"], "VEHICLE_ID"),
    (&["number", "plate"], "VEHICLE_ID"),
    (&["serial", "number"], "DEVICE_ID"),
    (&["serial", "no"], "DEVICE_ID"),
    (&["device", "id"], "DEVICE_ID"),
    (&["imei"], "DEVICE_ID"),
    (&["tax", "id"], "TAX_NUMBER"),
    (&["tax", "number"], "TAX_NUMBER"),
    (&["national", "insurance"], "TAX_NUMBER"),
];

/// Words that may stand between the name of a number and the number.
const FILLERS: [&str; 10] = ["number", "no", "nr", "num", "id", "is", "was", "of", "the", "s"];

impl Detector for RecordNumber {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self) -> &'static [&'static str] {
        &[
            "MEDICAL_RECORD_NUMBER",
            "HEALTH_PLAN_NUMBER",
            "ACCOUNT_NUMBER",
            "PASSPORT_NUMBER",
            "LICENSE_NUMBER",
            "US_DRIVER_LICENSE",
            "VEHICLE_ID",
            "DEVICE_ID",
            "TAX_NUMBER",
        ]
    }
    fn strength(&self) -> Strength {
        Strength::Certain
    }
    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Span>) {
        let mut at = 0;
        while at < scan.words.len() {
            let is_here = |(name, _): &&(&[&str], &str)| {
                name.iter()
                    .enumerate()
                    .all(|(n, word)| scan.words.get(at + n).is_some_and(|found| found == word))
            };
            let Some((name, class)) = NAMES.iter().find(is_here) else {
                at += 1;
                continue;
            };
            let mut next = at + name.len();
            while scan.words.get(next).is_some_and(|word| FILLERS.contains(&word.as_str())) {
                next += 1;
            }
            at += name.len();
            if let Some(end) = number_at(scan, next) {
                found.push(Span::new(scan.tokens[next].start, end, *class));
                at = next + 1;
            }
        }
    }
}

/// The end of a number that begins with a word: it has a digit and at least four signs, in one word
/// or in several with hyphens between them.
fn number_at(scan: &Scan<'_>, first: usize) -> Option<usize> {
    let start = scan.tokens.get(first)?.start;
    let is_part = |at: usize| {
        let written = scan.written(at);
        written.bytes().all(|b| b.is_ascii_alphanumeric())
            && (written.bytes().any(|b| b.is_ascii_digit()) || written.len() <= 3)
    };
    let mut last = first;
    if !is_part(first) {
        return None;
    }
    while matches!(scan.gap(last), "-" | "/" | ".")
        && last + 1 < scan.tokens.len()
        && is_part(last + 1)
    {
        last += 1;
    }
    let end = scan.tokens[last].end;
    let written = &scan.text[start..end];
    let digits = written.bytes().filter(u8::is_ascii_digit).count();
    let signs = written.bytes().filter(u8::is_ascii_alphanumeric).count();
    (digits >= 2 && signs >= 4).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn a_number_is_what_its_name_says() {
        check(&RecordNumber, "MRN: [MEDICAL_RECORD_NUMBER:00482-19], seen in room 1234");
        check(&RecordNumber, "my driver's license number is [US_DRIVER_LICENSE:2270-66-1551]");
        check(
            &RecordNumber,
            "Account no. [ACCOUNT_NUMBER:AB12345]. Passport is [PASSPORT_NUMBER:C01X00T47]",
        );
        check(&RecordNumber, "the account was closed in May, the passport too");
    }
}
