//! The builder `interval`: levels of intervals, each level a multiple of the width of the one
//! below.
//!
//! Bounds come from the parameters alone, never from the data, and all arithmetic is on whole
//! numbers.

use sfumato_core::column::Dictionary;
use sfumato_core::dataset::{LevelTable, ValueKind};
use sfumato_core::error::{Error, Result};
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{BuildInput, Builder};

use crate::axis::Axis;
use crate::exact::LIMIT;

/// The builder `interval`, an entry of the registry.
pub struct Interval;

static INFO: Info = Info {
    name: "interval",
    summary: "intervals of a stated width over numbers, dates or times, wider at each level",
    papers: &[],
    params: &[
        ParamSpec::required(
            "width",
            ParamKind::Number { min: 0.0, above: true, max: f64::MAX },
            "the width at the first level; days for dates, seconds for times",
        ),
        ParamSpec::with_default("origin", ParamKind::Text, "0", "where one interval starts"),
        ParamSpec::with_default(
            "levels",
            ParamKind::Integer { min: 1, max: 100 },
            "1",
            "how many levels of intervals, values and root not counted",
        ),
        ParamSpec::with_default(
            "factor",
            ParamKind::Integer { min: 2, max: 1_000_000 },
            "2",
            "how many intervals make one of the next level",
        ),
        ParamSpec::optional("bottom", ParamKind::Text, "all values below it become one interval"),
        ParamSpec::optional("top", ParamKind::Text, "all values from it on become one interval"),
    ],
    doc: "\
The first level has intervals of `width`; each further level joins `factor` neighbours, so \
intervals nest. One interval
of every level starts at `origin`.

| values | labels |
|---|---|
| whole numbers | closed: `[20..24]`; `20` if the interval holds one number |
| decimals, dates, times | half open: `[20..25)`, `[2024-01-01..2024-01-08)` |
| below `bottom` | `<20` |
| from `top` on | `>=80` |

`bottom` and `top` collect the thin ends of a distribution: from the first level upwards each is a \
single interval, and
the intervals beside them are cut there. They and `origin` are written like the column's values; \
for dates and times
`origin=0` is 1970-01-01 and midnight. `width` counts days for dates, and seconds (with up to six \
decimals) for times.
Where an interval would reach beyond the calendar, its label leaves that end open.

No bound comes from the data: the labels tell nothing but the interval of their own record. All \
arithmetic is exact; numbers with
exponents are taken as written, not as the nearest floating-point number. Needs numbers, dates or \
times. The cost is
linear in distinct values times levels.",
    ..Info::DEFAULT
};

