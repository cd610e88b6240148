//! Draws the trade-off: loss against k, and loss against risk, with one line for each algorithm.

use super::draw::Drawing;
use super::scale::{Linear, Log, short};
use super::{Curve, Exploration, Figures};
use crate::escape::shorten;
use crate::numbers::{count, percent, quantity};

const WIDTH: f64 = 1080.0;
const TOP: f64 = 104.0;
const BOTTOM: f64 = 404.0;
/// The dash patterns that tell lines apart without colour.
const DASHES: [&str; 4] = ["", "7 4", "2 3", "9 3 2 3"];

/// One of the two plots: its place, how the horizontal position of a cell is computed, and its
/// caption.
struct Panel<'a> {
    left: f64,
    right: f64,
    across: Log,
    up: &'a Linear,
    x_of: fn(u64, &Figures) -> Option<f64>,
}

/// The picture as an SVG file.
pub fn draw_tradeoff(exploration: &Exploration) -> String {
    let title = format!("{} against k and against risk", exploration.metric);
    let description = exploration.ranking.clone().unwrap_or_default();
    let mut drawing = Drawing::open(WIDTH, 484.0, &title, &description);
    // Where the data lies is nobody's business who gets to see the picture.
    let name = shorten(exploration.input.rsplit(['/', '\\']).next().unwrap_or_default(), 60);
    drawing.text("title", (24.0, 34.0), &format!("What k costs: {name}"));
    let models: String = exploration.models.iter().map(|model| format!(", {model}")).collect();
    let records = count(exploration.rows);
    let about = match exploration.quasi.len() {
        0 => format!("{records} records as {}, {}{models}", exploration.form, exploration.tried),
        columns => format!(
            "{records} records, {columns} quasi columns{models}; at most {} suppressed",
            count(exploration.max_suppressed)
        ),
    };
    drawing.text("soft", (24.0, 55.0), &shorten(&about, 150));
    legend(&mut drawing, &exploration.curves);

    let all = || exploration.curves.iter().flat_map(|curve| &curve.cells);
    let up = Linear::reaching(all().filter_map(|cell| cell.figures.as_ref()?.loss));
    let better = if exploration.higher_is_better { "higher" } else { "lower" };
    let y_title = format!("{} ({better} is better)", exploration.metric);

    let ks = Log::around(all().map(|cell| cell.k as f64));
    let panel =
        Panel { left: 84.0, right: 520.0, across: ks, up: &up, x_of: |k, _| Some(k as f64) };
    panel.frame(&mut drawing, &y_title, "k (logarithmic)");
    panel.ticks(
        &mut drawing,
        &exploration.ks.iter().map(|k| (*k as f64, count(*k))).collect::<Vec<_>>(),
    );
    panel.curves(&mut drawing, exploration, -10.0);
    infeasible(&mut drawing, &panel, &exploration.curves);

    let risks = Log::around(all().filter_map(|cell| cell.figures.as_ref()?.average_risk));
    let ticks: Vec<(f64, String)> =
        risks.ticks().into_iter().map(|risk| (risk, percent(risk))).collect();
    let panel = Panel {
        left: 624.0,
        right: 1056.0,
        across: risks,
        up: &up,
        x_of: |_, figures| figures.average_risk,
    };
    panel.frame(&mut drawing, &y_title, "average prosecutor risk of a record (logarithmic)");
    panel.ticks(&mut drawing, &ticks);
    panel.curves(&mut drawing, exploration, 10.0);

    if let Some(ranking) = &exploration.ranking {
        drawing.text("soft", (24.0, 470.0), &shorten(ranking, 170));
    }
    drawing.close()
}

