//! Where the text of documents is: in the files of a folder, or in a field of each record.

use std::fmt;
use std::str::FromStr;

use sfumato_core::{Error, Result};

/// Where the text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layout {
    /// Each file of a folder is a document.
    Folder,
    /// A field of each line of JSON, or a column of a table.
    Field {
        /// The name of the field or column.
        name: String,
        /// The field or column that says which person a document is about.
        subject: Option<String>,
    },
}

impl FromStr for Layout {
    type Err = Error;

    fn from_str(text: &str) -> Result<Layout> {
        if text.trim() == "folder" {
            return Ok(Layout::Folder);
        }
        let wrong = || {
            Error::params(format!("can't read where the text is from '{text}'"))
                .hint("say folder, 'field=NAME' or 'field=NAME, subject=NAME'")
        };
        let (mut name, mut subject) = (None, None);
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or_else(wrong)?;
            let place = match key.trim() {
                "field" | "column" => &mut name,
                "subject" => &mut subject,
                _ => return Err(wrong()),
            };
            let is_new = place.replace(value.trim().to_string()).is_none();
            if !is_new || value.trim().is_empty() {
                return Err(wrong());
            }
        }
        Ok(Layout::Field { name: name.ok_or_else(wrong)?, subject })
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Layout::Folder => f.write_str("folder"),
            Layout::Field { name, subject: None } => write!(f, "field={name}"),
            Layout::Field { name, subject: Some(subject) } => {
                write!(f, "field={name}, subject={subject}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_read_and_written() {
        for text in ["folder", "field=text", "field=a note, subject=patient"] {
            assert_eq!(text.parse::<Layout>().unwrap().to_string(), text);
        }
        assert_eq!("column=note".parse::<Layout>().unwrap().to_string(), "field=note");
        for text in ["", "file", "field", "field=", "field=a, field=b", "subject=a", "x=1"] {
            assert_eq!(text.parse::<Layout>().unwrap_err().kind.exit_code(), 2, "{text}");
        }
    }
}
