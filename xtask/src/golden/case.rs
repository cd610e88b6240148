//! A case: commands that are run one after the other in one folder.

/// A named list of commands.
pub struct Case {
    /// The group, which is the file that holds its record.
    pub group: &'static str,
    /// The name within the group.
    pub name: String,
    /// The commands, as words of a shell without `sfumato` before them. `> FILE` at the end keeps
    /// standard output, `< FILE` gives a file as standard input. `!write FILE TEXT` writes a file
    /// (`|` ends a line), `!replace FILE OLD NEW` changes the first place in one.
    pub steps: Vec<String>,
}

impl Case {
    /// Make a case.
    pub fn new<S: Into<String>>(
        group: &'static str,
        name: impl Into<String>,
        steps: impl IntoIterator<Item = S>,
    ) -> Self {
        Case { group, name: name.into(), steps: steps.into_iter().map(Into::into).collect() }
    }

    /// The group and the name.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.group, self.name)
    }
}

/// Split a command at blanks. Text between quotes, single or double, stays together.
pub fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut begun) = (Vec::new(), String::new(), None, false);
    for c in command.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                begun = true;
            }
            None if c.is_whitespace() => {
                if begun || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            None => word.push(c),
        }
    }
    if begun || !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn quotes_keep_blanks() {
        assert_eq!(words("a 'b c' d=\"e f\"g ''"), ["a", "b c", "d=e fg", ""]);
    }
}