impl Panel<'_> {
    fn x(&self, value: f64) -> f64 {
        self.left + self.across.share(value) * (self.right - self.left)
    }

    fn y(&self, loss: f64) -> f64 {
        BOTTOM - self.up.share(loss) * (BOTTOM - TOP)
    }

    fn frame(&self, drawing: &mut Drawing, y_title: &str, x_title: &str) {
        drawing.rect("card", (self.left, TOP, self.right - self.left, BOTTOM - TOP), 1.0);
        for tick in self.up.ticks() {
            drawing.line("grid", (self.left, self.y(tick)), (self.right, self.y(tick)));
            drawing.text("tick end", (self.left - 7.0, self.y(tick) + 4.0), &short(tick));
        }
        drawing.line("axis", (self.left, BOTTOM), (self.right, BOTTOM));
        drawing.upright("soft middle", (self.left - 52.0, (TOP + BOTTOM) / 2.0), y_title);
        drawing.text("soft middle", ((self.left + self.right) / 2.0, BOTTOM + 40.0), x_title);
    }

    /// Draw the labels of an axis. Labels that would touch the one before are left out.
    fn ticks(&self, drawing: &mut Drawing, ticks: &[(f64, String)]) {
        let mut free = f64::NEG_INFINITY;
        for (value, label) in ticks {
            let (x, half) = (self.x(*value), 3.4 * label.chars().count() as f64);
            drawing.line("axis", (x, BOTTOM), (x, BOTTOM + 5.0));
            if x - half > free {
                drawing.text("tick middle", (x, BOTTOM + 19.0), label);
                free = x + half + 4.0;
            }
        }
    }

    /// Draw the lines with their marks, and then the words at knees where they cover neither marks
    /// nor each other. They go to the left first if `side` is below zero, or else to the right.
    fn curves(&self, drawing: &mut Drawing, exploration: &Exploration, side: f64) {
        let mut taken: Vec<Area> = Vec::new();
        let mut knees: Vec<(usize, (f64, f64), String)> = Vec::new();
        for (series, curve) in exploration.curves.iter().enumerate() {
            let points: Vec<(u64, (f64, f64), String)> = curve
                .cells
                .iter()
                .filter_map(|cell| {
                    let figures = cell.figures.as_ref()?;
                    let (loss, x) = (figures.loss?, (self.x_of)(cell.k, figures)?);
                    let hint = hint(exploration, curve, cell.k, figures);
                    Some((cell.k, (self.x(x), self.y(loss)), hint))
                })
                .collect();
            let places: Vec<(f64, f64)> = points.iter().map(|point| point.1).collect();
            if places.len() > 1 {
                let class = format!("curve s{}", series % 6);
                drawing.path(&class, DASHES[series % DASHES.len()], &places);
            }
            for (k, at, hint) in &points {
                drawing.mark(series, *at, hint);
                taken.push(Area::around(*at, MARK));
                if curve.knee.as_ref().is_some_and(|knee| knee.k == *k) {
                    drawing.circle("ring", *at, 9.0);
                    knees.push((series, *at, format!("knee: k = {}", count(*k))));
                }
            }
        }
        let inside =
            Area { left: self.left, right: self.right + 20.0, top: TOP - 14.0, bottom: BOTTOM };
        for (series, at, words) in knees {
            let area = free_place(at, &words, side < 0.0, &inside, &taken);
            let class = format!("bold start f{}", series % 6);
            drawing.text(&class, (area.left, area.bottom - 3.0), &words);
            taken.push(area);
        }
    }
}

/// Half of the height and width of a mark.
const MARK: f64 = 5.0;

/// The width of a letter and the height of a line of the words at knees.
const LETTER: (f64, f64) = (7.2, 15.0);

/// A part of the picture that is taken.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Area {
    fn around(at: (f64, f64), half: f64) -> Area {
        let (left, right) = (at.0 - half, at.0 + half);
        Area { left, right, top: at.1 - half, bottom: at.1 + half }
    }

    fn overlaps(&self, other: &Area) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn is_within(&self, other: &Area) -> bool {
        other.left <= self.left
            && self.right <= other.right
            && other.top <= self.top
            && self.bottom <= other.bottom
    }
}

/// Where words about a point cover nothing: beside it, and then ever further above and below.
fn free_place(
    at: (f64, f64),
    words: &str,
    left_first: bool,
    inside: &Area,
    taken: &[Area],
) -> Area {
    let (width, height) = (LETTER.0 * words.chars().count() as f64, LETTER.1);
    let sides = if left_first { [-1.0, 1.0] } else { [1.0, -1.0] };
    let area = |side: f64, shift: f64| {
        let left = if side < 0.0 { at.0 - 12.0 - width } else { at.0 + 12.0 };
        let top = at.1 - height / 2.0 + shift;
        Area { left, right: left + width, top, bottom: top + height }
    };
    let shifts = (0..24).flat_map(|n| [-1.0, 1.0].map(|sign| sign * f64::from(n) * 9.0));
    let mut places = shifts.flat_map(|shift| sides.map(|side| area(side, shift)));
    let is_free = |area: &Area| !taken.iter().any(|other| area.overlaps(other));
    let found = places.clone().find(|area| is_free(area) && area.is_within(inside));
    found.or_else(|| places.find(is_free)).unwrap_or_else(|| area(sides[0], 0.0))
}

