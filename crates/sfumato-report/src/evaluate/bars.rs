//! Draws scores: for each task a panel, for each learner a group of bars, for each kind of data a
//! bar with its spread.

use super::axis::Axis;
use super::csv::name;
use super::{Data, Evaluation, Task};
use crate::escape::shorten;
use crate::explore::draw::Drawing;
use crate::explore::scale::short;
use crate::numbers::{count, quantity};

const WIDTH: f64 = 1080.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 1056.0;
const HEIGHT: f64 = 240.0;
const PANEL: f64 = 330.0;

/// The picture as an SVG file.
pub fn draw_scores(evaluation: &Evaluation) -> String {
    let kinds = kinds(evaluation);
    let top = 96.0 + 20.0 * kinds.len().div_ceil(3) as f64;
    let height = top + PANEL * evaluation.tasks.len().max(1) as f64;
    let targets: Vec<&str> = evaluation.tasks.iter().map(|task| task.target.as_str()).collect();
    let title = format!("what can be learnt of {}", targets.join(", "));
    let mut drawing = Drawing::open(WIDTH, height, &title, &evaluation.protocol.text);
    // Where the data lies is nobody's business who gets to see the picture.
    let file = shorten(evaluation.input.rsplit(['/', '\\']).next().unwrap_or_default(), 60);
    drawing.text("title", (24.0, 34.0), &format!("What can be learnt: {file}"));
    let about = format!(
        "{} records, {}; {}",
        count(evaluation.rows),
        evaluation.models.join(" and "),
        evaluation.protocol.text
    );
    drawing.text("soft", (24.0, 55.0), &shorten(&about, 150));
    for (place, data) in kinds.iter().enumerate() {
        let (x, y) = (24.0 + 345.0 * (place % 3) as f64, 82.0 + 20.0 * (place / 3) as f64);
        drawing.rect(&format!("f{}", place % 6), (x, y - 10.0, 14.0, 12.0), 1.0);
        drawing.text("", (x + 20.0, y), &shorten(&label(evaluation, *data), 42));
    }
    for (place, task) in evaluation.tasks.iter().enumerate() {
        panel(&mut drawing, evaluation, task, &kinds, top + PANEL * place as f64);
    }
    drawing.close()
}

fn kinds(evaluation: &Evaluation) -> Vec<Data> {
    let mut kinds = vec![Data::Original, Data::WithoutQuasi];
    let found = evaluation.algorithms.iter().enumerate().filter(|(_, a)| a.measures.is_some());
    kinds.extend(found.map(|(place, _)| Data::Release(place)));
    kinds
}

fn label(evaluation: &Evaluation, data: Data) -> String {
    match data {
        Data::Release(place) => {
            evaluation.algorithms.get(place).map_or(String::new(), |a| a.label())
        }
        data => name(evaluation, data),
    }
}

