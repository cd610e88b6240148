//! Where the text of documents is: in the files of a folder, or in a field of each record.

use std::fmt;
use std::str::FromStr;

use sfumato_core::{Error, Result};

/// Where the text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layout {
    /// Each file of a folder is a document.
    Folder,
    /// Each message of a mailbox is a document.
    Mailbox,
    /// A field of each line of JSON, or a column of a table.
    Field {
        /// The name of the field or column.
        name: String,
        /// The field or column that says which person a document is about.
        subject: Option<String>,
        /// The field or column that says of which sort a document is, to measure what a classifier
        /// still learns.
        label: Option<String>,
    },
}

impl FromStr for Layout {
    type Err = Error;

    fn from_str(text: &str) -> Result<Layout> {
        if text.trim() == "folder" {
            return Ok(Layout::Folder);
        }
        if text.trim() == "mbox" {
            return Ok(Layout::Mailbox);
        }
        let wrong = || {
            Error::params(format!("can't read where the text is from '{text}'"))
                .hint("say folder, mbox, 'field=NAME' or 'field=NAME, subject=NAME'")
        };
        let (mut name, mut subject, mut label) = (None, None, None);
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or_else(wrong)?;
            let place = match key.trim() {
                "field" | "column" => &mut name,
                "subject" => &mut subject,
                "label" => &mut label,
                _ => return Err(wrong()),
            };
            let is_new = place.replace(value.trim().to_string()).is_none();
            if !is_new || value.trim().is_empty() {
                return Err(wrong());
            }
        }
        Ok(Layout::Field { name: name.ok_or_else(wrong)?, subject, label })
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Layout::Folder => f.write_str("folder"),
            Layout::Mailbox => f.write_str("mbox"),
            Layout::Field { name, subject, label } => {
                write!(f, "field={name}")?;
                for (key, value) in [("subject", subject), ("label", label)] {
                    if let Some(value) = value {
                        write!(f, ", {key}={value}")?;
                    }
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_read_and_written() {
        for text in ["folder", "mbox", "field=text", "field=a note, subject=patient, label=ward"] {
            assert_eq!(text.parse::<Layout>().unwrap().to_string(), text);
        }
        assert_eq!("column=note".parse::<Layout>().unwrap().to_string(), "field=note");
        for text in ["", "file", "field", "field=", "field=a, field=b", "subject=a", "x=1"] {
            assert_eq!(text.parse::<Layout>().unwrap_err().kind.exit_code(), 2, "{text}");
        }
    }
}