/// Draw crosses at the bottom of the plot where an algorithm found nothing.
fn infeasible(drawing: &mut Drawing, panel: &Panel<'_>, curves: &[Curve]) {
    for (series, curve) in curves.iter().enumerate() {
        for cell in &curve.cells {
            if let Some(reason) = &cell.infeasible {
                drawing.begin(&format!("{}, k = {}: {reason}", curve.algorithm, count(cell.k)));
                let class = format!("bold middle f{}", series % 6);
                drawing.text(
                    &class,
                    (panel.x(cell.k as f64), BOTTOM - 5.0 - 13.0 * series as f64),
                    "\u{00d7}",
                );
                drawing.end();
            }
        }
    }
}

fn hint(exploration: &Exploration, curve: &Curve, k: u64, figures: &Figures) -> String {
    let share = |value: Option<f64>| value.map_or("not known".into(), percent);
    format!(
        "{}, k = {}: {} {}, {} classes, highest risk {}, average risk {}",
        curve.algorithm,
        count(k),
        exploration.metric,
        figures.loss.map_or("not known".into(), quantity),
        count(figures.classes),
        share(figures.highest_risk),
        share(figures.average_risk)
    )
}

fn legend(drawing: &mut Drawing, curves: &[Curve]) {
    let mut x = 24.0;
    for (series, curve) in curves.iter().enumerate() {
        let name = shorten(&curve.algorithm, 44);
        let class = format!("curve s{}", series % 6);
        drawing.path(&class, DASHES[series % DASHES.len()], &[(x, 78.0), (x + 34.0, 78.0)]);
        drawing.mark(series, (x + 17.0, 78.0), &curve.algorithm);
        drawing.text("", (x + 42.0, 82.5), &name);
        x += 66.0 + 7.4 * name.chars().count() as f64;
    }
    let crossed =
        curves.iter().any(|curve| curve.cells.iter().any(|cell| cell.infeasible.is_some()));
    let words = if crossed { "ring: knee; \u{00d7}: infeasible" } else { "ring: knee" };
    drawing.text("soft", (x, 82.5), words);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::fixture::{exploration, is_well_formed};

    #[test]
    fn the_file_is_well_formed_and_says_everything() {
        let svg = draw_tradeoff(&exploration());
        assert!(is_well_formed(&svg), "{svg}");
        assert!(svg.contains("people &amp; &lt;more&gt;.csv") && !svg.contains("<more>"));
        assert_eq!(
            svg.matches("<polyline class=\"curve s0\"").count(),
            3,
            "the legend and two panels"
        );
        assert_eq!(svg.matches(">knee: k = 5</text>").count(), 2);
        assert_eq!(svg.matches("<circle class=\"ring\"").count(), 2);
        assert_eq!(svg.matches(">\u{00d7}</text>").count(), 1);
        assert!(svg.contains(
            "mondrian, k = 10: ncp 0.25, 100 classes, highest risk 10 %, average risk 8 %"
        ));
        assert!(!svg.contains("<script") && !svg.contains("href"));
    }

    /// Curves that lie on each other have their knees at one point: their words must not.
    #[test]
    fn words_at_knees_cover_neither_each_other_nor_marks() {
        let one = exploration().curves[0].clone();
        let at = (300.0, 200.0);
        let marks: Vec<Area> =
            (0..6).map(|n| Area::around((200.0 + 40.0 * f64::from(n), 200.0), MARK)).collect();
        let inside = Area { left: 84.0, right: 540.0, top: 90.0, bottom: 404.0 };
        let mut taken = marks.clone();
        for _ in 0..5 {
            let area = free_place(at, "knee: k = 25", true, &inside, &taken);
            assert!(taken.iter().all(|other| !area.overlaps(other)), "{area:?} {taken:?}");
            assert!(area.is_within(&inside));
            taken.push(area);
        }
        let curves = vec![one; 4];
        let svg = draw_tradeoff(&Exploration { curves, ..exploration() });
        let mut places: Vec<&str> = svg
            .lines()
            .filter(|line| line.contains(">knee: k = 5</text>"))
            .map(|line| line.split("x=").nth(1).unwrap())
            .collect();
        let n = places.len();
        places.sort_unstable();
        places.dedup();
        assert_eq!((n, places.len()), (8, 8), "{places:?}");
    }

    #[test]
    fn odd_figures_are_drawn_without_harm() {
        let mut odd = exploration();
        for curve in &mut odd.curves {
            for cell in &mut curve.cells {
                if let Some(figures) = &mut cell.figures {
                    (figures.loss, figures.average_risk) = (Some(f64::INFINITY), Some(0.0));
                }
            }
        }
        for svg in [draw_tradeoff(&odd), draw_tradeoff(&Exploration::default())] {
            assert!(
                is_well_formed(&svg) && !svg.contains("NaN") && !svg.contains("inf\""),
                "{svg}"
            );
        }
    }
}
