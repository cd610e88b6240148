//! Releases of the same data side by side: what each of them keeps.
//!
//! Everything is measured from the bytes of the releases, beside their original. What a form can't
//! measure is said, and never counted as kept.

use std::fmt::Write as _;

use serde::Serialize;

use crate::numbers::{count, percent, quantity};
use crate::words::label;
use crate::{Classes, Kept, MetricNote, Ordered};

/// Releases of the same data, compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// What several records are called: `tables`, `baskets`.
    pub kind: String,
    /// The path of the original.
    pub original: String,
    /// The releases, in the order in which they were named.
    pub releases: Vec<Side>,
    /// What the metrics say.
    #[serde(skip)]
    pub metric_notes: Vec<MetricNote>,
}

/// One of the releases.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Side {
    /// The path of the release.
    pub path: String,
    /// The name of its form.
    pub form: String,
    /// The number of its records.
    pub rows: u64,
    /// Its classes, if it has classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classes: Option<Classes>,
    /// Its metrics, as far as they can be measured without knowing which record became which.
    pub metrics: Ordered<Option<f64>>,
    /// What it keeps of each part.
    pub kept: Vec<Kept>,
    /// How well it answers questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<Answered>,
    /// What couldn't be measured, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// How well a release answers questions. An error is a share of the true answer, or of one per cent
/// of the records where the true answer is less.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Answered {
    /// The number of questions.
    pub questions: u64,
    /// The number of questions to which the release gives no estimate.
    pub unanswered: u64,
    /// The mean error.
    pub mean_error: f64,
    /// The error that half of the answers don't exceed.
    pub median_error: f64,
    /// The largest error.
    pub largest_error: f64,
    /// The mean error of the questions about each part.
    pub by_part: Ordered<Option<f64>>,
}

impl Answered {
    /// Summarize errors: of each question what it is about, and its error. `None` is no answer.
    pub fn of(errors: &[(String, Option<f64>)]) -> Self {
        let mut known: Vec<f64> = errors.iter().filter_map(|(_, error)| *error).collect();
        known.sort_by(f64::total_cmp);
        let mean = |errors: &[f64]| match errors.len() {
            0 => f64::NAN,
            n => errors.iter().sum::<f64>() / n as f64,
        };
        let mut by_part: Ordered<Option<f64>> = Ordered::new();
        for (part, _) in errors {
            let of_part = errors.iter().filter(|(other, _)| other == part);
            let of_part: Vec<f64> = of_part.filter_map(|(_, error)| *error).collect();
            by_part.insert(part.as_str(), (!of_part.is_empty()).then(|| mean(&of_part)));
        }
        Answered {
            questions: errors.len() as u64,
            unanswered: (errors.len() - known.len()) as u64,
            mean_error: mean(&known),
            median_error: known.get(known.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN),
            largest_error: known.last().copied().unwrap_or(f64::NAN),
            by_part,
        }
    }
}

/// A line of the comparison: its name, a cell for each release, and which way is better, if any.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) cells: Vec<String>,
    pub(crate) note: String,
}

impl Comparison {
    /// The letters by which the releases are called.
    pub fn letters(&self) -> Vec<String> {
        (0..self.releases.len() as u8).map(|n| char::from(b'A' + n % 26).to_string()).collect()
    }

    fn cells(&self, cell: impl Fn(&Side) -> Option<String>) -> Vec<String> {
        self.releases.iter().map(|side| cell(side).unwrap_or_else(|| "-".into())).collect()
    }

    /// Records and classes.
    pub(crate) fn sizes(&self) -> Vec<Row> {
        let row = |name: &str, cell: &dyn Fn(&Side) -> Option<String>| Row {
            name: name.into(),
            cells: self.cells(cell),
            note: String::new(),
        };
        let classes = |cell: fn(&Classes) -> String| {
            move |side: &Side| -> Option<String> { side.classes.as_ref().map(cell) }
        };
        let mut rows = vec![
            row("form", &|side| Some(side.form.clone())),
            row("records", &|side| Some(count(side.rows))),
        ];
        if self.releases.iter().any(|side| side.classes.is_some()) {
            rows.extend([
                row("classes", &classes(|classes| count(classes.count))),
                row("smallest class", &classes(|classes| count(classes.min))),
                row("mean class", &classes(|classes| quantity(classes.mean))),
                row("largest class", &classes(|classes| count(classes.max))),
            ]);
        }
        rows
    }

