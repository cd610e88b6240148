//! Three small charts as inline SVG: grouped columns, grouped bars, one stacked bar.
//!
//! Colours come from the page's style sheet by class, so that charts follow the light or dark
//! scheme. Series also differ by texture and every value is written out, so that no meaning depends
//! on colour alone. Values that aren't finite or lie below zero are drawn as zero.

use std::fmt::Write as _;

use crate::escape::{escape, shorten};
use crate::section::{Dot, Stroke};

/// A description of a chart, for people who can't see it.
pub(crate) struct Caption<'a> {
    /// An identifier that is unique on the page; ids of parts are made from it.
    pub(crate) id: &'a str,
    /// A short name.
    pub(crate) title: &'a str,
    /// The content of the picture in a sentence.
    pub(crate) description: &'a str,
}

/// One series of a grouped chart: a name, and a class of the style sheet (`before` is hatched,
/// `after` is solid).
pub(crate) struct Series<'a> {
    pub(crate) name: &'a str,
    pub(crate) class: &'a str,
    pub(crate) values: Vec<f64>,
}

/// The end of an axis, and the format of its numbers.
pub(crate) struct Scale {
    /// The end of the axis. If `None`, a round number above the largest value.
    pub(crate) top: Option<f64>,
    /// Formats a value.
    pub(crate) format: fn(f64) -> String,
}

const WIDTH: f64 = 720.0;