fn panel(drawing: &mut Drawing, evaluation: &Evaluation, task: &Task, kinds: &[Data], top: f64) {
    let scale = if task.is_classes { 100.0 } else { 1.0 };
    let ends =
        task.scores.iter().flat_map(|s| [s.score.mean - s.score.sd, s.score.mean + s.score.sd]);
    let mut values: Vec<f64> = ends.map(|value| value * scale).collect();
    values.push(task.baseline.mean * scale);
    let axis = Axis::around(&values);
    let bottom = top + HEIGHT;
    let y = |value: f64| bottom - axis.share(value) * HEIGHT;
    drawing.rect("card", (LEFT, top, RIGHT - LEFT, HEIGHT), 1.0);
    for tick in axis.ticks() {
        drawing.line("grid", (LEFT, y(tick)), (RIGHT, y(tick)));
        drawing.text("tick end", (LEFT - 7.0, y(tick) + 4.0), &short(tick));
    }
    let (measure, better, base) = match task.is_classes {
        true => ("accuracy, %", "higher", "majority"),
        false => ("mean absolute error", "lower", "mean"),
    };
    drawing.upright("soft middle", (28.0, (top + bottom) / 2.0), &shorten(&task.target, 32));
    drawing.upright(
        "soft middle",
        (44.0, (top + bottom) / 2.0),
        &format!("{measure} ({better} is better)"),
    );
    let mut learners: Vec<&str> = Vec::new();
    for score in &task.scores {
        if !learners.contains(&score.learner.as_str()) {
            learners.push(&score.learner);
        }
    }
    let group = (RIGHT - LEFT) / learners.len().max(1) as f64;
    let bar = (group * 0.8 / kinds.len().max(1) as f64).min(60.0);
    for (place, learner) in learners.iter().enumerate() {
        let middle = LEFT + group * (place as f64 + 0.5);
        let first = middle - bar * kinds.len() as f64 / 2.0;
        for (series, data) in kinds.iter().enumerate() {
            let Some(score) = task.scores.iter().find(|s| s.data == *data && s.learner == *learner)
            else {
                continue;
            };
            let (mean, sd) = (score.score.mean * scale, score.score.sd * scale);
            let (x, up) = (first + bar * series as f64, y(mean));
            drawing.begin(&format!(
                "{}, {learner}: {} +- {}",
                label(evaluation, *data),
                quantity(mean),
                quantity(sd)
            ));
            let class = format!("f{}", series % 6);
            drawing.rect(&class, (x + bar * 0.08, up, bar * 0.84, (bottom - up).max(0.5)), 0.85);
            drawing.line("axis", (x + bar / 2.0, y(mean - sd)), (x + bar / 2.0, y(mean + sd)));
            drawing.end();
        }
        drawing.text("soft middle", (middle, bottom + 20.0), &shorten(learner, 30));
    }
    let at = y(task.baseline.mean * scale);
    drawing.path("ring", "6 4", &[(LEFT, at), (RIGHT, at)]);
    drawing.line("axis", (LEFT, bottom), (RIGHT, bottom));
    let begins = match axis.lo == 0.0 {
        true => String::new(),
        false => format!("; the axis begins at {}", short(axis.lo)),
    };
    let caption = format!(
        "dashed: {base}; lines on bars: standard deviation over {} parts{begins}",
        evaluation.protocol.parts
    );
    drawing.text("soft middle", ((LEFT + RIGHT) / 2.0, bottom + 42.0), &caption);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::fixture::evaluation;
    use crate::explore::fixture::is_well_formed;

    #[test]
    fn the_file_is_well_formed_and_has_every_bar() {
        let svg = draw_scores(&evaluation());
        assert!(is_well_formed(&svg), "{svg}");
        assert_eq!(
            svg.matches("<g><title>").count(),
            12,
            "two tasks, two learners, three kinds of data"
        );
        assert!(svg.contains("original, decision-tree: 90 +- 1"));
        assert!(svg.contains("auto: mondrian") && !svg.contains("<more>"));
        assert!(svg.contains("the axis begins at"));
    }

    #[test]
    fn odd_figures_are_drawn_without_harm() {
        let mut odd = evaluation();
        for score in &mut odd.tasks[0].scores {
            (score.score.mean, score.score.sd) = (f64::INFINITY, f64::NAN);
        }
        for svg in [draw_scores(&odd), draw_scores(&Evaluation::default())] {
            assert!(
                is_well_formed(&svg) && !svg.contains("\"NaN") && !svg.contains("inf\""),
                "{svg}"
            );
        }
    }

    #[test]
    fn axes_hold_their_values() {
        let axis = Axis::around(&[71.0, 84.3]);
        assert!(axis.lo <= 71.0 && axis.hi >= 84.3 && axis.ticks().count() >= 3);
        assert_eq!(Axis::around(&[f64::NAN]).hi, 1.0);
        assert!(Axis::around(&[5.0]).share(5.0) > 0.0);
    }
}
