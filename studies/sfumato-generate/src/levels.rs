//! Texts of hierarchy files: one line per leaf, the leaf first, then its ancestors, `*` last, split
//! by `;`.

/// Put the lines of a hierarchy file together; the root `*` is added to each.
pub(crate) fn file(lines: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(&line.join(";"));
        text.push_str(";*\n");
    }
    text
}

/// A number and the closed bands of the given widths around it; a width divides the next, so that
/// bands nest.
pub(crate) fn bands(value: u32, widths: &[u32]) -> Vec<String> {
    let mut line = vec![value.to_string()];
    line.extend(widths.iter().map(|width| {
        let low = value / width * width;
        format!("[{low}-{}]", low + width - 1)
    }));
    line
}

/// A text and its prefixes, hidden characters shown as `*`, down to `keep` visible ones.
pub(crate) fn masks(text: &str, keep: usize) -> Vec<String> {
    (keep..=text.len())
        .rev()
        .map(|shown| format!("{}{}", &text[..shown], "*".repeat(text.len() - shown)))
        .collect()
}

/// A leaf and its named ancestors.
pub(crate) fn named(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_nest_and_masks_shorten() {
        assert_eq!(bands(37, &[5, 10, 20]), ["37", "[35-39]", "[30-39]", "[20-39]"]);
        assert_eq!(masks("12345", 2), ["12345", "1234*", "123**", "12***"]);
        assert_eq!(file([named(&["nurse", "care"])]), "nurse;care;*\n");
    }
}
