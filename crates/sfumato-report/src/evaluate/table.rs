//! Writes the evaluation as tables of words for a terminal.

use std::fmt::Write as _;

use super::csv::name;
use super::{Data, Evaluation, Score, Task};
use crate::numbers::{count, percent, quantity};
use crate::words::tame;

/// The probability below which a difference from the first algorithm is marked.
const UNLIKELY: f64 = 0.05;

/// The tables, each line ending with a newline.
pub fn words(evaluation: &Evaluation) -> String {
    let mut text = String::new();
    let mut say = |label: &str, words: &str| {
        let _ = writeln!(text, "{label:<10} {}", tame(words));
    };
    say("data", &format!("{} ({} records)", evaluation.input, count(evaluation.rows)));
    say("quasi", &evaluation.quasi.join(", "));
    let suppressed = &evaluation.max_suppression;
    say(
        "require",
        &format!("{}; at most {suppressed} suppressed", evaluation.models.join(" and ")),
    );
    let protocol = &evaluation.protocol;
    say(
        "protocol",
        &format!(
            "{}; on average {} rows to train on and {} to test on, seed {}",
            protocol.text,
            count(protocol.train_rows.round() as u64),
            count(protocol.test_rows.round() as u64),
            protocol.seed
        ),
    );
    for note in &evaluation.notes {
        say("note", note);
    }
    for algorithm in &evaluation.algorithms {
        if let Some(reason) = &algorithm.infeasible {
            say("infeasible", &format!("{}: {reason}", algorithm.label()));
        }
    }
    for task in &evaluation.tasks {
        push_task(&mut text, evaluation, task);
    }
    push_measures(&mut text, evaluation);
    text
}

fn push_task(text: &mut String, evaluation: &Evaluation, task: &Task) {
    let features = tame(&task.features.join(", ")).to_string();
    let (measure, better) = match task.is_classes {
        true => ("accuracy in percent", "higher"),
        false => ("mean absolute error", "lower"),
    };
    let spread = if evaluation.protocol.parts > 1 { ", mean +- standard deviation" } else { "" };
    let _ = writeln!(
        text,
        "\n{}: {measure}{spread} ({better} is better), from {features}",
        tame(&task.target)
    );
    if !task.class_counts.is_empty() {
        let counts: Vec<String> = task.class_counts.iter().take(8).map(|n| count(*n)).collect();
        let more = if task.class_counts.len() > 8 { ", ..." } else { "" };
        let _ = writeln!(text, "records of its classes: {}{more}", counts.join(", "));
    }
    if task.without_target > 0 {
        let _ = writeln!(text, "{} records have no target", count(task.without_target));
    }
    let learners = learners(task);
    let number = |score: &Score| figure(task.is_classes, score);
    let mut lines = grid(evaluation, task, &learners, number);
    let base = if task.is_classes { "majority" } else { "mean" };
    let shown =
        figure(task.is_classes, &Score { score: task.baseline.clone(), ..Score::default() });
    lines.insert(1, vec![base.to_string(), shown]);
    push_aligned(text, &lines);
    if marked(task) {
        let first = evaluation.algorithms.first().map_or(String::new(), |a| a.algorithm.clone());
        let _ = writeln!(
            text,
            "*: differs from {first} with p < {UNLIKELY} by a paired t-test (parts share training \
                rows, so take p as a hint)"
        );
    }
    if task.scores.iter().any(|score| score.auc.is_some()) {
        let _ = writeln!(text, "area under the curve:");
        let auc =
            |score: &Score| score.auc.as_ref().map_or("-".into(), |auc| format!("{:.3}", auc.mean));
        push_aligned(text, &grid(evaluation, task, &learners, auc));
    }
}

fn marked(task: &Task) -> bool {
    task.scores
        .iter()
        .any(|score| score.against_first.as_ref().is_some_and(|test| test.p < UNLIKELY))
}

fn figure(is_classes: bool, score: &Score) -> String {
    let (mean, sd) = (score.score.mean, score.score.sd);
    let shown = match is_classes {
        true => format!("{:.2}", mean * 100.0),
        false => quantity(mean),
    };
    let spread = match (score.score.values.len() > 1, is_classes) {
        (false, _) => String::new(),
        (true, true) => format!(" +-{:.2}", sd * 100.0),
        (true, false) => format!(" +-{}", quantity(sd)),
    };
    let mark = match &score.against_first {
        Some(test) if test.p < UNLIKELY => "*",
        _ => " ",
    };
    format!("{shown}{spread}{mark}")
}

fn learners(task: &Task) -> Vec<&str> {
    let mut learners: Vec<&str> = Vec::new();
    for score in &task.scores {
        if !learners.contains(&score.learner.as_str()) {
            learners.push(&score.learner);
        }
    }
    learners
}

