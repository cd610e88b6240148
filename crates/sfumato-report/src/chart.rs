//! Charts: panels of lines or of grouped bars with their spread, as one self-contained SVG file.
//!
//! Labels stand at equal steps, in the order given; on logarithmic axes they stand at their
//! numbers. Series differ by the shape of their marks as well as by colour, and a tooltip shows
//! every value.

use crate::escape::shorten;
use crate::evaluate::axis::Axis;
use crate::explore::draw::Drawing;
use crate::explore::scale::{Log, short};
use crate::numbers::quantity;

/// How values are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Points joined by lines: the labels are steps of something that grows.
    Lines,
    /// Points joined by lines on logarithmic axes, for labels that are numbers: a power law becomes
    /// a straight line. Values that aren't above 0 can't be drawn.
    LogLog,
    /// Bars in groups, with one group for each label.
    Bars,
}

/// The vertical positions of values.
enum Upward {
    Straight(Axis),
    Log(Log),
}

impl Upward {
    fn around(kind: Kind, values: &[f64]) -> Self {
        match kind {
            Kind::LogLog => Upward::Log(Log::around(values.iter().copied())),
            Kind::Lines | Kind::Bars => Upward::Straight(Axis::around(values)),
        }
    }
    fn share(&self, value: f64) -> f64 {
        match self {
            Upward::Straight(axis) => axis.share(value),
            Upward::Log(axis) => axis.share(value),
        }
    }
    fn ticks(&self) -> Vec<f64> {
        match self {
            Upward::Straight(axis) => axis.ticks().collect(),
            Upward::Log(axis) => axis.ticks(),
        }
    }
}

/// The horizontal position of each label, from 0 to 1: at equal steps, or by its number. Labels
/// that aren't numbers stand at equal steps.
fn along(kind: Kind, labels: &[String]) -> Vec<f64> {
    let steps =
        || (0..labels.len()).map(|place| (place as f64 + 0.5) / labels.len() as f64).collect();
    let numbers =
        || -> Option<Vec<f64>> { labels.iter().map(|label| label.parse().ok()).collect() };
    match numbers().filter(|_| kind == Kind::LogLog) {
        Some(numbers) => {
            let axis = Log::around(numbers.iter().copied());
            numbers.iter().map(|number| axis.share(*number)).collect()
        }
        None => steps(),
    }
}

/// One panel of a drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// The title of the panel.
    pub title: String,
    /// The name of the horizontal axis.
    pub x: String,
    /// The name of the vertical axis.
    pub y: String,
    /// Whether to draw lines or bars.
    pub kind: Kind,
    /// The labels, from left to right.
    pub labels: Vec<String>,
    /// The series that are compared.
    pub series: Vec<Curve>,
}

/// One series of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The name of the series.
    pub name: String,
    /// For each label a value and its spread. `None` where nothing was measured.
    pub points: Vec<Option<(f64, f64)>>,
}

const WIDTH: f64 = 1080.0;
const PANEL: (f64, f64) = (528.0, 340.0);
const TOP: f64 = 62.0;

/// Draw all panels, two in a row.
pub fn draw_charts(title: &str, description: &str, charts: &[Chart]) -> String {
    let rows = charts.len().div_ceil(2).max(1);
    let mut drawing = Drawing::open(WIDTH, TOP + PANEL.1 * rows as f64, title, description);
    drawing.text("title", (24.0, 32.0), title);
    drawing.text("soft", (24.0, 52.0), &shorten(description, 160));
    for (place, chart) in charts.iter().enumerate() {
        let corner = (PANEL.0 * (place % 2) as f64 + 12.0, TOP + PANEL.1 * (place / 2) as f64);
        panel(&mut drawing, chart, corner);
    }
    drawing.close()
}

