//! The page of an audit: whether what was asked for holds, why not, and the figures.

use super::page::{Cell, Page};
use crate::Guarantee;
use crate::words::{model_spec, reached};

/// The page of an audit of `path`. `words` is the audit as the command line prints it.
pub fn render_audit(path: &str, holds: bool, guarantees: &[Guarantee], words: &str) -> String {
    let mut page = Page::open("Audit", path);
    page.section("verdict", "What was asked for", |page| {
        let verdict = match (guarantees.is_empty(), holds) {
            (true, true) => "Nothing was asked for: the figures below say what the file achieves.",
            (false, true) => "All of it holds.",
            (_, false) => "Not all of it holds.",
        };
        match holds {
            true => page.paragraph(verdict),
            false => page.banner(verdict),
        }
        let row = |guarantee: &Guarantee| {
            vec![
                Cell::Head(model_spec(guarantee)),
                Cell::Text(reached(guarantee)),
                Cell::Outcome(guarantee.holds),
            ]
        };
        if !guarantees.is_empty() {
            let rows: Vec<Vec<Cell>> = guarantees.iter().map(row).collect();
            let headings = [("model", false), ("reached", false), ("", false)];
            page.table("Models that must hold", &headings, &rows);
        }
    });
    page.section("figures", "What the file achieves", |page| page.typed(words, false));
    page.close(env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_audit_says_so_and_escapes_what_it_read() {
        let guarantee = Guarantee { model: "k-anonymity".into(), ..Guarantee::default() };
        let html = render_audit("a<b.csv", false, &[guarantee], "file <x>\n");
        assert!(html.contains("Not all of it holds.") && html.contains("file &lt;x&gt;"), "{html}");
        assert!(html.contains("a&lt;b.csv") && !html.contains("<x>"), "{html}");
        assert!(render_audit("a", true, &[], "").contains("Nothing was asked for"));
    }
}
