//! Guesses that wait for a person: comments of a release.toml that begin with CHECK.
//!
//! `sfumato init` writes them above the keys that it guessed. Whoever confirms a guess deletes the
//! word, or the comment.

/// How the comment above a guess begins.
pub const MARK: &str = "# CHECK:";

/// A guess that nobody confirmed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    /// The line of its comment, from 1 on.
    pub line: u64,
    /// The key below the comment: a column, or a key of another section.
    pub key: String,
}

/// The guesses of a release.toml that nobody confirmed yet.
pub fn unconfirmed(text: &str) -> Vec<Guess> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut guesses = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if !line.starts_with(MARK) {
            continue;
        }
        let below = lines[at + 1..].iter().find(|line| !line.starts_with('#') && !line.is_empty());
        let key = below.and_then(|line| key_of(line)).unwrap_or_default();
        guesses.push(Guess { line: at as u64 + 1, key });
    }
    guesses
}

/// The key that a line sets. A key may be quoted and hold an equals sign.
fn key_of(line: &str) -> Option<String> {
    let mut ends = line.match_indices('=').map(|(at, _)| at);
    ends.find_map(|end| {
        let table: toml::Table = toml::from_str(&format!("{}= 0", &line[..end])).ok()?;
        table.keys().next().cloned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_above_their_keys() {
        let text = "# 2 lines are marked CHECK\n[columns]\n# CHECK: quasi: x\n\"a = b\" = { role = \
                    \"quasi\" }\n# quasi: y\nage = 1\n  # CHECK: z\n# more\nzip = 2\n";
        let keys = |text: &str| -> Vec<(u64, String)> {
            unconfirmed(text).into_iter().map(|guess| (guess.line, guess.key)).collect()
        };
        assert_eq!(keys(text), [(3, "a = b".to_string()), (7, "zip".to_string())]);
        assert!(keys(&text.replace("# CHECK: ", "# ")).is_empty());
        assert_eq!(keys("# CHECK: at the end"), [(1, String::new())]);
    }
}
