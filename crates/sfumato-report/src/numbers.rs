//! Numbers for people: `1,234,567`, `12.3 MiB`, `1.24 s`, `3.1 %`.
//!
//! Rounding never turns a small risk into zero or a large share into 100 %.

/// A count with its noun, which takes an s unless there is one: `1 record`, `1,200 records`.
pub fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}

/// A count with its noun, given as one of several: `1 query`, `1,200 queries`.
pub fn several(n: u64, nouns: &str) -> String {
    let one = || match nouns.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => nouns.strip_suffix('s').unwrap_or(nouns).to_string(),
    };
    format!("{} {}", count(n), if n == 1 { one() } else { nouns.into() })
}

/// A count with thousands separated by commas.
pub fn count(value: u64) -> String {
    group(&value.to_string())
}

/// A share from 0 to 1 as a percentage.
pub fn percent(share: f64) -> String {
    if !share.is_finite() {
        return "not known".into();
    }
    let percent = share * 100.0;
    match percent {
        p if p > 0.0 && p < 0.01 => "< 0.01 %".into(),
        p if p > 0.0 && p < 0.095 => format!("{p:.2} %"),
        p if p > 99.94 && p < 100.0 => "> 99.9 %".into(),
        p => format!("{} %", format!("{p:.1}").trim_end_matches(".0")),
    }
}

/// A size in binary units.
pub fn bytes(value: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if value < 1024 {
        return format!("{value} B");
    }
    let mut scaled = value as f64 / 1024.0;
    let mut unit = 0;
    // 1023.95 would be printed as 1024.0 of the smaller unit.
    while scaled >= 1023.95 && unit + 1 < UNITS.len() {
        scaled /= 1024.0;
        unit += 1;
    }
    format!("{scaled:.1} {}", UNITS[unit])
}

/// A span of time given in milliseconds.
pub fn duration(ms: f64) -> String {
    if !ms.is_finite() || ms < 0.0 {
        return "not known".into();
    }
    match ms {
        0.0 => "0 ms".into(),
        t if t < 0.1 => "< 0.1 ms".into(),
        t if t < 9.95 => format!("{t:.1} ms"),
        t if t < 999.5 => format!("{t:.0} ms"),
        t if t < 9_995.0 => format!("{:.2} s", t / 1e3),
        t if t < 59_950.0 => format!("{:.1} s", t / 1e3),
        t => {
            let seconds = (t / 1e3).round() as u64;
            match (seconds / 3600, seconds % 3600 / 60, seconds % 60) {
                (0, minutes, rest) => format!("{minutes} min {rest} s"),
                (hours, minutes, _) => format!("{} h {minutes} min", count(hours)),
            }
        }
    }
}

/// Any other quantity: whole numbers as they are, others with four significant digits.
pub fn quantity(value: f64) -> String {
    if !value.is_finite() {
        return "not known".into();
    }
    let size = value.abs();
    if size >= 1e15 || (size > 0.0 && size < 1e-4) {
        return format!("{value:.3e}");
    }
    if value.fract() == 0.0 || size >= 999.95 {
        return group(&format!("{value:.0}"));
    }
    let decimals = match size {
        s if s >= 99.995 => 1,
        s if s >= 9.9995 => 2,
        s if s >= 0.99995 => 3,
        _ => 4,
    };
    let text = format!("{value:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Insert commas between groups of three digits. A leading sign stays.
fn group(digits: &str) -> String {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", digits),
    };
    let mut out = String::from(sign);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn percentages_never_round_a_risk_away() {
        let shares = [0.0, 0.00001, 0.0005, 0.031, 0.07, 0.9999999, 1.0, 0.23456];
        let words = ["0 %", "< 0.01 %", "0.05 %", "3.1 %", "7 %", "> 99.9 %", "100 %", "23.5 %"];
        assert_eq!(shares.map(percent), words);
        assert_eq!(percent(f64::NAN), "not known");
    }

    #[test]
    fn sizes() {
        let sizes = [0, 1023, 1024, 1_048_575, 12_897_485, u64::MAX];
        assert_eq!(
            sizes.map(bytes),
            ["0 B", "1023 B", "1.0 KiB", "1.0 MiB", "12.3 MiB", "16.0 EiB"]
        );
    }

    #[test]
    fn times() {
        let times =
            [0.0, 0.04, 3.12, 12.4, 999.7, 1_240.0, 12_340.0, 59_960.0, 125_000.0, 7_320_000.0];
        let words = [
            "0 ms",
            "< 0.1 ms",
            "3.1 ms",
            "12 ms",
            "1.00 s",
            "1.24 s",
            "12.3 s",
            "1 min 0 s",
            "2 min 5 s",
            "2 h 2 min",
        ];
        assert_eq!(times.map(duration), words);
        assert_eq!(duration(-1.0), "not known");
    }

    #[test]
    fn quantities() {
        let values = [0.0, 10.0, 2.5, 0.23456, 24.449, 123.45, 1234.5, -1234567.0, 0.00002, 2e18];
        let words = [
            "0",
            "10",
            "2.5",
            "0.2346",
            "24.45",
            "123.5",
            "1,234",
            "-1,234,567",
            "2.000e-5",
            "2.000e18",
        ];
        assert_eq!(values.map(quantity), words);
        assert_eq!(quantity(f64::INFINITY), "not known");
    }
}
