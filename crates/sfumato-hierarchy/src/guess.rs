//! Guesses which builder fits a column. A guess is a proposal that a person must read; it is never
//! applied without that.

use sfumato_core::dataset::{Domain, ValueKind};
use sfumato_core::registry::{Argument, Call};

use crate::exact::format_at;

/// Numbers with a smaller range need no intervals.
const SMALL_RANGE: i128 = 20;
/// Fewer distinct codes than this aren't worth masking.
const FEW_CODES: usize = 20;
const DAY: i128 = 86_400_000_000;

/// Names of columns whose numbers are codes, in a few languages.
const CODE_NAMES: [&str; 7] =
    ["zip", "postal", "postcode", "postleitzahl", "plz", "fips", "codigo"];

/// The builder with its parameters that fits a column, and the reason in a sentence. `None` if a
/// flat hierarchy, or one that only a person can write, is best.
pub fn guess(name: &str, domain: &Domain, counts: &[u64]) -> Option<(Call, String)> {
    if domain.len() < 2 {
        return None;
    }
    codes(name, domain).or_else(|| match domain.kind {
        ValueKind::Date | ValueKind::DateTime => calendar(domain),
        ValueKind::Time => Some((
            call("interval", &[("width", "3600"), ("levels", "2"), ("factor", "6")]),
            "times of day go to the hour and then to the quarter of the day".to_string(),
        )),
        ValueKind::Integer => numbers(domain, counts, 0),
        ValueKind::Decimal { scale } => numbers(domain, counts, scale),
        ValueKind::Float => floats(domain),
        ValueKind::Text => None,
    })
}

fn call(name: &str, args: &[(&str, &str)]) -> Call {
    let word = |(name, value): &(&str, &str)| (name.to_string(), Argument::Word(value.to_string()));
    Call { name: name.to_string(), args: args.iter().map(word).collect() }
}

fn codes(name: &str, domain: &Domain) -> Option<(Call, String)> {
    let length = domain.label(0).len();
    let alike = |text: &str| {
        text.len() == length
            && text.bytes().all(|b| b.is_ascii_alphanumeric())
            && text.bytes().any(|b| b.is_ascii_digit())
    };
    if !(4..=20).contains(&length)
        || domain.len() < FEW_CODES
        || !domain.labels().all(|text| alike(&text))
    {
        return None;
    }
    let name = name.to_lowercase();
    let (fits, what) = match domain.kind {
        // Numbers of one length may as well be amounts: only the name can tell.
        ValueKind::Integer => (CODE_NAMES.iter().any(|part| name.contains(part)), "digits"),
        ValueKind::Text if domain.labels().all(|text| text.bytes().all(|b| b.is_ascii_digit())) => {
            (true, "digits")
        }
        ValueKind::Text => (true, "letters and digits"),
        _ => (false, ""),
    };
    fits.then(|| {
        let why = format!(
            "all values are codes of {length} {what}; they lose one at each level from the right"
        );
        (call("mask", &[("from", "right")]), why)
    })
}

fn calendar(domain: &Domain) -> Option<(Call, String)> {
    let (first, last) = (*domain.keys.first()?, *domain.keys.last()?);
    let with_time = domain.kind == ValueKind::DateTime;
    let days = (i128::from(last) - i128::from(first)) / if with_time { DAY } else { 1 };
    let coarse: &[&str] = match days {
        ..=62 => &["week"],
        63..=730 => &["month", "quarter"],
        731..=7305 => &["month", "year"],
        _ => &["month", "year", "decade"],
    };
    let levels = with_time.then_some("day").iter().chain(coarse).map(ToString::to_string).collect();
    let args = [("levels".to_string(), Argument::List(levels))].into();
    let why = format!("dates over {days} days go to the {}", coarse.join(", then to the "));
    Some((Call { name: "date".to_string(), args }, why))
}

fn numbers(domain: &Domain, counts: &[u64], scale: u8) -> Option<(Call, String)> {
    let key = |code: usize| domain.keys.get(code).copied().map(i128::from);
    let (first, last) = (key(0)?, key(domain.len() - 1)?);
    if (scale == 0 && last - first <= SMALL_RANGE) || domain.len() as i128 <= SMALL_RANGE {
        return None;
    }
    // A few far values would make the intervals too wide for all others: they get one of their own.
    let most = key(percentile(counts, 99).unwrap_or(domain.len() - 1)).unwrap_or(last);
    let long_tail = most > first && last - first > 4 * (most - first);
    let end = if long_tail { most } else { last };
    let range = end - first;
    let width = nice((range + 19) / 20);
    let levels = levels(width, range);
    let text = format_at(width, scale);
    let mut args = vec![("width", text.clone()), ("levels", levels.to_string())];
    let range = format_at(range, scale);
    let mut why = format!(
        "numbers over a range of {range} go to intervals of {text}, twice as wide at each level"
    );
    let top = (end.div_euclid(width) + 1) * width;
    if long_tail && top <= last {
        args.push(("top", format_at(top, scale)));
        why = format!(
            "99 % of the records lie in a range of {range}: intervals of {text}, and one for the \
                rest"
        );
    }
    let args: Vec<(&str, &str)> =
        args.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Some((call("interval", &args), why))
}