impl Builder for Interval {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn build(&self, params: &Params, input: &BuildInput<'_>) -> Result<LevelTable> {
        let domain = input.domain;
        if domain.kind == ValueKind::Text {
            return Err(crate::wrong_kind("interval", "numbers, dates or times", domain.kind));
        }
        let axis = Axis::new("interval", domain.kind, params, &["origin", "bottom", "top"])?;
        let mut width = axis.width(params.text("width").expect("the specification requires it"))?;
        let point =
            |name| params.text(name).map(|text| axis.point("interval", name, text)).transpose();
        let origin = point("origin")?.unwrap_or(0);
        let (bottom, top) = (point("bottom")?, point("top")?);
        if let (Some(low), Some(high)) = (bottom, top)
            && low >= high
        {
            return Err(Error::params("interval: bottom must be below top"));
        }
        let positions: Vec<i128> = (0..domain.len() as u32)
            .map(|code| axis.position(domain, code))
            .collect::<Result<_>>()?;
        let inside =
            |at: i128| bottom.is_none_or(|low| at >= low) && top.is_none_or(|high| at < high);
        if positions.iter().any(|at| inside(*at) && at.unsigned_abs() > LIMIT.unsigned_abs()) {
            return Err(Error::input(
                "interval: the column has numbers too large for intervals of this width",
            )
            .hint("give bottom and top to collect the ends of the column"));
        }

        let mut table = LevelTable { levels: vec![domain.texts().into_owned()] };
        for level in 0..params.integer("levels") {
            if level > 0 {
                width = width
                    .checked_mul(i128::from(params.integer("factor")))
                    .filter(|wider| *wider <= LIMIT)
                    .ok_or_else(|| {
                        Error::params(format!(
                            "interval: the intervals of level {} are too wide",
                            level + 1
                        ))
                        .hint("ask for fewer levels or a smaller factor")
                    })?;
            }
            let mut labels = Dictionary::new();
            let mut last: Option<(i128, String)> = None;
            for &at in &positions {
                // The ends have places of their own that no interval's lower bound can be.
                let place = match () {
                    () if bottom.is_some_and(|low| at < low) => i128::MIN,
                    () if top.is_some_and(|high| at >= high) => i128::MAX,
                    () => origin + (at - origin).div_euclid(width) * width,
                };
                if last.as_ref().is_none_or(|(known, _)| *known != place) {
                    let label = match (place, bottom, top) {
                        (i128::MIN, Some(low), _) => format!("<{}", axis.text_or_end(low)),
                        (i128::MAX, _, Some(high)) => format!(">={}", axis.text_or_end(high)),
                        _ => {
                            let low = bottom.map_or(place, |low| low.max(place));
                            axis.label(
                                low,
                                top.map_or(place + width, |high| high.min(place + width)),
                            )
                        }
                    };
                    last = Some((place, label));
                }
                labels.push(last.as_ref().map_or("", |(_, label)| label));
            }
            table.levels.push(labels);
        }
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Exact;
    use proptest::prelude::*;
    use sfumato_core::dataset::Domain;

    fn build(call: &str, kind: ValueKind, texts: &[String]) -> Result<LevelTable> {
        let call: sfumato_core::registry::Call = call.parse()?;
        let keys = texts.iter().filter_map(|text| kind.parse(text)).collect();
        let domain = Domain { kind, labels: texts.iter().collect(), keys };
        let counts = vec![1; texts.len()];
        let input =
            BuildInput { domain: &domain, counts: &counts, read_text: &|_| Ok(String::new()) };
        Interval.build(&Params::check(&INFO, &call.args)?, &input)
    }

    /// The labels of each value above the leaves.
    fn labels(call: &str, kind: ValueKind, texts: &[&str]) -> Vec<String> {
        let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
        let table = build(call, kind, &texts).unwrap();
        (0..table.n_leaves())
            .map(|leaf| table.row(leaf).skip(1).collect::<Vec<_>>().join(" "))
            .collect()
    }

    #[test]
    fn whole_numbers_are_closed() {
        let call = "interval(width=5, levels=2)";
        let expect =
            ["[-10..-6] [-10..-1]", "[-5..-1] [-10..-1]", "[0..4] [0..9]", "[20..24] [20..29]"];
        assert_eq!(labels(call, ValueKind::Integer, &["-6", "-1", "0", "24"]), expect);
        assert_eq!(labels("interval(width=1)", ValueKind::Integer, &["7"]), ["7"]);
        assert_eq!(
            labels("interval(width=10, origin=18)", ValueKind::Integer, &["17", "18"]),
            ["[8..17]", "[18..27]"]
        );
    }

    #[test]
    fn ends_are_coded_and_cut() {
        let call = "interval(width=10, levels=2, bottom=18, top=85)";
        let expect =
            ["<18 <18", "[18..19] [18..19]", "[80..84] [80..84]", ">=85 >=85", ">=85 >=85"];
        assert_eq!(labels(call, ValueKind::Integer, &["3", "18", "84", "85", "300"]), expect);
        let texts = vec!["1".to_string()];
        let message = |call| build(call, ValueKind::Integer, &texts).unwrap_err().message;
        assert_eq!(
            message("interval(width=1, bottom=5, top=5)"),
            "interval: bottom must be below top"
        );
        assert_eq!(
            message("interval(width=2.5)"),
            "interval: width must be a whole number, as the column's values are, not '2.5'"
        );
        assert_eq!(
            message("interval(width=1, top=old)"),
            "interval: top must be a whole number, as the column's values are, not 'old'"
        );
        assert_eq!(
            message("interval(width=1, levels=90, factor=1000)"),
            "interval: the intervals of level 14 are too wide"
        );
        let words = build("interval(width=1)", ValueKind::Text, &texts).unwrap_err().message;
        assert_eq!(
            words,
            "interval needs numbers, dates or times, and the column's values are of the kind text"
        );
    }

    #[test]
    fn decimals_are_half_open_and_exact() {
        let decimal = ValueKind::Decimal { scale: 1 };
        let expect = ["[-0.1..0)", "[0..0.1)", "[0.2..0.3)", "[0.3..0.4)"];
        assert_eq!(labels("interval(width=0.1)", decimal, &["-0.1", "0", "0.2", "0.3"]), expect);
        assert_eq!(
            labels("interval(width=2.25)", decimal, &["2.2", "2.3"]),
            ["[0..2.25)", "[2.25..4.5)"]
        );
        // As floats, 0.3 lies below 0.3 and 1e23 below 1e23.
        let expect = ["[0.3..0.4)", "[100000000000000000000000..100000000000000000000000.1)"];
        assert_eq!(labels("interval(width=0.1)", ValueKind::Float, &["3e-1", "1e23"]), expect);
        let huge =
            build("interval(width=1)", ValueKind::Float, &["1e300".to_string()]).unwrap_err();
        assert_eq!(
            huge.message,
            "interval: the column has numbers too large for intervals of this width"
        );
        assert_eq!(
            labels("interval(width=1, top=9)", ValueKind::Float, &["1e0", "1e300"]),
            ["[1..2)", ">=9"]
        );
    }

    #[test]
    fn dates_and_times() {
        let call = "interval(width=7, origin=2024-01-01, top=2024-03-01)";
        let expect = ["[2024-02-26..2024-03-01)", ">=2024-03-01"];
        assert_eq!(labels(call, ValueKind::Date, &["2024-02-29", "2024-03-01"]), expect);
        assert_eq!(labels("interval(width=1)", ValueKind::Date, &["9999-12-31"]), [">=9999-12-31"]);
        let call = "interval(width=86400, origin=2024-01-01)";
        let expect = ["[2024-02-29T00:00:00..2024-03-01T00:00:00)"];
        assert_eq!(labels(call, ValueKind::DateTime, &["2024-02-29 23:59:59"]), expect);
        let call = "interval(width=28800, origin=06:00)";
        let expect = ["[00:00:00..06:00:00)", "[22:00:00..24:00:00)"];
        assert_eq!(labels(call, ValueKind::Time, &["01:00", "23:30"]), expect);
        assert_eq!(
            labels("interval(width=0.25)", ValueKind::Time, &["00:00:01"]),
            ["[00:00:01..00:00:01.25)"]
        );
    }

    #[test]
    fn the_largest_numbers_fit() {
        let expect = [
            "[-9223372036854775808..-9223372036854775799]",
            "[9223372036854775802..9223372036854775811]",
        ];
        let extremes = ["-9223372036854775807", "9223372036854775807"];
        assert_eq!(labels("interval(width=10, origin=2)", ValueKind::Integer, &extremes), expect);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn bounds_contain_their_values(
            keys in prop::collection::btree_set(prop_oneof![any::<i64>(), -1000i64..1000], 1..20),
            scale in 0u8..=18,
            width in 1i64..100_000,
            origin in -1000i64..1000,
            factor in 2u32..5,
        ) {
            let kind = if scale == 0 { ValueKind::Integer } else { ValueKind::Decimal { scale } };
            // The parser of core doesn't take the very lowest key.
            let keys: Vec<i64> = keys.into_iter().filter(|key| *key != i64::MIN).collect();
            let texts: Vec<String> = keys.iter().map(|key| kind.format(*key)).collect();
            let call = format!(
                "interval(width={}, origin={origin}, levels=3, factor={factor})",
                    kind.format(width));
            let table = build(&call, kind, &texts).unwrap();
            for (leaf, key) in keys.iter().enumerate() {
                for (level, label) in table.row(leaf).enumerate().skip(1) {
                    let mut size = i128::from(width) * i128::from(factor.pow(level as u32 - 1));
                    let inner = label.trim_start_matches('[').trim_end_matches([']', ')']);
                    let (low, high) = inner.split_once("..").unwrap_or((inner, inner));
                    let at = |text: &str| Exact::parse(text).unwrap().floor_at(scale);
                    let (low, high) = (at(low), at(high));
                    prop_assert!(low <= i128::from(*key), "{label}");
                    if scale == 0 {
                        size -= 1;
                        prop_assert!(i128::from(*key) <= high, "{label}");
                    } else {
                        prop_assert!(i128::from(*key) < high, "{label}");
                    }
                    prop_assert_eq!(high - low, size);
                }
            }
        }
    }
}
