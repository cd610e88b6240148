//! Ranges of numbers as texts.

/// The range in which a number lies: `[20, 25)` for 23 and width 5. Bounds are multiples of the
/// width, rounded to its decimals, and a number lies within the bounds that are printed.
pub(crate) fn label(text: &str, width: f64) -> Result<String, &'static str> {
    let number: f64 =
        text.trim().parse().map_err(|_| "a cell is no number, so it is in no range")?;
    let place = (number / width).floor();
    // Beyond this not every multiple is a number.
    if place.is_nan() || place.abs() >= 9e15 {
        return Err("a number is too large for a range of this width");
    }
    let decimals = decimals(width);
    let bound = |place: f64| format!("{:.decimals$}", zero(place * width));
    let value = |place: f64| bound(place).parse::<f64>().unwrap_or(number);
    // Division and multiplication round: what counts is where the number lies among the printed
    // bounds.
    let mut place = place;
    if number < value(place) {
        place -= 1.0;
    } else if number >= value(place + 1.0) {
        place += 1.0;
    }
    Ok(format!("[{}, {})", bound(place), bound(place + 1.0)))
}

/// The number with a positive sign if it is zero.
fn zero(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { number }
}

/// How many decimals a number has in its shortest representation.
fn decimals(number: f64) -> usize {
    number.to_string().split_once('.').map_or(0, |(_, decimals)| decimals.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ranges() {
        let of = |text: &str, width| label(text, width).unwrap();
        assert_eq!(of("23", 5.0), "[20, 25)");
        assert_eq!(of("25", 5.0), "[25, 30)");
        assert_eq!(of("-1", 5.0), "[-5, 0)");
        assert_eq!(of("-0.0", 5.0), "[0, 5)");
        assert_eq!(of(" 0.3 ", 0.1), "[0.3, 0.4)");
        assert_eq!(of("1e3", 2.5), "[1000.0, 1002.5)");
        for text in ["", "x", "NaN", "inf", "1e300"] {
            assert!(label(text, 5.0).is_err(), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn a_number_lies_within_its_bounds(number in -1e6f64..1e6, tenths in 1u32..200) {
            let width = f64::from(tenths) / 10.0;
            let label = label(&number.to_string(), width).unwrap();
            let (low, high) = label[1..label.len() - 1].split_once(", ").unwrap();
            let (low, high): (f64, f64) = (low.parse().unwrap(), high.parse().unwrap());
            prop_assert!(low <= number && number < high, "{} {}", number, label);
        }
    }
}