    /// The metrics that any release has.
    pub(crate) fn metrics(&self) -> Vec<Row> {
        let names: Ordered<()> = self
            .releases
            .iter()
            .flat_map(|side| side.metrics.iter().map(|(name, _)| (name, ())))
            .collect();
        let row = |(name, ()): (&str, &())| {
            let note = self.metric_notes.iter().find(|note| note.name == name);
            Row {
                name: label(name),
                cells: self.cells(|side| side.metrics.get(name).copied()?.map(quantity)),
                note: note.map_or(String::new(), |note| note.direction().into()),
            }
        };
        names.iter().map(row).collect()
    }

    /// The errors of answers.
    pub(crate) fn answers(&self) -> Vec<Row> {
        if self.releases.iter().all(|side| side.answers.is_none()) {
            return Vec::new();
        }
        let row = |name: &str, cell: fn(&Answered) -> String, note: &str| Row {
            name: name.into(),
            cells: self.cells(|side| side.answers.as_ref().map(cell)),
            note: note.into(),
        };
        let less = "less is better";
        vec![
            row("questions", |answers| count(answers.questions), ""),
            row("without an answer", |answers| count(answers.unanswered), less),
            row("mean error", |answers| percent(answers.mean_error), less),
            row("median error", |answers| percent(answers.median_error), less),
            row("largest error", |answers| percent(answers.largest_error), less),
        ]
    }

    /// The names of all parts, in the order of first mention.
    fn parts(&self) -> Vec<String> {
        let mut parts: Ordered<()> = Ordered::new();
        for side in &self.releases {
            side.kept.iter().for_each(|kept| parts.insert(kept.part.as_str(), ()));
            let asked = side.answers.iter().flat_map(|answers| answers.by_part.iter());
            asked.for_each(|(part, _)| parts.insert(part, ()));
        }
        parts.iter().map(|(name, ())| name.to_string()).collect()
    }

    /// For each part what each release loses of it, in words.
    pub(crate) fn losses(&self) -> Vec<Row> {
        let row = |part: String| {
            let cell = |side: &Side| {
                let kept = side.kept.iter().find(|kept| kept.part == part);
                let lost =
                    kept.map(|kept| format!("{} kept, loss {}", kept.word(), percent(kept.lost)));
                let asked = side.answers.as_ref().and_then(|answers| answers.by_part.get(&part));
                let asked = asked.copied().flatten();
                let asked = asked.map(|error| format!("answers off by {}", percent(error)));
                let said: Vec<String> = lost.into_iter().chain(asked).collect();
                (!said.is_empty()).then(|| said.join("; "))
            };
            let cells = self.cells(cell);
            Row { name: part.clone(), cells, note: String::new() }
        };
        self.parts().into_iter().map(row).collect()
    }

    /// What the comparison comes to, one sentence each.
    pub fn verdict(&self) -> Vec<String> {
        let letters = self.letters();
        let mut said = Vec::new();
        let of_kept = |part: &str, side: &Side| {
            side.kept.iter().find(|kept| kept.part == part).map(|kept| kept.lost)
        };
        let parts = self.parts();
        let mut wins = vec![0_usize; letters.len()];
        let mut shared = 0;
        for part in &parts {
            let lost: Vec<Option<f64>> =
                self.releases.iter().map(|side| of_kept(part, side)).collect();
            let Some(lost) = lost.into_iter().collect::<Option<Vec<f64>>>() else { continue };
            shared += 1;
            let least = lost.iter().copied().fold(f64::INFINITY, f64::min);
            let best: Vec<usize> =
                (0..lost.len()).filter(|side| lost[*side] <= least + 1e-12).collect();
            if let [one] = best[..] {
                wins[one] += 1;
            }
        }
        let columns = |n: usize| match n {
            1 => "1 part".to_string(),
            n => format!("{n} parts"),
        };
        for (letter, wins) in letters.iter().zip(&wins).filter(|(_, wins)| **wins > 0) {
            said.push(format!("{letter} loses least in {} of {shared}", columns(*wins)));
        }
        if shared > 0 && wins.iter().all(|wins| *wins == 0) {
            said.push("no release loses less of any part than the others".into());
        }
        let errors: Vec<Option<f64>> = self
            .releases
            .iter()
            .map(|side| side.answers.as_ref().map(|answers| answers.mean_error))
            .map(|error| error.filter(|error| error.is_finite()))
            .collect();
        if let Some(errors) = errors.into_iter().collect::<Option<Vec<f64>>>() {
            let named: Vec<String> = letters
                .iter()
                .zip(&errors)
                .map(|(letter, error)| format!("by {} in {letter}", percent(*error)))
                .collect();
            said.push(format!("answers are off {} on average", named.join(" and ")));
        }
        said
    }

