//! A part of a report that only one form has: figures for the JSON, lines for the terminal, and
//! blocks for the pages.
//!
//! The form makes it and this crate shows it, so that a new kind or form edits nothing here. What
//! may be published is kept apart from the rest: nothing of a section gets into the public report
//! except `public` and `public_blocks`.

use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// The part of a report that is special to a form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The key of its figures in the report's JSON, which no other part of the report may use.
    pub key: String,
    /// The heading on the pages.
    pub title: String,
    /// The place on the pages.
    pub place: Place,
    /// The value under the key in the private report's JSON.
    pub figures: Value,
    /// The value under the key in the public report's JSON. `None` if there is none.
    pub public: Option<Value>,
    /// Whether its public part was measured beside the original: it isn't published where a
    /// mechanism promises privacy by its noise.
    pub is_of_original: bool,
    /// Key numbers at the top of the private page.
    pub tiles: Vec<Tile>,
    /// Lines of the summary, each a label and its text. Neighbouring lines with the same label form
    /// one list.
    pub lines: Vec<(String, String)>,
    /// The content on the private page. If it is empty, the page has no such section.
    pub blocks: Vec<Block>,
    /// The content on the public page. If it is empty, the page has no such section.
    pub public_blocks: Vec<Block>,
}

impl Section {
    /// A section with these figures. All of it is private unless the public fields are set.
    pub fn new(key: impl Into<String>, title: impl Into<String>, figures: &impl Serialize) -> Self {
        let (key, title, figures) = (key.into(), title.into(), figures_of(figures));
        Self { key, title, figures, ..Self::default() }
    }
}

/// Figures as JSON.
pub fn figures_of(figures: &impl Serialize) -> Value {
    serde_json::to_value(figures).expect("figures are plain structs, so every key is a string")
}

/// The place of a section on a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// After what was required and achieved: how to read the release.
    #[default]
    Front,
    /// With the columns: what the data consist of.
    Details,
}

/// A key number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The name of the number.
    pub name: String,
    /// The formatted number.
    pub number: String,
    /// A short explanation.
    pub small: String,
}

impl Tile {
    /// A tile with a name, its number and a short explanation.
    pub fn new(name: impl Into<String>, number: String, small: impl Into<String>) -> Self {
        Self { name: name.into(), number, small: small.into() }
    }
}

/// A piece of a section on a page. All of it is text: markup in it is shown and not interpreted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A paragraph of sentences.
    Paragraph(String),
    /// A line that must not be overlooked.
    Banner(String),
    /// Sentences one below the other.
    List(Vec<String>),
    /// A table. The first cell of a row is its name.
    Table {
        /// The caption of the table.
        caption: String,
        /// The headings of its columns.
        header: Vec<Heading>,
        /// The rows, each with as many cells as there are headings.
        rows: Vec<Vec<String>>,
    },
    /// A map of lines, drawn in the page itself.
    Map {
        /// What is seen on it.
        caption: String,
        /// The lines of each layer, one layer over the other.
        layers: Vec<Layer>,
    },
    /// Columns side by side. Of two series the first is what was before, drawn hatched.
    Columns {
        /// The caption of the picture.
        caption: String,
        /// The name of the horizontal axis.
        x: String,
        /// What each group of columns is about.
        labels: Vec<String>,
        /// The name of each series, and a number for each label.
        series: Vec<(String, Vec<u64>)>,
    },
    /// Dots and lines between them.
    Network {
        /// The caption of the picture.
        caption: String,
        /// The dots.
        dots: Vec<Dot>,
        /// The lines: the numbers of both dots, and how the line is drawn.
        lines: Vec<(u32, u32, Stroke)>,
    },
}

/// Lines of a map that are drawn alike. Coordinates are whole numbers of any unit, with y upwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// What the lines are, for the legend.
    pub name: String,
    /// Whether they are what was there before, which is drawn paler.
    pub is_before: bool,
    /// The points of each line; a line of one point is a dot.
    pub lines: Vec<Vec<(i64, i64)>>,
}

/// A dot of a picture: where it is, from 0 to 1000 across and down, and its radius.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dot {
    /// How far it is from the left.
    pub x: u16,
    /// How far it is from the top.
    pub y: u16,
    /// Its radius.
    pub radius: u16,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// As thick as this many tenths of a pixel.
    Plain(u16),
    /// As something that is new.
    Added,
    /// As something that is gone: dashed.
    Gone,
}

/// The heading of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The text of the heading.
    pub text: String,
    /// Whether the column holds numbers, which are aligned right.
    pub is_number: bool,
}

impl Heading {
    /// The heading of a column of words.
    pub fn words(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_number: false }
    }

    /// The heading of a column of numbers.
    pub fn numbers(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_number: true }
    }
}

/// The part of a section that may be published.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PublicSection {
    /// The key of its figures in the JSON.
    pub key: String,
    /// The heading on the page.
    pub title: String,
    /// The place on the page.
    pub place: Place,
    /// The value under the key in the JSON.
    pub figures: Option<Value>,
    /// The content on the page.
    pub blocks: Vec<Block>,
}

impl PublicSection {
    /// The public part of a section. `None` if nothing of it may be published, including its name.
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

/// Serializes sections of the private report as keys of its JSON object.
pub(crate) mod flat {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(sections: &[Section], to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(sections.iter().map(|section| (&section.key, &section.figures)))
    }

    /// Only figures are in the JSON, so only figures are read back.
    pub(crate) fn deserialize<'de, D>(from: D) -> Result<Vec<Section>, D::Error>
    where
        D: Deserializer<'de>,
    {
        let section = |(key, figures)| Section { key, figures, ..Section::default() };
        Ok(from.deserialize_map(UnknownKeys)?.into_iter().map(section).collect())
    }
}

/// Serializes sections of the public report as keys of its JSON object.
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

/// Collects the keys that aren't fields of the report itself.
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
