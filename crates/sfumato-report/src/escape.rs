//! Escapes all text that gets into a page.

use crate::words::tame;

/// Text made safe for HTML and SVG, between tags and inside double-quoted attributes. Control
/// characters, line breaks among them, become replacement characters.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in tame(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

/// Text of several lines made safe for HTML and SVG. Line breaks and tabs are kept.
pub(crate) fn escape_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| escape(&line.replace('\t', "    "))).collect();
    lines.join("\n")
}

/// A text cut to at most `most` characters, with an ellipsis if something is missing.
pub fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    let head: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", head.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_stays_markup() {
        let nasty = "<script>alert('x')</script> & \"y\"\u{0}";
        let safe = "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;y&quot;\u{fffd}";
        assert_eq!(escape(nasty), safe);
        assert_eq!(escape_lines("a < b\n\tc\r\n"), "a &lt; b\n    c");
    }

    #[test]
    fn shortening_counts_characters() {
        assert_eq!(shorten("äöü", 3), "äöü");
        assert_eq!(shorten("äöü äöü", 5), "äöü…");
    }
}