fn panel(drawing: &mut Drawing, chart: &Chart, (x0, y0): (f64, f64)) {
    let (left, right) = (x0 + 64.0, x0 + PANEL.0 - 16.0);
    drawing.text("bold", (left, y0 + 20.0), &shorten(&chart.title, 62));
    let in_row = 4;
    for (place, curve) in chart.series.iter().enumerate() {
        let x = left + (right - left) / in_row as f64 * (place % in_row) as f64;
        let y = y0 + 40.0 + 17.0 * (place / in_row) as f64;
        drawing.mark(place, (x + 5.0, y - 4.0), &curve.name);
        drawing.text("tick", (x + 15.0, y), &shorten(&curve.name, 16));
    }
    let top = y0 + 36.0 + 17.0 * chart.series.len().div_ceil(in_row) as f64;
    let bottom = y0 + PANEL.1 - 52.0;
    let ends = chart.series.iter().flat_map(|curve| curve.points.iter().flatten());
    // Lines show no spread, so that curves that lie close stay apart.
    let shown = |spread: f64| if chart.kind == Kind::Bars { spread } else { 0.0 };
    let ends = ends.flat_map(|(value, spread)| [value - shown(*spread), value + shown(*spread)]);
    let axis = Upward::around(chart.kind, &ends.collect::<Vec<f64>>());
    let up = |value: f64| bottom - axis.share(value) * (bottom - top);
    drawing.rect("card", (left, top, right - left, bottom - top), 1.0);
    for tick in axis.ticks() {
        drawing.line("grid", (left, up(tick)), (right, up(tick)));
        drawing.text("tick end", (left - 6.0, up(tick) + 4.0), &short(tick));
    }
    let slot = (right - left) / chart.labels.len().max(1) as f64;
    let along = along(chart.kind, &chart.labels);
    let across = |place: usize| left + (right - left) * along.get(place).copied().unwrap_or(0.0);
    for (place, label) in chart.labels.iter().enumerate() {
        drawing.text("tick middle", (across(place), bottom + 17.0), &shorten(label, 18));
    }
    drawing.text("soft middle", ((left + right) / 2.0, bottom + 36.0), &chart.x);
    drawing.upright("soft middle", (x0 + 14.0, (top + bottom) / 2.0), &shorten(&chart.y, 40));
    let bar = (slot * 0.8 / chart.series.len().max(1) as f64).min(40.0);
    for (series, curve) in chart.series.iter().enumerate() {
        let known =
            curve.points.iter().enumerate().filter_map(|(place, point)| Some((place, (*point)?)));
        let has_place =
            |value: f64| value.is_finite() && (value > 0.0 || chart.kind != Kind::LogLog);
        let known: Vec<(usize, (f64, f64))> =
            known.filter(|(_, (value, spread))| has_place(*value) && spread.is_finite()).collect();
        if chart.kind != Kind::Bars {
            let points: Vec<(f64, f64)> =
                known.iter().map(|(place, (value, _))| (across(*place), up(*value))).collect();
            drawing.path(&format!("curve s{}", series % 6), "", &points);
        }
        for (place, (value, spread)) in known {
            let label = chart.labels.get(place).map_or("", String::as_str);
            let hint =
                format!("{}, {label}: {} +- {}", curve.name, quantity(value), quantity(spread));
            let shift = match chart.kind {
                Kind::Lines | Kind::LogLog => 0.0,
                Kind::Bars => bar * (series as f64 + 0.5 - chart.series.len() as f64 / 2.0),
            };
            let x = across(place) + shift;
            if chart.kind != Kind::Bars {
                drawing.mark(series, (x, up(value)), &hint);
                continue;
            }
            drawing.begin(&hint);
            let place = (x - bar * 0.42, up(value), bar * 0.84, (bottom - up(value)).max(0.5));
            drawing.rect(&format!("f{}", series % 6), place, 0.85);
            if spread > 0.0 {
                drawing.line("axis", (x, up(value - spread)), (x, up(value + spread)));
            }
            drawing.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(kind: Kind, values: &[f64]) -> Chart {
        let points = values.iter().map(|value| Some((*value, 0.5))).chain([None]).collect();
        let labels = (0..=values.len()).map(|label| format!("<{label}>")).collect();
        let series = vec![Curve { name: "a & b".into(), points }];
        Chart { title: "t".into(), x: "x".into(), y: "y".into(), kind, labels, series }
    }

    #[test]
    fn every_value_is_drawn_and_odd_ones_are_not() {
        let values = [1.0, 2.0, f64::NAN, 4.0];
        let svg =
            draw_charts("two", "ways", &[chart(Kind::Lines, &values), chart(Kind::Bars, &values)]);
        assert_eq!(svg.matches(": 4 +- 0.5").count(), 2);
        assert_eq!(svg.matches("<g>").count(), 3, "three bars");
        assert!(!svg.contains("NaN") && !svg.contains("<0>") && svg.contains("a &amp; b"));
        let logs = draw_charts("logs", "", &[chart(Kind::LogLog, &[10.0, 0.0, 1000.0])]);
        assert!(
            logs.contains(": 1,000 +- 0.5") && !logs.contains(": 0 +- 0.5"),
            "0 has no logarithm"
        );
        assert!(draw_charts("none", "", &[]).ends_with("</svg>\n"));
        assert!(draw_charts("empty", "", &[chart(Kind::Lines, &[])]).ends_with("</svg>\n"));
    }
    #[test]
    fn labels_stand_at_equal_steps_or_by_their_logarithm() {
        let labels = ["1", "10", "10000"].map(String::from);
        let shares = along(Kind::LogLog, &labels);
        assert!((shares[1] - shares[0] - (shares[2] - shares[0]) / 4.0).abs() < 1e-9, "{shares:?}");
        let steps = [1.0 / 6.0, 0.5, 5.0 / 6.0];
        let is_steps =
            |shares: Vec<f64>| shares.iter().zip(steps).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(is_steps(along(Kind::Lines, &labels)));
        assert!(is_steps(along(Kind::LogLog, &["1", "2", "more"].map(String::from))));
    }
}
