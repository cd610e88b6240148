//! The words and figures of an audit of a table.

use std::fmt::Write as _;

use sfumato_core::{Error, Result};
use sfumato_engine::audit::Figures;
use sfumato_engine::reports::figure_words;
use sfumato_report::Classes;
use sfumato_report::numbers::{count, counted, percent, quantity};

use super::Audit;

impl Audit {
    /// The figures of the audit.
    pub fn figures(&self, path: &str) -> Result<Figures> {
        let json = match serde_json::to_value(self) {
            Ok(serde_json::Value::Object(json)) => json,
            _ => return Err(Error::internal("the figures of an audit can't be told")),
        };
        let (head, tail) = (self.words(path), self.failing_words() + &self.truth_words());
        let linked = self.pseudonyms.iter();
        let linked: String =
            linked.map(|linked| format!("pseudonyms {}\n", linked.words())).collect();
        let tail = tail + &linked;
        let is_true = self.truth.as_ref().map(|truth| truth.false_rows == 0);
        Ok(Figures { rows: self.rows, is_true, json, head, tail })
    }

    /// Which classes fail, how many people are in them, and which columns single them out.
    fn failing_words(&self) -> String {
        let mut text = String::new();
        for failing in &self.failing {
            let _ = writeln!(
                text,
                "failing    {}: {} of {}, {}",
                failing.requirement,
                count(failing.classes),
                if failing.of_classes == 1 {
                    "1 class".into()
                } else {
                    format!("{} classes", count(failing.of_classes))
                },
                if failing.people == 1 {
                    "1 person".to_string()
                } else {
                    format!("{} people", count(failing.people))
                }
            );
            for (column, mended) in &failing.singled_out_by {
                let _ = writeln!(
                    text,
                    "           without {column} {} of these would meet it",
                    count(*mended)
                );
            }
            for class in &failing.listed {
                let cells = class.published.iter().map(|(name, text)| format!("{name} {text}"));
                let cells: Vec<String> = cells.collect();
                let _ = writeln!(text, "  {:>7}  {}", count(class.people), cells.join(", "));
            }
            if let more @ 1.. = failing.classes - failing.listed.len() as u64 {
                let _ = writeln!(text, "           and {} more", count(more));
            }
        }
        text
    }

    /// Whether the rows are true of the original.
    fn truth_words(&self) -> String {
        let has_original = self.risks.iter().any(|(_, change)| change.before.is_some());
        let truth = match &self.truth {
            Some(truth) => truth,
            None if has_original && self.buckets.is_none() => {
                return "truth      not compared: that takes both files in memory\n".into();
            }
            None => return String::new(),
        };
        let mut text = match truth.false_rows {
            0 => format!(
                "truth      all {} fit different records of the original in {}\n",
                counted(truth.rows, "row"),
                truth.compared.join(", ")
            ),
            n => format!(
                "truth      {} of {} NOT TRUE: no records of the original are left that fit {}\n",
                count(n),
                counted(truth.rows, "row"),
                if n == 1 { "it" } else { "them" }
            ),
        };
        if !truth.unknown.is_empty() {
            let _ = writeln!(
                text,
                "           not compared, since labels need their --hierarchy: {}",
                truth.unknown.join(", ")
            );
        }
        text
    }

    fn words(&self, path: &str) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "file       {path} ({} rows)", count(self.rows));
        let _ = writeln!(text, "quasi      {}", self.quasi.join(", "));
        if !self.sensitive.is_empty() {
            let _ = writeln!(text, "sensitive  {}", self.sensitive.join(", "));
        }
        text += &match &self.buckets {
            Some(form) => group_line(&self.classes, form),
            None => class_line(&self.classes),
        };
        if self.fully_suppressed > 0 {
            let _ = writeln!(
                text,
                "           {} rows are * in every quasi column",
                count(self.fully_suppressed)
            );
        }
        let _ = writeln!(text, "achieved");
        for achieved in &self.achieved {
            let column = achieved.column.as_ref();
            let on = column.map_or(String::new(), |column| format!(" on {column}"));
            let value = achieved.value.as_ref().map_or("none".into(), figure_words);
            let model = format!("{}{on}", achieved.model);
            let _ = writeln!(text, "  {model:<46} {} = {value}", achieved.measure);
        }
        let _ = writeln!(text, "risks");
        for (name, change) in self.risks.iter() {
            let show = |value: Option<f64>| value.map_or("-".to_string(), percent);
            let before = match change.before {
                Some(_) => format!("{} before, ", show(change.before)),
                None => String::new(),
            };
            let name = name.replace('_', " ");
            let _ = writeln!(text, "  {name:<46} {before}{}", show(change.after));
        }
        text
    }
}

fn group_line(groups: &Classes, form: &str) -> String {
    format!(
        "buckets    {form}: {} groups, smallest {}, mean {}, largest {}; quasi values are \
            published \
         as they are\n",
        count(groups.count),
        count(groups.min),
        quantity(groups.mean),
        count(groups.max)
    )
}

fn class_line(classes: &Classes) -> String {
    format!(
        "classes    {}, smallest {}, mean {}, largest {}; {} uniques\n",
        count(classes.count),
        count(classes.min),
        quantity(classes.mean),
        count(classes.max),
        count(classes.uniques)
    )
}