/// A table with one line per kind of data and one column per learner.
fn grid(
    evaluation: &Evaluation,
    task: &Task,
    learners: &[&str],
    show: impl Fn(&Score) -> String,
) -> Vec<Vec<String>> {
    let mut heading = vec![String::new()];
    heading.extend(learners.iter().map(ToString::to_string));
    let mut lines = vec![heading];
    let mut kinds = vec![Data::Original, Data::WithoutQuasi];
    kinds.extend((0..evaluation.algorithms.len()).map(Data::Release));
    for data in kinds {
        let of_data = |learner: &&str| {
            task.scores
                .iter()
                .find(|score| score.data == data && score.learner == **learner)
                .map(&show)
        };
        let shown: Vec<Option<String>> = learners.iter().map(of_data).collect();
        if shown.iter().any(Option::is_some) {
            let mut line = vec![label(evaluation, data)];
            line.extend(shown.into_iter().map(|cell| cell.unwrap_or("-".into())));
            lines.push(line);
        }
    }
    lines
}

fn label(evaluation: &Evaluation, data: Data) -> String {
    let known = match data {
        Data::Release(place) => evaluation.algorithms.get(place).map(|algorithm| algorithm.label()),
        _ => None,
    };
    tame(&known.unwrap_or_else(|| name(evaluation, data))).to_string()
}

fn push_measures(text: &mut String, evaluation: &Evaluation) {
    if !evaluation.is_feasible() {
        return;
    }
    let queries = &evaluation.queries;
    let _ = writeln!(
        text,
        "\nrecodings of the training parts, averaged; {} random counts over {} columns that select \
            about {} of the records:",
        count(queries.count),
        queries.columns,
        percent(queries.selectivity)
    );
    let mut heading: Vec<String> = ["", "classes", "class size", "suppressed", "ncp"]
        .iter()
        .map(ToString::to_string)
        .collect();
    for task in &evaluation.tasks {
        let what = if task.is_classes { "H(" } else { "WMSE(" };
        heading.push(format!("{what}{})", tame(&task.target)));
    }
    heading.extend(["count error", "mean", "KL bits"].iter().map(ToString::to_string));
    let measured = || evaluation.algorithms.iter().filter_map(|a| Some((a, a.measures.as_ref()?)));
    let has_selections = measured().any(|(_, measures)| measures.imprecision.is_some());
    if has_selections {
        heading.push("imprecision".into());
    }
    let number = |value: Option<f64>| value.map_or("-".to_string(), quantity);
    let mut lines = vec![heading];
    for (algorithm, measures) in measured() {
        let mut line = vec![tame(&algorithm.label()).to_string()];
        line.extend([
            quantity(measures.classes),
            quantity(measures.average_class_size),
            quantity(measures.suppressed),
            number(measures.ncp),
        ]);
        line.extend(measures.purity.iter().map(|purity| number(*purity)));
        line.extend([
            measures.query_error_median.map_or("-".into(), percent),
            measures.query_error_mean.map_or("-".into(), percent),
            number(measures.mean_divergence()),
        ]);
        if has_selections {
            line.push(number(measures.imprecision));
        }
        lines.push(line);
    }
    push_aligned(text, &lines);
}

/// Append lines of cells, the first of each aligned left and the others right.
pub(crate) fn push_aligned(text: &mut String, lines: &[Vec<String>]) {
    let n_columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |place: usize| lines.iter().filter_map(|l| l.get(place)).map(|c| c.chars().count()).max();
    let widths: Vec<usize> = (0..n_columns).map(|place| width(place).unwrap_or(0)).collect();
    for line in lines {
        let mut out = String::new();
        for (place, (cell, width)) in line.iter().zip(&widths).enumerate() {
            let _ = match place {
                0 => write!(out, "{cell:<width$}"),
                _ => write!(out, "  {cell:>width$}"),
            };
        }
        let _ = writeln!(text, "{}", out.trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::fixture::evaluation;

    #[test]
    fn the_tables_say_everything() {
        let text = words(&evaluation());
        for expected in [
            "data       people & <more>.csv (1,000 records)\n",
            "require    k-anonymity(k=5); at most 0 suppressed\n",
            "protocol   2 folds; on average 500 rows to train on and 500 to test on, seed 7\n",
            "note       a note\n",
            "infeasible full-domain: it can't, \"really\" <so>\n",
            "class: accuracy in percent, mean +- standard deviation (higher is better), from age, \
                sex\n",
            "records of its classes: 700, 297\n",
            "original               90.00 +-1.00*  90.00 +-1.00*\n",
            "auto: mondrian         85.00 +-1.00   85.00 +-1.00\n",
            "pay: mean absolute error, mean +- standard deviation (lower is better), from age, \
                sex\n",
            "                classes  class size  suppressed  ncp  H(class)  WMSE(pay)  count \
                error  mean  KL bits\n",
            "auto: mondrian       80        6.25           0  0.2       0.5         12         10 \
                %  30 %      0.2\n",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        assert!(!words(&Evaluation::default()).is_empty());
    }
}
