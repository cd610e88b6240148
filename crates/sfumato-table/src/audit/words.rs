//! The words and figures of an audit of a table.

use std::fmt::Write as _;

use sfumato_core::{Error, Result};
use sfumato_engine::audit::Figures;
use sfumato_engine::reports::figure_words;
use sfumato_report::Classes;
use sfumato_report::numbers::{count, percent, quantity};

use super::Audit;

impl Audit {
    /// The figures of the audit.
    pub fn figures(&self, path: &str) -> Result<Figures> {
        let json = match serde_json::to_value(self) {
            Ok(serde_json::Value::Object(json)) => json,
            _ => return Err(Error::internal("the figures of an audit can't be told")),
        };
        let (head, tail) = (self.words(path), String::new());
        Ok(Figures { rows: self.rows, is_true: None, json, head, tail })
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
