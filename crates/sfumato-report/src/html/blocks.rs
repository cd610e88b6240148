//! Renders the sections of forms, and the blocks that they are made of.

use super::page::{Cell, Page};
use crate::numbers::count;
use crate::section::{Block, Heading};
use crate::svg::{self, Caption, Scale, Series};

/// Render a section of a form, or nothing if it has nothing to show on this page.
pub(super) fn section(page: &mut Page, title: &str, blocks: &[Block]) {
    if !blocks.is_empty() {
        let id = id(title);
        page.section(&id, title, |page| {
            for (place, shown) in blocks.iter().enumerate() {
                block(page, shown, &format!("{id}-{place}"));
            }
        });
    }
}

/// The identifier of a section, made from its title.
fn id(title: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    title.chars().map(plain).collect()
}

fn block(page: &mut Page, block: &Block, id: &str) {
    match block {
        Block::Paragraph(text) => page.paragraph(text),
        Block::Banner(text) => page.banner(text),
        Block::List(items) => page.list(items),
        Block::Table { caption, header, rows } => {
            let headings: Vec<(&str, bool)> =
                header.iter().map(|heading| (heading.text.as_str(), heading.is_number)).collect();
            let rows: Vec<Vec<Cell>> = rows.iter().map(|row| cells(row, header)).collect();
            page.table(caption, &headings, &rows);
        }
        Block::Map { caption, layers } => {
            page.paragraph(caption);
            page.markup(&crate::map::map(caption, layers));
        }
        Block::Columns { caption, x, labels, series } => {
            let description = "Grouped columns; where there are two series the first is hatched.";
            let class = |place: usize| match series.len() > 1 && place == 0 {
                true => "before",
                false => "after",
            };
            let series: Vec<Series<'_>> = series
                .iter()
                .enumerate()
                .map(|(place, (name, values))| Series {
                    name,
                    class: class(place),
                    values: values.iter().map(|value| *value as f64).collect(),
                })
                .collect();
            let scale = Scale { top: None, format: |value| count(value.max(0.0) as u64) };
            let caption = Caption { id, title: caption, description };
            page.paragraph(caption.title);
            page.markup(&svg::columns(&caption, labels, x, &series, &scale));
        }
        Block::Network { caption, dots, lines } => {
            let description =
                "Dots and lines between them: dashed lines are gone, strong ones new.";
            page.paragraph(caption);
            page.markup(&svg::network(&Caption { id, title: caption, description }, dots, lines));
        }
    }
}

fn cells(row: &[String], header: &[Heading]) -> Vec<Cell> {
    let cell = |(place, (text, heading)): (usize, (&String, &Heading))| match heading.is_number {
        _ if place == 0 => Cell::Head(text.clone()),
        true => Cell::Num(text.clone()),
        false => Cell::Text(text.clone()),
    };
    row.iter().zip(header).enumerate().map(cell).collect()
}