fn floats(domain: &Domain) -> Option<(Call, String)> {
    let (first, last) = (domain.number(0)?, domain.number(domain.len() as u32 - 1)?);
    let step = (last - first) / 20.0;
    let exponent = step.log10().floor();
    // Outside these powers the builder's exact numbers end.
    if domain.len() as i128 <= SMALL_RANGE || !(-17.0..=15.0).contains(&exponent) {
        return None;
    }
    let lead =
        [1, 2, 5, 10].into_iter().find(|lead| f64::from(*lead) * 10f64.powf(exponent) >= step)?;
    let width = format!("{lead}e{exponent}");
    let why = format!("numbers go to intervals of {width}, twice as wide at each level");
    Some((call("interval", &[("width", &width), ("levels", "3")]), why))
}

/// The first code at which a percentage of the records is reached.
fn percentile(counts: &[u64], percent: u128) -> Option<usize> {
    let total: u128 = counts.iter().map(|count| u128::from(*count)).sum();
    let mut sum = 0u128;
    counts.iter().position(|count| {
        sum += u128::from(*count);
        sum * 100 >= total * percent
    })
}

/// The smallest of 1, 2, 5, 10, 20, 50, ... that isn't below a number.
fn nice(least: i128) -> i128 {
    let mut unit = 1;
    loop {
        if let Some(lead) = [1, 2, 5].into_iter().find(|lead| lead * unit >= least) {
            return lead * unit;
        }
        unit *= 10;
    }
}

/// How many levels have intervals narrower than half the range: at least one, and at most six.
fn levels(width: i128, range: i128) -> usize {
    (1..6).find(|levels| (width << levels) * 2 >= range).unwrap_or(6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain(kind: ValueKind, texts: Vec<String>) -> Domain {
        let keys = texts.iter().filter_map(|text| kind.parse(text)).collect();
        Domain { kind, labels: texts.iter().collect(), keys }
    }

    fn guessed(name: &str, domain: &Domain) -> Option<String> {
        guess(name, domain, &vec![1; domain.len()]).map(|(call, _)| call.to_string())
    }

    #[test]
    fn fits_the_kind() {
        let ages = domain(ValueKind::Integer, (17..=90).map(|age| age.to_string()).collect());
        assert_eq!(guessed("age", &ages).unwrap(), "interval(levels=3, width=5)");
        let zips = domain(ValueKind::Text, (0..100).map(|n| format!("{:05}", n * 7)).collect());
        assert_eq!(guessed("area", &zips).unwrap(), "mask(from=right)");
        let numbers =
            domain(ValueKind::Integer, (0..100).map(|n| (10_000 + n * 7).to_string()).collect());
        assert_eq!(guessed("ZIP code", &numbers).unwrap(), "mask(from=right)");
        assert_eq!(guessed("income", &numbers).unwrap(), "interval(levels=3, width=50)");
        let days = domain(ValueKind::Date, vec!["1950-01-01".into(), "2024-02-29".into()]);
        assert_eq!(guessed("born", &days).unwrap(), "date(levels=[month, year, decade])");
        let times = vec!["2024-01-01T10:00".into(), "2024-01-09T10:00".into()];
        assert_eq!(
            guessed("at", &domain(ValueKind::DateTime, times)).unwrap(),
            "date(levels=[day, week])"
        );
        let prices = domain(
            ValueKind::Decimal { scale: 2 },
            (0..100).map(|n| format!("{}.{n:02}", n / 10)).collect(),
        );
        assert_eq!(guessed("price", &prices).unwrap(), "interval(levels=4, width=0.5)");
        let floats = domain(ValueKind::Float, (0..100).map(|n| format!("{n}e-3")).collect());
        assert_eq!(guessed("x", &floats).unwrap(), "interval(levels=3, width=5e-3)");
    }

    #[test]
    fn words_and_small_ranges_stay_flat() {
        assert_eq!(guessed("sex", &Domain::of_texts(["Female", "Male"])), None);
        assert_eq!(guessed("x", &Domain::of_texts(Vec::<String>::new())), None);
        let grades = domain(ValueKind::Integer, (1..=16).map(|n| n.to_string()).collect());
        assert_eq!(guessed("education-num", &grades), None);
    }

    #[test]
    fn a_long_tail_is_top_coded() {
        let income =
            domain(ValueKind::Integer, (0..100).chain([99_999]).map(|n| n.to_string()).collect());
        let mut counts = vec![100; 100];
        counts.push(3);
        let (call, why) = guess("gain", &income, &counts).unwrap();
        assert_eq!(call.to_string(), "interval(levels=4, top=100, width=5)");
        assert_eq!(
            why,
            "99 % of the records lie in a range of 99: intervals of 5, and one for the rest"
        );
    }

    #[test]
    fn extremes_do_not_overflow() {
        let texts = [i64::MIN + 1, 0, i64::MAX].map(|n| n.to_string());
        let mut wide = domain(ValueKind::Integer, texts.to_vec());
        assert_eq!(guessed("x", &wide), None);
        let texts = (-15..=15).map(|n| n * (i64::MAX / 15)).map(|n| n.to_string());
        wide = domain(ValueKind::Integer, texts.collect());
        assert_eq!(guessed("x", &wide).unwrap(), "interval(levels=4, width=1000000000000000000)");
    }
}
