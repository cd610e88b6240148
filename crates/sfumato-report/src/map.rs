//! A map of lines as SVG, inside a page: no tiles, nothing from a network.

use std::fmt::Write as _;

use crate::escape::escape;
use crate::section::Layer;

/// The width of a map in the units of the page, and the most that its height may be.
const WIDTH: f64 = 720.0;
const HIGHEST: f64 = 560.0;
/// What is left free at the edges.
const MARGIN: f64 = 8.0;

/// Draw the layers of a map over each other, to one scale in both directions.
pub(crate) fn map(caption: &str, layers: &[Layer]) -> String {
    let points = || layers.iter().flat_map(|layer| layer.lines.iter().flatten());
    let least = points().fold((i64::MAX, i64::MAX), |a, b| (a.0.min(b.0), a.1.min(b.1)));
    let most = points().fold((i64::MIN, i64::MIN), |a, b| (a.0.max(b.0), a.1.max(b.1)));
    if points().next().is_none() {
        return String::new();
    }
    // Differences of large numbers may not fit.
    let extent = |from: i64, to: i64| (to as f64 - from as f64).max(1.0);
    let (wide, high) = (extent(least.0, most.0), extent(least.1, most.1));
    let scale = ((WIDTH - 2.0 * MARGIN) / wide).min((HIGHEST - 2.0 * MARGIN) / high);
    let height = (high * scale + 2.0 * MARGIN).ceil();
    let legend = 22.0;
    let whole = height + legend;
    let mut svg = format!(
        "<div class=\"chart\"><svg viewBox=\"0 0 {WIDTH:.0} {whole:.0}\" role=\"img\" \
         aria-label=\"{}\">\n",
        escape(caption)
    );
    let left = (WIDTH - wide * scale) / 2.0;
    let place = |point: &(i64, i64)| {
        let x = left + (point.0 as f64 - least.0 as f64) * scale;
        let y = height - MARGIN - (point.1 as f64 - least.1 as f64) * scale;
        (x, y)
    };
    let class = |layer: &Layer| if layer.is_before { "way-before" } else { "way-after" };
    for layer in layers {
        for line in &layer.lines {
            let class = class(layer);
            let _ = match line.as_slice() {
                [] => Ok(()),
                [point] => {
                    let (x, y) = place(point);
                    writeln!(svg, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\"/>")
                }
                points => {
                    let words: Vec<String> =
                        points.iter().map(place).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
                    writeln!(svg, "<polyline class=\"{class}\" points=\"{}\"/>", words.join(" "))
                }
            };
        }
    }
    for (at, layer) in layers.iter().enumerate() {
        let (x, y) = (MARGIN + at as f64 * WIDTH / 3.0, height + legend - 6.0);
        let (end, base) = (x + 24.0, y - 4.0);
        let (text, class) = (end + 6.0, class(layer));
        let _ = writeln!(
            svg,
            "<polyline class=\"{class}\" points=\"{x:.0},{base:.0} {end:.0},{base:.0}\"/>\
             <text class=\"name\" x=\"{text:.0}\" y=\"{y:.0}\">{}</text>",
            escape(&layer.name)
        );
    }
    svg.push_str("</svg></div>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_drawn_to_scale_and_names_are_text() {
        let layer = |name: &str, is_before, lines| Layer { name: name.into(), is_before, lines };
        let far = i64::MAX / 2;
        let layers = [
            layer("before <b>", true, vec![vec![(0, 0), (far, 0), (far, -far)]]),
            layer("after", false, vec![vec![(0, 0)]]),
        ];
        let svg = map("a & b", &layers);
        assert!(svg.contains("a &amp; b") && svg.contains("before &lt;b&gt;"), "{svg}");
        assert_eq!((svg.matches("<polyline").count(), svg.matches("<circle").count()), (3, 1));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert_eq!(map("nothing", &[]), "");
    }
}
