//! A part of a report that only one form of data has: its figures for the JSON, its lines for the
//! terminal, its blocks for the pages.
//!
//! The form makes it and this crate shows it, so that a new kind or form edits nothing here. What
//! may be handed out is said apart from what may not: nothing of a section gets into the public
//! report but `public` and `public_blocks`.

use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// What a form tells besides what every report tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The key of its figures in the report's JSON, which no other part of the report may have.
    pub key: String,
    /// Its heading on the pages.
    pub title: String,
    /// Where it stands on the pages.
    pub place: Place,
    /// What the private report's JSON shows under the key.
    pub figures: Value,
    /// What the public report's JSON shows under the key; nothing if there is none.
    pub public: Option<Value>,
    /// Key numbers at the head of the private page.
    pub tiles: Vec<Tile>,
    /// Lines of the summary, each a label and its words. Neighbours of one label are one list.
    pub lines: Vec<(String, String)>,
    /// What the private page shows; without any it has no such section.
    pub blocks: Vec<Block>,
    /// What the public page shows; without any it has no such section.
    pub public_blocks: Vec<Block>,
}

impl Section {
    /// A section of these figures. All of it is private until more is said.
    pub fn new(key: impl Into<String>, title: impl Into<String>, figures: &impl Serialize) -> Self {
        let (key, title, figures) = (key.into(), title.into(), figures_of(figures));
        Self { key, title, figures, ..Self::default() }
    }
}

/// Figures as JSON.
pub fn figures_of(figures: &impl Serialize) -> Value {
    serde_json::to_value(figures).expect("figures are plain structs, so every key is a string")
}

/// Where a section stands on a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// After what was asked and reached: how the release is to be read.
    #[default]
    Front,
    /// Beside the columns: what the data was made of.
    Details,
}

/// A key number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// What it is.
    pub name: String,
    /// The number.
    pub number: String,
    /// The small print.
    pub small: String,
}

impl Tile {
    /// A name, its number and the small print.
    pub fn new(name: impl Into<String>, number: String, small: impl Into<String>) -> Self {
        Self { name: name.into(), number, small: small.into() }
    }
}

/// A piece of a section on a page. All of it is text: markup in it is shown, not obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Sentences.
    Paragraph(String),
    /// A line that must not be overlooked.
    Banner(String),
    /// Sentences one below the other.
    List(Vec<String>),
    /// A table. The first cell of a row is its name.
    Table {
        /// What the table shows.
        caption: String,
        /// The headings of its columns.
        header: Vec<Heading>,
        /// Its rows, each of as many cells as there are headings.
        rows: Vec<Vec<String>>,
    },
}

/// The heading of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// What the column holds.
    pub text: String,
    /// Whether that is numbers, which are set flush right.
    pub is_number: bool,
}

impl Heading {
    /// Above words.
    pub fn words(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_number: false }
    }

    /// Above numbers.
    pub fn numbers(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_number: true }
    }
}

/// What may be handed out of a section.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PublicSection {
    /// The key of its figures in the JSON.
    pub key: String,
    /// Its heading on the page.
    pub title: String,
    /// Where it stands on the page.
    pub place: Place,
    /// What the JSON shows under the key.
    pub figures: Option<Value>,
    /// What the page shows.
    pub blocks: Vec<Block>,
}

impl PublicSection {
    /// What may be handed out of a section; none if nothing may, its name included.
    pub(crate) fn of(section: &Section) -> Option<Self> {
        if section.public.is_none() && section.public_blocks.is_empty() {
            return None;
        }
        Some(Self {
            key: section.key.clone(),
            title: section.title.clone(),
            place: section.place,
            figures: section.public.clone(),
            blocks: section.public_blocks.clone(),
        })
    }
}

/// Sections of the private report as keys of its JSON object.
pub(crate) mod flat {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(sections: &[Section], to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(sections.iter().map(|section| (&section.key, &section.figures)))
    }

    /// Only figures are in the JSON, so only figures come back.
    pub(crate) fn deserialize<'de, D>(from: D) -> Result<Vec<Section>, D::Error>
    where
        D: Deserializer<'de>,
    {
        let section = |(key, figures)| Section { key, figures, ..Section::default() };
        Ok(from.deserialize_map(UnknownKeys)?.into_iter().map(section).collect())
    }
}

/// The same for the public report.
pub(crate) mod public_flat {
    use super::*;

    pub(crate) fn serialize<S>(sections: &[PublicSection], to: S) -> Result<S::Ok, S::Error>
    where
        S: Serializer,
    {
        let shown = sections.iter().filter(|section| section.figures.is_some());
        to.collect_map(shown.map(|section| (&section.key, &section.figures)))
    }

    pub(crate) fn deserialize<'de, D>(from: D) -> Result<Vec<PublicSection>, D::Error>
    where
        D: Deserializer<'de>,
    {
        let section = |(key, figures)| {
            let figures = Some(figures);
            PublicSection { key, figures, ..PublicSection::default() }
        };
        Ok(from.deserialize_map(UnknownKeys)?.into_iter().map(section).collect())
    }
}

/// Collects the keys that the report itself doesn't have.
struct UnknownKeys;

impl<'de> Visitor<'de> for UnknownKeys {
    type Value = Vec<(String, Value)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(key) = access.next_key::<String>()? {
            // The evidence is flattened as well, and its keys are only taken out after this.
            if key.starts_with("evidence") {
                access.next_value::<IgnoredAny>()?;
            } else {
                found.push((key, access.next_value()?));
            }
        }
        Ok(found)
    }
}
