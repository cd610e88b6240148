//! Writes values back into a text: what it says of the person becomes what the row says, and
//! nothing more.

use sfumato_core::Result;
use sfumato_text::data::{Reason, Replaced, replace};
use sfumato_text::forms::redacted::{tag, take_out};
use sfumato_text::job::Level;

use super::joint::{Cells, says_more};
use crate::data::Noted;

/// How often a text is looked through again at most.
const ROUNDS: usize = 12;

/// What is replaced in the text of a note whose row says `cells`. `direct` gives what takes the
/// place of a part that names somebody: its class and its text are given.
pub fn rewrite(
    noted: &Noted,
    record: usize,
    cells: &Cells<'_>,
    level: Level,
    direct: &mut dyn FnMut(usize, &str, &str) -> Result<String>,
) -> Result<Vec<Replaced>> {
    let text = &noted.texts[record];
    let mut replaced = Vec::new();
    for part in &noted.view.parts[record] {
        let inner = &text[part.span.start..part.span.end];
        let shown = match part.of.is_empty() {
            true => Some(direct(part.span.start, &part.span.class, inner)?),
            false => value(noted, record, cells, level, (&part.of, inner))
                .map(|text| text.unwrap_or_else(|| tag(&part.span.class))),
        };
        replaced.extend(shown.map(|text| Replaced {
            start: part.span.start,
            end: part.span.end,
            class: part.span.class.clone(),
            text,
            reason: Reason::Detected,
        }));
    }
    if level == Level::Partial {
        return Ok(replaced);
    }
    // Other words around a part may let detectors see what they didn't see before.
    for _ in 0..ROUNDS {
        let now = replace(text, &replaced);
        let more: Vec<_> = says_more(&noted.extractor, &now, cells)
            .map(|part| part.span.start..part.span.end)
            .collect();
        if more.is_empty() {
            break;
        }
        replaced = take_out(replaced, &more, now.len());
    }
    Ok(replaced)
}

/// What takes the place of a value of attributes: nothing where it may stay, the cell of its row
/// where that says less of the same, else a mark.
fn value(
    noted: &Noted,
    record: usize,
    cells: &Cells<'_>,
    level: Level,
    (of, inner): (&[usize], &str),
) -> Option<Option<String>> {
    if level == Level::Partial {
        return None;
    }
    for at in of {
        let attribute = &noted.extractor.attributes[*at];
        let said = attribute.value(inner);
        let Some(cell) = cells[*at].filter(|cell| !cell.is_empty()) else { continue };
        if attribute.value_of_cell(cell) == said {
            return None;
        }
        if noted.view.values[*at][record].as_ref() == Some(&said) && cell != "*" {
            return Some(Some(cell.to_string()));
        }
    }
    Some(None)
}
