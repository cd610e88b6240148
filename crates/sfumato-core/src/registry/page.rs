//! The reference page of an entry, as Markdown, made from what the entry says about itself.

use std::fmt::Write as _;

use super::{Info, ParamKind};

impl Info {
    /// The page, with what the entry is or can do in sentences, as its family says it.
    pub fn page(&self, told: &[String]) -> String {
        let mut text = format!("# {}\n\n{}\n", self.name, self.summary);
        if !told.is_empty() {
            text.push_str("\n## At a glance\n\n");
        }
        told.iter().for_each(|sentence| text += &format!("- {sentence}\n"));
        if !self.params.is_empty() {
            text.push_str("\n## Parameters and their ranges\n\n");
        }
        for param in self.params {
            let default = match (param.default, param.optional) {
                (Some(default), _) => format!(", default {default}"),
                (None, true) => ", optional".into(),
                (None, false) => ", required".into(),
            };
            let _ = writeln!(
                text,
                "- `{}` ({}{default}): {}",
                param.name,
                param.kind.range(),
                param.help
            );
        }
        if !self.doc.trim().is_empty() {
            let _ = writeln!(text, "\n{}", self.doc.trim());
        }
        if !self.properties.is_empty() {
            text.push_str("\n## Properties\n\n");
        }
        for (property, what) in self.properties {
            let _ = writeln!(text, "- {property}: {what}");
        }
        if !self.papers.is_empty() {
            text.push_str("\n## Papers\n\n");
        }
        for paper in self.papers {
            let _ = writeln!(
                text,
                "- {}. *{}*. {}, {}.",
                paper.authors, paper.title, paper.venue, paper.year
            );
        }
        text
    }
}

impl ParamKind {
    /// The allowed values in words.
    pub fn range(&self) -> String {
        match self {
            ParamKind::Integer { min, max: i64::MAX } => {
                format!("a whole number of at least {min}")
            }
            ParamKind::Integer { min, max } => format!("a whole number from {min} to {max}"),
            ParamKind::Number { min, above, max } => {
                let lower = match (*min == f64::MIN, above) {
                    (true, _) => String::new(),
                    (false, true) => format!(" above {min}"),
                    (false, false) => format!(" of at least {min}"),
                };
                let upper =
                    if *max == f64::MAX { String::new() } else { format!(" and at most {max}") };
                format!("a number{lower}{upper}")
            }
            ParamKind::Flag => "true or false".into(),
            ParamKind::Choice(words) => format!("one of {}", words.join(", ")),
            ParamKind::Text => "a text".into(),
            ParamKind::List => "a list".into(),
        }
    }
}
