//! The command line that audits a release again, ready for a shell.
//!
//! A form says which arguments its files need; file, models and quoting are the same for all forms.

use crate::Guarantee;
use crate::words::model_spec;

/// The arguments that a form adds to `sfumato audit FILE`. Models aren't part of it: they follow
/// from the guarantees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// The arguments for the steward, who has the original.
    private: Vec<Argument>,
    /// The arguments for a recipient, who has only the released file.
    public: Vec<String>,
    /// Models that only the run which makes a release can judge.
    left_out: Vec<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Argument {
    Word(String),
    /// The path of the input. It stands in only one place of the report, because a run that
    /// continues with a copy of its input names the input at the end.
    Original,
}

impl Audit {
    /// Add an option about the released file.
    pub fn add(&mut self, flag: &'static str, value: &str) {
        self.add_private(flag, value);
        self.add_public(flag, value);
    }

    /// An option for whoever may have the file without its manifest. The steward has both, and the
    /// manifest says it.
    pub fn add_public(&mut self, flag: &'static str, value: &str) {
        self.public.extend([flag.to_string(), value.to_string()]);
    }

    /// Add an option for the steward only.
    pub fn add_private(&mut self, flag: &'static str, value: &str) {
        let words = [flag, value].map(|word| Argument::Word(word.to_string()));
        self.private.extend(words);
    }

    /// Add the original, for the steward only.
    pub fn add_original(&mut self) {
        self.private.extend([Argument::Word("--original".into()), Argument::Original]);
    }

    /// Leave a model out that no audit can judge.
    pub fn leave_out(&mut self, model: &'static str) {
        self.left_out.push(model);
    }

    /// The guarantees that an audit can judge.
    pub(crate) fn judged<'a>(
        &self,
        guarantees: &'a [Guarantee],
    ) -> impl Iterator<Item = &'a Guarantee> {
        guarantees.iter().filter(|one| self.left_out.iter().all(|model| *model != one.model))
    }

    /// The steward's arguments for a report about this input.
    pub(crate) fn private(&self, input: &str) -> Vec<String> {
        let word = |argument: &Argument| match argument {
            Argument::Word(word) => word.clone(),
            Argument::Original => operand(input),
        };
        self.private.iter().map(word).collect()
    }

    /// The arguments for everybody.
    pub(crate) fn public(&self) -> &[String] {
        &self.public
    }
}

/// The command that audits `file` again.
pub(crate) fn audit_command<'a>(
    file: &str,
    arguments: &[String],
    guarantees: impl IntoIterator<Item = &'a Guarantee>,
) -> String {
    let mut words = vec!["sfumato".to_string(), "audit".to_string(), operand(file)];
    words.extend_from_slice(arguments);
    // A model that counts two things is two guarantees.
    let mut models: Vec<String> = guarantees.into_iter().map(model_spec).collect();
    models.dedup();
    words.extend(models.into_iter().flat_map(|model| ["--model".to_string(), model]));
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

/// Format names for a flag: a name with a comma or a quote is put in double quotes.
pub fn name_list<S: AsRef<str>>(names: &[S]) -> String {
    let name = |name: &S| {
        let name = name.as_ref();
        match name.contains([',', '"']) || name.trim() != name {
            true => format!("\"{}\"", name.replace('"', "\"\"")),
            false => name.to_string(),
        }
    };
    names.iter().map(name).collect::<Vec<_>>().join(",")
}

/// A path that can't be mistaken for a flag.
fn operand(path: &str) -> String {
    if path.starts_with('-') { format!("./{path}") } else { path.into() }
}

/// Quote a word for a POSIX shell if it needs quoting.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./,:=+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn commands_can_be_pasted() {
        let (model, params) = ("k-anonymity".into(), json!({"k": 10}));
        let model = Guarantee { model, params, ..Guarantee::default() };
        let mut audit = Audit::default();
        audit.add_original();
        audit.add("--qi", &name_list(&["age", "zip"]));
        audit.add("--sensitive", &name_list(&["it's"]));
        audit.add_private("--missing", "NA");
        audit.add_public("--subject", "person");
        let twice = [model.clone(), model];
        let command = audit_command("-odd name.csv", &audit.private("a.csv"), &twice);
        let expected = "sfumato audit './-odd name.csv' --original a.csv --qi age,zip --sensitive \
                        'it'\\''s' --missing NA --model 'k-anonymity(k=10)'";
        assert_eq!(command, expected);
        audit.leave_out("k-anonymity");
        assert_eq!(audit.judged(&twice).count(), 0);
        let command = audit_command("FILE", audit.public(), []);
        let expected = "sfumato audit FILE --qi age,zip --sensitive 'it'\\''s' --subject person";
        assert_eq!(command, expected);
    }

    #[test]
    fn names_with_commas_are_one_name() {
        assert_eq!(name_list(&["a", "b,c", "d\"e", " f"]), "a,\"b,c\",\"d\"\"e\",\" f\"");
    }
}