/// Dots and lines between them.
pub(crate) fn network(caption: &Caption<'_>, dots: &[Dot], lines: &[(u32, u32, Stroke)]) -> String {
    const HEIGHT: f64 = 520.0;
    let mut svg = open(caption, HEIGHT);
    let at = |dot: &Dot| {
        let along =
            |share: u16, most: f64| 30.0 + f64::from(share.min(1000)) / 1000.0 * (most - 60.0);
        (along(dot.x, WIDTH), along(dot.y, HEIGHT))
    };
    for (from, to, stroke) in lines {
        let ends = dots.get(*from as usize).zip(dots.get(*to as usize));
        let Some(((x1, y1), (x2, y2))) = ends.map(|(from, to)| (at(from), at(to))) else {
            continue;
        };
        let how = match stroke {
            Stroke::Plain(tenths) => {
                format!("class=\"tie\" stroke-width=\"{:.1}\"", f64::from(*tenths) / 10.0)
            }
            Stroke::Added => "class=\"after\" stroke-width=\"2\"".to_string(),
            Stroke::Gone => {
                "class=\"before\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"".to_string()
            }
        };
        let _ = writeln!(
            svg,
            "<line {how} x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        );
    }
    for dot in dots {
        let (x, y) = at(dot);
        let _ = writeln!(
            svg,
            "<circle class=\"after\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{}\"/>",
            dot.radius
        );
    }
    close(svg)
}

/// Vertical columns in groups: a histogram if the labels are buckets.
pub(crate) fn columns(
    caption: &Caption<'_>,
    labels: &[String],
    x_title: &str,
    series: &[Series<'_>],
    scale: &Scale,
) -> String {
    let (left, right, top, bottom) = (52.0, 8.0, 40.0, 250.0);
    let mut svg = open(caption, 300.0);
    let axis = Axis::new(series, scale);
    for tick in axis.ticks() {
        let y = bottom - axis.share(tick) * (bottom - top);
        line(&mut svg, "grid", (left, y), (WIDTH - right, y));
        text(&mut svg, "tick end", (left - 8.0, y + 4.0), &(scale.format)(tick));
    }
    let slot = (WIDTH - left - right) / labels.len().max(1) as f64;
    let bar = (slot * 0.78 / series.len().max(1) as f64).min(46.0);
    for (place, label) in labels.iter().enumerate() {
        let middle = left + slot * (place as f64 + 0.5);
        text(&mut svg, "tick middle", (middle, bottom + 18.0), label);
        for (order, one) in series.iter().enumerate() {
            let value = drawable(one.values.get(place).copied());
            let x = middle + bar * (order as f64 - series.len() as f64 / 2.0);
            let height = axis.share(value) * (bottom - top);
            let shown = (scale.format)(value);
            let hint = format!("{}, {label}: {shown}", one.name);
            rect(
                &mut svg,
                caption.id,
                one.class,
                (x + 1.0, bottom - height, bar - 2.0, height),
                &hint,
            );
            if value > 0.0 {
                text(
                    &mut svg,
                    "value middle",
                    (x + bar / 2.0, bottom - height - 5.0),
                    shown.trim_end_matches(" %"),
                );
            }
        }
    }
    line(&mut svg, "axis", (left, bottom), (WIDTH - right, bottom));
    text(&mut svg, "name middle", ((left + WIDTH - right) / 2.0, bottom + 40.0), x_title);
    legend(&mut svg, caption.id, series, left);
    close(svg)
}

/// Horizontal bars in groups, one group for each label.
pub(crate) fn bars(
    caption: &Caption<'_>,
    labels: &[String],
    series: &[Series<'_>],
    scale: &Scale,
) -> String {
    let (left, right, bar) = (190.0, 70.0, 17.0);
    let top = if series.len() > 1 { 34.0 } else { 8.0 };
    let slot = bar * series.len() as f64 + 11.0;
    let bottom = top + slot * labels.len() as f64;
    let mut svg = open(caption, bottom + 26.0);
    let axis = Axis::new(series, scale);
    let across = |value: f64| left + axis.share(value) * (WIDTH - left - right);
    for tick in axis.ticks() {
        line(&mut svg, "grid", (across(tick), top), (across(tick), bottom));
        text(&mut svg, "tick middle", (across(tick), bottom + 18.0), &(scale.format)(tick));
    }
    for (place, label) in labels.iter().enumerate() {
        let y = top + slot * place as f64 + 5.5;
        let middle = y + bar * series.len() as f64 / 2.0 + 4.0;
        text(&mut svg, "label end", (left - 10.0, middle), &shorten(label, 26));
        for (order, one) in series.iter().enumerate() {
            let value = one.values.get(place).copied();
            let (drawn, shown) = match value.filter(|v| v.is_finite()) {
                Some(value) => (drawable(Some(value)), (scale.format)(value)),
                None => (0.0, "not measured".into()),
            };
            let y = y + bar * order as f64;
            let hint = format!("{label}, {}: {shown}", one.name);
            rect(
                &mut svg,
                caption.id,
                one.class,
                (left, y + 1.0, across(drawn) - left, bar - 2.0),
                &hint,
            );
            text(&mut svg, "value", (across(drawn) + 6.0, y + bar - 4.5), &shown);
        }
    }
    line(&mut svg, "axis", (left, top), (left, bottom));
    if series.len() > 1 {
        legend(&mut svg, caption.id, series, left);
    }
    close(svg)
}

/// One bar divided into numbered parts. The numbers refer to a table beside it.
pub(crate) fn stacked(caption: &Caption<'_>, parts: &[(String, f64)]) -> String {
    let mut svg = open(caption, 44.0);
    // Half a unit at both ends keeps the outline inside the picture.
    let room = WIDTH - 1.0;
    let total: f64 = parts.iter().map(|(_, value)| drawable(Some(*value))).sum();
    let mut x = 0.5;
    for (place, (name, value)) in parts.iter().enumerate() {
        let width = if total > 0.0 { drawable(Some(*value)) / total * room } else { 0.0 };
        let (class, number) = match place % 2 {
            0 => ("part even", "inside on-even middle"),
            _ => ("part odd", "inside middle"),
        };
        rect(&mut svg, caption.id, class, (x, 4.0, width, 36.0), name);
        if width >= 16.0 {
            text(&mut svg, number, (x + width / 2.0, 26.5), &(place + 1).to_string());
        }
        x += width;
    }
    close(svg)
}

/// An axis from zero, with steps of 1, 2 or 5 times a power of ten.
struct Axis {
    top: f64,
    step: f64,
}

impl Axis {
    fn new(series: &[Series<'_>], scale: &Scale) -> Self {
        let values = series.iter().flat_map(|one| &one.values);
        let largest = values.fold(0.0_f64, |most, &value| most.max(drawable(Some(value))));
        let wanted = scale.top.unwrap_or(largest);
        if wanted <= 0.0 {
            return Self { top: 1.0, step: 0.2 };
        }
        let power = 10_f64.powf((wanted / 5.0).log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|m| m * power)
            .into_iter()
            .find(|step| wanted / step <= 5.0 + 1e-9);
        let step = step.unwrap_or(10.0 * power);
        let top = scale.top.unwrap_or((wanted / step - 1e-9).ceil() * step);
        Self { top, step }
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let count = (self.top / self.step + 1e-9).floor() as usize;
        (0..=count).map(|i| i as f64 * self.step)
    }

    fn share(&self, value: f64) -> f64 {
        (value / self.top).clamp(0.0, 1.0)
    }
}

fn drawable(value: Option<f64>) -> f64 {
    value.filter(|v| v.is_finite()).unwrap_or(0.0).max(0.0)
}

fn open(caption: &Caption<'_>, height: f64) -> String {
    let Caption { id, title, description } = caption;
    let (title, description) = (escape(title), escape(description));
    format!(
        "<div class=\"chart\"><svg viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" \
            aria-labelledby=\"{id}-t {id}-d\">\n\
         <title id=\"{id}-t\">{title}</title><desc id=\"{id}-d\">{description}</desc>\n\
         <defs><pattern id=\"{id}-hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><rect class=\"hatch-ground\" width=\"6\" height=\"6\"/>\
         <line class=\"hatch\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\"/></pattern></defs>\n"
    )
}

fn close(mut svg: String) -> String {
    svg.push_str("</svg></div>\n");
    svg
}

fn line(svg: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = writeln!(
        svg,
        "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
    );
}

fn text(svg: &mut String, class: &str, at: (f64, f64), words: &str) {
    let _ = writeln!(
        svg,
        "<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        at.0,
        at.1,
        escape(words)
    );
}

/// Draw a rectangle. `place` is x, y, width and height. The hint is its tooltip.
fn rect(svg: &mut String, id: &str, class: &str, place: (f64, f64, f64, f64), hint: &str) {
    let (x, y, width, height) = place;
    let fill =
        if class == "before" { format!(" fill=\"url(#{id}-hatch)\"") } else { String::new() };
    let _ = writeln!(
        svg,
        "<rect class=\"{class}\"{fill} x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
            height=\"{height:.1}\">\
         <title>{}</title></rect>",
        escape(hint)
    );
}

fn legend(svg: &mut String, id: &str, series: &[Series<'_>], left: f64) {
    let mut x = left;
    for one in series {
        rect(svg, id, one.class, (x, 6.0, 22.0, 13.0), one.name);
        text(svg, "label", (x + 29.0, 17.0), one.name);
        x += 50.0 + 7.5 * one.name.chars().count() as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::{percent, quantity};

    const CAPTION: Caption<'_> = Caption { id: "c", title: "a < b", description: "d" };

    fn series(values: &[f64]) -> Vec<Series<'static>> {
        vec![Series { name: "after", class: "after", values: values.to_vec() }]
    }

    #[test]
    fn axes_end_on_round_numbers() {
        let ticks = |largest: f64, top| {
            Axis::new(&series(&[largest]), &Scale { top, format: quantity })
                .ticks()
                .map(quantity)
                .collect::<Vec<_>>()
        };
        assert_eq!(ticks(0.37, None), ["0", "0.1", "0.2", "0.3", "0.4"]);
        assert_eq!(ticks(0.1, Some(1.0)), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(ticks(870.0, None), ["0", "200", "400", "600", "800", "1,000"]);
        assert_eq!(ticks(0.0, None).len(), 6);
        assert_eq!(ticks(f64::NAN, None).len(), 6);
    }

    #[test]
    fn odd_values_never_reach_the_picture() {
        let labels: Vec<String> = ["a", "b", "c", "<d>"].map(String::from).to_vec();
        let odd = [f64::NAN, f64::INFINITY, -3.0, 0.5];
        let scale = Scale { top: Some(1.0), format: percent };
        for svg in [
            columns(&CAPTION, &labels, "x", &series(&odd), &scale),
            bars(&CAPTION, &labels, &series(&odd), &scale),
            stacked(&CAPTION, &labels.iter().cloned().zip(odd).collect::<Vec<_>>()),
        ] {
            assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("=\"-"), "{svg}");
            assert!(!svg.contains("<d>") && svg.contains("a &lt; b"));
        }
    }

    #[test]
    fn bar_lengths_are_in_proportion() {
        let labels = ["half".to_string(), "full".to_string()];
        let svg = bars(
            &CAPTION,
            &labels,
            &series(&[0.5, 1.0]),
            &Scale { top: Some(1.0), format: percent },
        );
        assert!(svg.contains("width=\"230.0\"") && svg.contains("width=\"460.0\""), "{svg}");
    }

    #[test]
    fn charts_of_nothing_are_still_charts() {
        let scale = Scale { top: None, format: percent };
        assert!(columns(&CAPTION, &[], "x", &[], &scale).ends_with("</svg></div>\n"));
        assert!(bars(&CAPTION, &[], &[], &scale).ends_with("</svg></div>\n"));
        assert!(stacked(&CAPTION, &[]).ends_with("</svg></div>\n"));
    }
}
