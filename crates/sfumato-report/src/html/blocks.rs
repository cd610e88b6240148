//! Renders the sections of forms, and the blocks that they are made of.

use super::page::{Cell, Page};
use crate::section::{Block, Heading};

/// Render a section of a form, or nothing if it has nothing to show on this page.
pub(super) fn section(page: &mut Page, title: &str, blocks: &[Block]) {
    if !blocks.is_empty() {
        page.section(&id(title), title, |page| blocks.iter().for_each(|shown| block(page, shown)));
    }
}

/// The identifier of a section, made from its title.
fn id(title: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    title.chars().map(plain).collect()
}

fn block(page: &mut Page, block: &Block) {
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