    /// The comparison as text for people.
    pub fn words(&self) -> String {
        let mut text = String::new();
        let letters = self.letters();
        let _ = writeln!(text, "original   {}", self.original);
        for (letter, side) in letters.iter().zip(&self.releases) {
            let _ = writeln!(text, "{letter:<10} {}", side.path);
        }
        self.verdict().iter().for_each(|said| {
            let _ = writeln!(text, "verdict    {said}");
        });
        for (title, rows) in [
            ("sizes", self.sizes()),
            ("metrics", self.metrics()),
            ("answers", self.answers()),
            ("each part", self.losses()),
        ] {
            if !rows.is_empty() {
                let _ = writeln!(text, "\n{title}");
                grid(&mut text, &letters, &rows);
            }
        }
        for (letter, side) in letters.iter().zip(&self.releases) {
            for remark in &side.remarks {
                let _ = writeln!(text, "\nof {letter}: {remark}");
            }
        }
        text
    }
}

/// Rows under the letters of the releases, aligned.
fn grid(text: &mut String, letters: &[String], rows: &[Row]) {
    let wide = |texts: &mut dyn Iterator<Item = &String>| {
        texts.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let first = wide(&mut rows.iter().map(|row| &row.name)).max(10);
    let widths: Vec<usize> = (0..letters.len())
        .map(|side| wide(&mut rows.iter().map(|row| &row.cells[side])).max(1))
        .collect();
    let mut line = |name: &str, cells: &[String], note: &str| {
        let cells: Vec<String> = cells
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}", width = *width))
            .collect();
        let line = format!("  {name:<first$}  {}  {note}", cells.join("  "));
        let _ = writeln!(text, "{}", line.trim_end());
    };
    line("", letters, "");
    rows.iter().for_each(|row| line(&row.name, &row.cells, &row.note));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render_comparison;

    fn side(path: &str, lost: [f64; 2], error: f64) -> Side {
        let kept = |part: &str, lost| Kept { part: part.into(), lost, ..Kept::default() };
        Side {
            path: path.into(),
            form: "generalized".into(),
            rows: 10,
            metrics: [("ncp", Some((lost[0] + lost[1]) / 2.0))].into_iter().collect(),
            kept: vec![kept("age", lost[0]), kept("zip", lost[1])],
            answers: Some(Answered::of(&[
                ("age".into(), Some(error)),
                ("age".into(), Some(3.0 * error)),
                ("zip".into(), None),
            ])),
            ..Side::default()
        }
    }

    fn comparison() -> Comparison {
        Comparison {
            kind: "tables".into(),
            original: "data.csv".into(),
            releases: vec![side("a.csv", [0.1, 0.5], 0.25), side("b<.csv", [0.2, 0.5], 0.5)],
            metric_notes: vec![MetricNote {
                name: "ncp",
                summary: "how wide cells are",
                more_is_better: false,
            }],
        }
    }

    #[test]
    fn errors_are_summarized() {
        let answers = side("a", [0.0, 0.0], 0.25).answers.unwrap();
        assert_eq!((answers.questions, answers.unanswered), (3, 1));
        let errors = [answers.mean_error, answers.median_error, answers.largest_error];
        assert_eq!(errors, [0.5, 0.25, 0.75]);
        assert_eq!(answers.by_part.get("age"), Some(&Some(0.5)));
        assert_eq!(answers.by_part.get("zip"), Some(&None));
        assert!(Answered::of(&[]).mean_error.is_nan());
    }

    #[test]
    fn releases_stand_side_by_side_and_the_better_one_is_named() {
        let compared = comparison();
        let verdict = compared.verdict();
        let expected =
            ["A loses least in 1 part of 2", "answers are off by 50 % in A and by 100 % in B"];
        assert_eq!(verdict[0], expected[0]);
        assert!(verdict[1].starts_with(expected[1]), "{verdict:?}");
        let words = compared.words();
        for text in ["A          a.csv", "less is better", "zip", "answers off by 50 %"] {
            assert!(words.contains(text), "{words}");
        }
        let page = render_comparison(&compared);
        assert!(page.contains("b&lt;.csv") && page.contains("how wide cells are"), "{page}");
    }
}
