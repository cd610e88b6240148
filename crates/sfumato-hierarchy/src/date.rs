//! The builder `date`: days, weeks, months, quarters, years and decades of the calendar.

use jiff::Timestamp;
use jiff::civil::Date;
use sfumato_core::column::Dictionary;
use sfumato_core::dataset::{LevelTable, ValueKind};
use sfumato_core::error::{Error, Result};
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{BuildInput, Builder};

/// The builder `date`, an entry of the registry.
pub struct Calendar;

static INFO: Info = Info {
    name: "date",
    summary: "parts of the calendar: day, week, month, quarter, year, decade",
    papers: &[],
    params: &[ParamSpec::optional(
        "levels",
        ParamKind::List,
        "some of day, week, month, quarter, year, decade, from fine to coarse; [day, month, year] \
            if left out",
    )],
    doc: "\
| level | label |
|---|---|
| `day` | `2024-02-29` |
| `week` | `2024-W09`, as ISO 8601 counts weeks |
| `month` | `2024-02` |
| `quarter` | `2024-Q1` |
| `year` | `2024` |
| `decade` | `2020s` |

`levels` lists them from fine to coarse, and each at most once. A `week` can only be the last: \
weeks cross the ends of
months, years and decades, so that `2024-W01` would need two parents. Above it comes the root.

Needs a column of dates (`YYYY-MM-DD`) or of dates with times. For dates, `day` is the value \
itself and makes no level
of its own. Dates with times that state an offset from UTC are put on the day they have in UTC. No \
label depends on
other records. The cost is linear in distinct values times levels.",
    ..Info::DEFAULT
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum DateUnit {
    Day,
    Week,
    Month,
    Quarter,
    Year,
    Decade,
}

const DATE_UNITS: [(&str, DateUnit); 6] = [
    ("day", DateUnit::Day),
    ("week", DateUnit::Week),
    ("month", DateUnit::Month),
    ("quarter", DateUnit::Quarter),
    ("year", DateUnit::Year),
    ("decade", DateUnit::Decade),
];

impl DateUnit {
    fn label(self, date: Date) -> String {
        let year = date.year();
        match self {
            DateUnit::Day => date.to_string(),
            DateUnit::Week => {
                let week = date.iso_week_date();
                format!("{:04}-W{:02}", week.year(), week.week())
            }
            DateUnit::Month => format!("{year:04}-{:02}", date.month()),
            DateUnit::Quarter => format!("{year:04}-Q{}", (date.month() + 2) / 3),
            DateUnit::Year => format!("{year:04}"),
            DateUnit::Decade => format!("{:04}s", year.div_euclid(10) * 10),
        }
    }
}

fn parts(params: &Params) -> Result<Vec<DateUnit>> {
    let Some(words) = params.list("levels") else {
        return Ok(vec![DateUnit::Day, DateUnit::Month, DateUnit::Year]);
    };
    let mut parts: Vec<DateUnit> = Vec::new();
    for word in &words {
        let Some((_, part)) = DATE_UNITS.iter().find(|(name, _)| name == word) else {
            let known = DATE_UNITS.map(|(name, _)| name).join(", ");
            return Err(Error::params(format!(
                "date: levels must be some of {known}, not '{word}'"
            )));
        };
        match parts.last() {
            Some(DateUnit::Week) if *part > DateUnit::Week => {
                return Err(Error::params(format!("date: week can't be followed by {word}")).hint(
                    "weeks cross the ends of months, quarters, years and decades; make week the \
                        last level",
                ));
            }
            Some(finer) if finer >= part => {
                return Err(Error::params("date: levels must go from fine to coarse")
                    .hint("the order is day, week, month, quarter, year, decade"));
            }
            _ => parts.push(*part),
        }
    }
    if parts.is_empty() {
        return Err(Error::params("date: levels names no level"));
    }
    Ok(parts)
}

fn day_of(kind: ValueKind, key: i64) -> Option<Date> {
    match kind {
        ValueKind::Date => {
            Date::new(1970, 1, 1).ok()?.checked_add(jiff::Span::new().try_days(key).ok()?).ok()
        }
        ValueKind::DateTime => {
            Some(Timestamp::from_microsecond(key).ok()?.to_zoned(jiff::tz::TimeZone::UTC).date())
        }
        _ => None,
    }
}

impl Builder for Calendar {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn build(&self, params: &Params, input: &BuildInput<'_>) -> Result<LevelTable> {
        let domain = input.domain;
        let mut parts = parts(params)?;
        match domain.kind {
            ValueKind::Date => parts.retain(|part| *part != DateUnit::Day),
            ValueKind::DateTime => {}
            kind => {
                return Err(crate::wrong_kind(
                    "date",
                    "dates (YYYY-MM-DD) or dates with times",
                    kind,
                ));
            }
        }
        let day = |code: u32| {
            let key = domain.key(code).or_else(|| domain.kind.parse(&domain.label(code)));
            let broken = || {
                Error::internal(format!("a value of the kind {} has no day", domain.kind.name()))
            };
            key.and_then(|key| day_of(domain.kind, key)).ok_or_else(broken)
        };
        let days: Vec<Date> = (0..domain.len() as u32).map(day).collect::<Result<_>>()?;
        let mut table = LevelTable { levels: vec![domain.texts().into_owned()] };
        for part in parts {
            let labels: Dictionary = days.iter().map(|day| part.label(*day)).collect();
            table.levels.push(labels);
        }
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sfumato_core::dataset::Domain;

    fn build(call: &str, kind: ValueKind, texts: &[&str]) -> Result<Vec<String>> {
        let call: sfumato_core::registry::Call = call.parse()?;
        let keys = texts.iter().filter_map(|text| kind.parse(text)).collect();
        let domain = Domain { kind, labels: texts.iter().collect(), keys };
        let counts = vec![1; texts.len()];
        let input =
            BuildInput { domain: &domain, counts: &counts, read_text: &|_| Ok(String::new()) };
        let table = Calendar.build(&Params::check(&INFO, &call.args)?, &input)?;
        Ok((0..table.n_leaves())
            .map(|leaf| table.row(leaf).collect::<Vec<_>>().join(" "))
            .collect())
    }

    #[test]
    fn labels_of_every_part() {
        let all = "date(levels=[day, month, quarter, year, decade])";
        assert_eq!(
            build(all, ValueKind::Date, &["1969-12-31", "2024-02-29"]).unwrap(),
            ["1969-12-31 1969-12 1969-Q4 1969 1960s", "2024-02-29 2024-02 2024-Q1 2024 2020s"]
        );
        assert_eq!(
            build(all, ValueKind::DateTime, &["2024-02-29T23:30:00-05:00"]).unwrap(),
            ["2024-02-29T23:30:00-05:00 2024-03-01 2024-03 2024-Q1 2024 2020s"]
        );
        // These days belong to a week of the year after and of the year before.
        assert_eq!(
            build("date(levels=[week])", ValueKind::Date, &["2024-12-30", "2027-01-01"]).unwrap(),
            ["2024-12-30 2025-W01", "2027-01-01 2026-W53"]
        );
        assert_eq!(
            build("date", ValueKind::Date, &["0000-01-01"]).unwrap(),
            ["0000-01-01 0000-01 0000"]
        );
    }

    #[test]
    fn levels_that_cannot_nest_are_refused() {
        let message = |call| build(call, ValueKind::Date, &["2024-02-29"]).unwrap_err().message;
        assert_eq!(message("date(levels=[week, month])"), "date: week can't be followed by month");
        assert_eq!(
            message("date(levels=[day, week, decade])"),
            "date: week can't be followed by decade"
        );
        assert_eq!(
            message("date(levels=[year, month])"),
            "date: levels must go from fine to coarse"
        );
        assert_eq!(
            message("date(levels=[year, year])"),
            "date: levels must go from fine to coarse"
        );
        assert_eq!(message("date(levels=[])"), "date: levels names no level");
        assert_eq!(
            message("date(levels=[century])"),
            "date: levels must be some of day, week, month, quarter, year, decade, not 'century'"
        );
        assert_eq!(
            build("date", ValueKind::Integer, &["2024"]).unwrap_err().message,
            "date needs dates (YYYY-MM-DD) or dates with times, and the column's values are of the \
                kind integer"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn agrees_with_the_calendar(day in -700_000i64..2_900_000) {
            let text = ValueKind::Date.format(day);
            prop_assume!(ValueKind::Date.parse(&text) == Some(day));
            let date: Date = text.parse().unwrap();
            let row = build(
                "date(levels=[month, quarter, year, decade])", ValueKind::Date, &[&text]).unwrap();
            let decade = &text[..3];
            let quarter = (date.month() - 1) / 3 + 1;
            let expect = format!(
                "{text} {} {}-Q{quarter} {} {decade}0s", &text[..7], &text[..4], &text[..4]);
            prop_assert_eq!(&row[0], &expect);
            // The Thursday of an ISO week lies in the year that the week belongs to.
            let thursday = date.checked_add(jiff::Span::new()
                .days(4 - i64::from(date.weekday().to_monday_one_offset())));
            prop_assume!(thursday.is_ok());
            let thursday = thursday.unwrap();
            let week = (thursday.day_of_year() - 1) / 7 + 1;
            let row = build("date(levels=[week])", ValueKind::Date, &[&text]).unwrap();
            prop_assert_eq!(&row[0], &format!("{text} {:04}-W{week:02}", thursday.year()));
        }
    }
}
