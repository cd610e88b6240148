//! Identification numbers of vehicles, by their check digit.

use sfumato_core::registry::Info;

use super::{Detector, Scan, Strength};
use crate::data::Span;

/// The detector `vehicle`, an entry of the registry.
pub struct Vehicle;

static INFO: Info = Info {
    name: "vehicle",
    summary: "identification numbers of vehicles: 17 signs with a check digit",
    doc: "17 capitals and digits without I, O and Q, whose ninth is the check digit of North \
          America, or which stand after a word such as VIN.",
    ..Info::DEFAULT
};

/// Whether the ninth sign is the check digit of the others.
fn is_checked(text: &[u8]) -> bool {
    const WEIGHTS: [u32; 17] = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
    let value = |b: u8| match b {
        b'0'..=b'9' => u32::from(b - b'0'),
        b'A'..=b'H' => u32::from(b - b'A') + 1,
        b'J'..=b'R' => u32::from(b - b'J') + 1,
        _ => u32::from(b - b'S') + 2,
    };
    let sum: u32 = text.iter().zip(WEIGHTS).map(|(b, weight)| value(*b) * weight).sum();
    let sign = if sum % 11 == 10 { b'X' } else { b'0' + (sum % 11) as u8 };
    text[8] == sign
}

impl Detector for Vehicle {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self) -> &'static [&'static str] {
        &["VEHICLE_ID"]
    }
    fn strength(&self) -> Strength {
        Strength::Certain
    }
    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Span>) {
        for (at, token) in scan.tokens.iter().enumerate() {
            let sign =
                |b: &u8| b.is_ascii_digit() || (b.is_ascii_uppercase() && !b"IOQ".contains(b));
            let text = scan.written(at).as_bytes();
            let is_written = text.len() == 17
                && text.iter().all(sign)
                && text.iter().any(u8::is_ascii_digit)
                && text.iter().any(u8::is_ascii_uppercase);
            let cues = ["vin", "vehicle", "chassis"];
            if is_written && (is_checked(text) || scan.is_after(token.start, 4, &cues)) {
                found.push(Span::new(token.start, token.end, "VEHICLE_ID"));
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
        check(&Vehicle, "car [VEHICLE_ID:1M8GDM9AXKP042788], not 1M8GDM9AXKP042789");
        check(&Vehicle, "VIN: [VEHICLE_ID:1M8GDM9AXKP042789]");
    }
}
