//! The elements of both pages: the frame, sections, tables, tiles, the verdict and the guarantees.

use crate::escape::{escape, escape_lines};
use crate::words::{self, Standing, Verdict};
use crate::{Bound, Guarantee, Tile};

/// A page in progress. All text from outside goes through `escape` here, except in methods named
/// `markup`.
pub(super) struct Page {
    out: String,
    /// The sections so far: identifier and heading, escaped.
    sections: Vec<(String, String)>,
    /// Where the list of contents goes, and how many sections come before it.
    contents: Option<(usize, usize)>,
}

/// Tables with more rows show so many of them, and the others when they are opened.
const SHOWN_ROWS: usize = 30;

/// One cell of a table.
pub(super) enum Cell {
    /// The name of the row.
    Head(String),
    /// A text, which is escaped.
    Text(String),
    /// A number, aligned right.
    Num(String),
    /// Something to type, in a monospaced font.
    Code(String),
    /// Met or not met, in words and in colour.
    Outcome(bool),
}

/// A heading and whether its column holds numbers.
pub(super) type Heading<'a> = (&'a str, bool);

impl Page {
    /// Start a page, up to the beginning of the main part.
    pub(super) fn open(title: &str, subtitle: &str) -> Self {
        let (title, subtitle) = (escape(title), escape(subtitle));
        let style = include_str!("style.css");
        let out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src \
             'unsafe-inline'\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"robots\" \
             content=\"noindex\">\n\
             <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n\
             <header><div>\n<h1>{title}</h1>\n<p>{subtitle}</p>\n</div></header>\n<main>\n"
        );
        Self { out, sections: Vec::new(), contents: None }
    }

    /// Finish the page and return its text.
    pub(super) fn close(mut self, version: &str) -> String {
        let version = escape(version);
        self.markup(&format!(
            "<footer>Written by sfumato {version}. This page fetches nothing and runs no \
                script.</footer>\n"
        ));
        self.markup("</main>\n</body>\n</html>\n");
        if let Some((at, before)) = self.contents {
            let item = |(id, heading): &(String, String)| {
                format!("<li><a href=\"#{id}\">{heading}</a></li>\n")
            };
            let items: String = self.sections[before..].iter().map(item).collect();
            let list = format!(
                "<nav class=\"contents\" aria-label=\"Contents\"><ul>\n{items}</ul></nav>\n"
            );
            self.out.insert_str(at, if items.is_empty() { "" } else { &list });
        }
        self.out
    }

    /// Say that the list of contents goes here: it names the sections that follow.
    pub(super) fn contents(&mut self) {
        self.contents = Some((self.out.len(), self.sections.len()));
    }

    /// Append a part that is opened by a click on its summary, or is open from the start.
    pub(super) fn folded(&mut self, summary: &str, is_open: bool, fill: impl FnOnce(&mut Self)) {
        let open = if is_open { " open=\"open\"" } else { "" };
        self.markup(&format!("<details{open}><summary>{}</summary>\n", escape(summary)));
        fill(self);
        self.markup("</details>\n");
    }

    /// Append finished markup, such as a chart.
    pub(super) fn markup(&mut self, html: &str) {
        self.out.push_str(html);
    }

    /// Append a section with its heading. `fill` writes its content.
    pub(super) fn section(&mut self, id: &str, heading: &str, fill: impl FnOnce(&mut Self)) {
        let heading = escape(heading);
        self.sections.push((id.into(), heading.clone()));
        self.markup(&format!(
            "<section id=\"{id}\" aria-labelledby=\"{id}-h\">\n<h2 id=\"{id}-h\">{heading}</h2>\n"
        ));
        fill(self);
        self.markup("</section>\n");
    }

    /// Append a heading inside a section.
    pub(super) fn subheading(&mut self, text: &str) {
        self.markup(&format!("<h3>{}</h3>\n", escape(text)));
    }

    /// Append a paragraph.
    pub(super) fn paragraph(&mut self, text: &str) {
        self.markup(&format!("<p>{}</p>\n", escape(text)));
    }

    /// Append a line that must not be overlooked.
    pub(super) fn banner(&mut self, text: &str) {
        self.markup(&format!("<p class=\"banner\" role=\"note\">\u{26a0} {}</p>\n", escape(text)));
    }

    /// Append a list of sentences.
    pub(super) fn list(&mut self, items: &[String]) {
        let items: String =
            items.iter().map(|item| format!("<li>{}</li>\n", escape(item))).collect();
        self.markup(&format!("<ul>\n{items}</ul>\n"));
    }

    /// Append text as users type it: a command is wrapped, a file keeps its lines.
    pub(super) fn typed(&mut self, text: &str, wrap: bool) {
        let class = if wrap { " class=\"wrap\"" } else { "" };
        self.markup(&format!("<pre{class}><code>{}</code></pre>\n", escape_lines(text)));
    }

    /// Append tiles with a few key numbers.
    pub(super) fn tiles(&mut self, tiles: &[Tile]) {
        self.markup("<dl class=\"tiles\">\n");
        for tile in tiles {
            let (name, number) = (escape(&tile.name), escape(&tile.number));
            let small = escape(&tile.small);
            self.markup(&format!(
                "<div><dt>{name}</dt><dd>{number} <small>{small}</small></dd></div>\n"
            ));
        }
        self.markup("</dl>\n");
    }

    /// Append a table with a caption, column headings and rows. Of a long one the first rows are
    /// shown, and the others when they are opened.
    pub(super) fn table(&mut self, caption: &str, headings: &[Heading<'_>], rows: &[Vec<Cell>]) {
        let (first, others) = match rows.len() > SHOWN_ROWS + SHOWN_ROWS / 3 {
            true => rows.split_at(SHOWN_ROWS),
            false => (rows, &[][..]),
        };
        self.whole_table(caption, headings, first);
        if !others.is_empty() {
            let summary = format!("{} more", crate::numbers::count(others.len() as u64));
            self.folded(&summary, false, |page| page.whole_table(caption, headings, others));
        }
    }

    fn whole_table(&mut self, caption: &str, headings: &[Heading<'_>], rows: &[Vec<Cell>]) {
        self.markup(&format!(
            "<div class=\"scroll\"><table>\n<caption>{}</caption>\n<thead><tr>",
            escape(caption)
        ));
        for (heading, numeric) in headings {
            let class = if *numeric { " class=\"num\"" } else { "" };
            self.markup(&format!("<th scope=\"col\"{class}>{}</th>", escape(heading)));
        }
        self.markup("</tr></thead>\n<tbody>\n");
        for row in rows {
            self.markup("<tr>");
            row.iter().for_each(|cell| self.cell(cell));
            self.markup("</tr>\n");
        }
        self.markup("</tbody></table></div>\n");
    }

    fn cell(&mut self, cell: &Cell) {
        let html = match cell {
            Cell::Head(text) => format!("<th scope=\"row\">{}</th>", escape(text)),
            Cell::Text(text) => format!("<td>{}</td>", escape(text)),
            Cell::Num(text) => format!("<td class=\"num\">{}</td>", escape(text)),
            Cell::Code(text) => format!("<td><code>{}</code></td>", escape(text)),
            Cell::Outcome(true) => "<td class=\"good\">\u{2713} holds</td>".into(),
            Cell::Outcome(false) => "<td class=\"bad\">\u{2717} fails</td>".into(),
        };
        self.markup(&html);
    }

    /// Append the verdict in large type, with what it rests on.
    pub(super) fn verdict(&mut self, verdict: &Verdict, evidence: &str) {
        let (class, mark) = match verdict.standing {
            Standing::Holds => ("holds", "\u{2713}"),
            Standing::Fails => ("fails", "\u{2717}"),
            Standing::NoPromise => ("no-promise", "?"),
        };
        let (headline, evidence) = (escape(&verdict.headline), escape(evidence));
        self.markup(&format!(
            "<div class=\"verdict {class}\"><span class=\"mark\" aria-hidden=\"true\">{mark}</span>\
             <div><strong>{headline}.</strong><p>Evidence: {evidence}.</p></div></div>\n"
        ));
    }

    /// Append a table of what was required and achieved. The column of evidence is for the private
    /// page.
    pub(super) fn guarantees(&mut self, guarantees: &[Guarantee], with_evidence: bool) {
        let mut headings = vec![
            ("Model", false),
            ("Measure", false),
            ("Asked", true),
            ("Reached", true),
            ("Outcome", false),
        ];
        headings.push(("About", false));
        if with_evidence {
            headings.push(("Evidence", false));
        }
        let rows: Vec<Vec<Cell>> = guarantees
            .iter()
            .map(|g| {
                let sign = match g.bound {
                    Bound::AtLeast => "\u{2265}",
                    Bound::AtMost => "\u{2264}",
                };
                let asked = g
                    .required
                    .as_ref()
                    .map_or("\u{2013}".into(), |n| format!("{sign} {}", words::number(n)));
                let reached = g.achieved.as_ref().map_or("\u{2013}".into(), words::number);
                let mut row = vec![
                    Cell::Code(words::model_spec(g)),
                    Cell::Text(g.measure.clone()),
                    Cell::Num(asked),
                    Cell::Num(reached),
                    Cell::Outcome(g.holds),
                    Cell::Text(scope_words(&g.scope)),
                ];
                if with_evidence {
                    row.push(Cell::Text(g.evidence.clone()));
                }
                row
            })
            .collect();
        self.table("Requirements in the order in which they were asked", &headings, &rows);
    }
}

/// The meaning of a scope in words.
fn scope_words(scope: &str) -> String {
    let words = match scope {
        "class" => "every class",
        "projection" => "every asked set of columns or items",
        "release" => "the release as a whole",
        "linked" => "the release against the original",
        other => other,
    };
    words.into()
}
