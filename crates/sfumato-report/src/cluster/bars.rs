//! Draws the comparison: for each number of clusters a group of bars, for each arm a bar, with the
//! F-measure above the match point.

use super::{Alike, ClusterStudy, Clusters};
use crate::escape::shorten;
use crate::explore::draw::Drawing;
use crate::numbers::count;

const WIDTH: f64 = 1080.0;
const LEFT: f64 = 72.0;
const RIGHT: f64 = 1056.0;
const HEIGHT: f64 = 220.0;
const PANEL: f64 = 290.0;

/// The picture as an SVG file.
pub fn draw_clusters(study: &ClusterStudy) -> String {
    let arms = study.numbers.first().map_or(&[][..], |clusters| &clusters.arms);
    let top = 100.0 + 20.0 * arms.len().div_ceil(3) as f64;
    let mut drawing = Drawing::open(
        WIDTH,
        top + 2.0 * PANEL,
        "how alike clusters stay",
        "F-measure and match point by algorithm",
    );
    // Where the data lies is nobody's business who gets to see the picture.
    let file = shorten(study.input.rsplit(['/', '\\']).next().unwrap_or_default(), 60);
    drawing.text("title", (24.0, 34.0), &format!("Do clusters survive? {file}"));
    let about = format!(
        "{} records, {}; {}",
        count(study.rows),
        study.models.join(" and "),
        study.clusterer
    );
    drawing.text("soft", (24.0, 55.0), &shorten(&about, 150));
    for (place, arm) in arms.iter().enumerate() {
        let (x, y) = (24.0 + 345.0 * (place % 3) as f64, 82.0 + 20.0 * (place / 3) as f64);
        drawing.rect(&format!("f{}", place % 6), (x, y - 10.0, 14.0, 12.0), 1.0);
        drawing.text("", (x + 20.0, y), &shorten(&format!("{} ({})", arm.name(), arm.told()), 42));
    }
    panel(&mut drawing, study, top, "F-measure", |alike| alike.f_measure);
    panel(&mut drawing, study, top + PANEL, "match point", |alike| alike.match_point);
    drawing.close()
}

fn panel(
    drawing: &mut Drawing,
    study: &ClusterStudy,
    top: f64,
    name: &str,
    of: impl Fn(&Alike) -> f64,
) {
    let bottom = top + HEIGHT;
    let y = |value: f64| bottom - if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) } * HEIGHT;
    drawing.rect("card", (LEFT, top, RIGHT - LEFT, HEIGHT), 1.0);
    for tick in 0..=5 {
        let at = f64::from(tick) / 5.0;
        drawing.line("grid", (LEFT, y(at)), (RIGHT, y(at)));
        drawing.text("tick end", (LEFT - 7.0, y(at) + 4.0), &format!("{at:.1}"));
    }
    drawing.upright("soft middle", (28.0, (top + bottom) / 2.0), name);
    let group = (RIGHT - LEFT) / study.numbers.len().max(1) as f64;
    for (place, clusters) in study.numbers.iter().enumerate() {
        let middle = LEFT + group * (place as f64 + 0.5);
        bars(drawing, clusters, (middle, group, bottom), name, &of, y);
        drawing.text(
            "soft middle",
            (middle, bottom + 20.0),
            &format!("{} clusters", clusters.clusters),
        );
        let again = y(of(&clusters.again));
        let (from, to) = (middle - group * 0.45, middle + group * 0.45);
        drawing.path("curve s4", "6 4", &[(from, again), (to, again)]);
    }
    drawing.line("axis", (LEFT, bottom), (RIGHT, bottom));
    let caption = "dashed: the original clustered again from another seed";
    drawing.text("soft middle", ((LEFT + RIGHT) / 2.0, bottom + 42.0), caption);
}

fn bars(
    drawing: &mut Drawing,
    clusters: &Clusters,
    (middle, group, bottom): (f64, f64, f64),
    name: &str,
    of: impl Fn(&Alike) -> f64,
    y: impl Fn(f64) -> f64,
) {
    let bar = (group * 0.8 / clusters.arms.len().max(1) as f64).min(60.0);
    let first = middle - bar * clusters.arms.len() as f64 / 2.0;
    for (series, arm) in clusters.arms.iter().enumerate() {
        let Some(figures) = &arm.figures else { continue };
        let value = of(&figures.alike);
        let (x, up) = (first + bar * series as f64, y(value));
        drawing.begin(&format!(
            "{} ({}), {} clusters: {name} {value:.3}",
            arm.name(),
            arm.told(),
            clusters.clusters
        ));
        let class = format!("f{}", series % 6);
        drawing.rect(&class, (x + bar * 0.08, up, bar * 0.84, (bottom - up).max(0.5)), 0.85);
        drawing.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::fixture::study;
    use crate::explore::fixture::is_well_formed;

    #[test]
    fn the_file_is_well_formed_and_has_every_bar() {
        let svg = draw_clusters(&study());
        assert!(is_well_formed(&svg), "{svg}");
        assert_eq!(svg.matches("<g><title>").count(), 8, "two panels, two numbers, two arms");
        assert!(svg.contains("auto: mondrian (labels), 3 clusters: F-measure 0.875"));
        assert!(!svg.contains("<more>") && !svg.contains("folder"));
        let mut odd = study();
        for arm in odd.numbers.iter_mut().flat_map(|clusters| &mut clusters.arms) {
            arm.figures.iter_mut().for_each(|figures| figures.alike.f_measure = f64::NAN);
        }
        for svg in [draw_clusters(&odd), draw_clusters(&ClusterStudy::default())] {
            assert!(is_well_formed(&svg) && !svg.contains("\"NaN"), "{svg}");
        }
    }
}
