//! How pseudonyms are made.

use serde::{Deserialize, Serialize};
use sfumato_core::registry::{Argument, Call};
use sfumato_core::{Error, Result};

/// How pseudonyms of a column are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// A keyed hash: the same value has the same pseudonym wherever the key is the same. Only the
    /// data themselves undo it, with the key.
    Hash,
    /// A random text for each value, kept in a mapping: it says nothing of the value at all.
    Random,
    /// A text of the same form, made with the key: digits stay digits, letters letters.
    Format,
}

impl Method {
    const ALL: [(Method, &'static str); 3] =
        [(Method::Hash, "hash"), (Method::Random, "random"), (Method::Format, "format")];

    /// The name in a job.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(method, _)| *method == self).map_or("", |(_, name)| name)
    }
}

/// Read what a job says under `as`: `pseudonym`, `pseudonym(method=format, space=person)`.
pub fn parse(call: &Call) -> Result<(Method, Option<String>)> {
    let hint = "as = \"pseudonym\", \"pseudonym(method=random)\" or \"pseudonym(method=format)\"";
    if call.name != "pseudonym" {
        let message = format!("identifiers aren't published as '{}'", call.name);
        return Err(Error::params(message).hint(hint));
    }
    let (mut method, mut space) = (Method::Hash, None);
    for (name, value) in call.args.iter() {
        let Argument::Word(word) = value else {
            return Err(Error::params(format!("'{name}' of a pseudonym is one word")).hint(hint));
        };
        match name.as_str() {
            "method" => {
                let known = Method::ALL.iter().find(|(_, known)| known == word);
                method = known.map(|(method, _)| *method).ok_or_else(|| {
                    Error::params(format!("there is no method '{word}' of pseudonyms"))
                        .hint("methods are hash, random and format")
                })?;
            }
            "space" => space = Some(word.clone()),
            other => {
                let message = format!("a pseudonym has no parameter '{other}'");
                return Err(Error::params(message).hint("parameters are method and space"));
            }
        }
    }
    Ok((method, space))
}
