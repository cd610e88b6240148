//! The specification of an entry's parameters, and the parameters that a user gave, checked against
//! it.

use std::collections::BTreeMap;

use super::{Argument, Call, Info};
use crate::error::{Error, Result};

/// One parameter: its name, type, allowed range, default and help.
#[derive(Debug, Clone, Copy)]
pub struct ParamSpec {
    /// The name as users type it.
    pub name: &'static str,
    /// The type and allowed range.
    pub kind: ParamKind,
    /// The default, as users type it. `None` if the parameter must be given, or may be left out
    /// (see `optional`).
    pub default: Option<&'static str>,
    /// Whether it may be left out without a default.
    pub optional: bool,
    /// A help text of one line.
    pub help: &'static str,
}

/// The types of parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamKind {
    /// A whole number in a closed range.
    Integer {
        /// The smallest allowed number.
        min: i64,
        /// The largest allowed number.
        max: i64,
    },
    /// A finite number in a range.
    Number {
        /// The smallest allowed number.
        min: f64,
        /// Whether `min` itself is excluded.
        above: bool,
        /// The largest allowed number.
        max: f64,
    },
    /// `true` or `false`.
    Flag,
    /// One of several words.
    Choice(&'static [&'static str]),
    /// Any text, such as a column's name.
    Text,
    /// A list in brackets: `[a, b]`; a single word is a list of one.
    List,
}

impl ParamSpec {
    /// A parameter that must be given.
    pub const fn required(name: &'static str, kind: ParamKind, help: &'static str) -> Self {
        ParamSpec { name, kind, default: None, optional: false, help }
    }
    /// A parameter with a default.
    pub const fn with_default(
        name: &'static str,
        kind: ParamKind,
        default: &'static str,
        help: &'static str,
    ) -> Self {
        ParamSpec { name, kind, default: Some(default), optional: true, help }
    }
    /// A parameter that may be left out.
    pub const fn optional(name: &'static str, kind: ParamKind, help: &'static str) -> Self {
        ParamSpec { name, kind, default: None, optional: true, help }
    }

    fn check(&self, owner: &str, value: &Argument) -> Result<()> {
        let wrong = |allowed: String| {
            Err(Error::params(format!("{owner}: {} must be {allowed}, not '{value}'", self.name)))
        };
        let fits = match (&self.kind, value) {
            (ParamKind::List, _) => true,
            (_, Argument::List(_)) => return wrong("a single value".into()),
            (ParamKind::Integer { max, .. }, Argument::Word(text))
                if text.parse::<i128>().is_ok_and(|n| n > i128::from(*max)) =>
            {
                return wrong(format!("at most {max}"));
            }
            (ParamKind::Integer { min, max }, Argument::Word(text)) => {
                text.parse::<i64>().is_ok_and(|n| (*min..=*max).contains(&n))
            }
            (ParamKind::Number { min, above, max }, Argument::Word(text)) => text
                .parse::<f64>()
                .is_ok_and(|x| x.is_finite() && x <= *max && (x > *min || (!above && x == *min))),
            (ParamKind::Flag, Argument::Word(text)) => text == "true" || text == "false",
            (ParamKind::Choice(words), Argument::Word(text)) => words.contains(&text.as_str()),
            (ParamKind::Text, Argument::Word(_)) => true,
        };
        if fits { Ok(()) } else { wrong(self.kind.range()) }
    }
}

/// Parameters that were checked against their specification, defaults filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Params {
    owner: &'static str,
    values: BTreeMap<&'static str, Argument>,
}

impl Params {
    /// Check the parameters that a user gave against the specification of an entry.
    pub fn check(info: &'static Info, args: &BTreeMap<String, Argument>) -> Result<Self> {
        for name in args.keys() {
            if !info.params.iter().any(|spec| spec.name == name) {
                let known: Vec<_> = info.params.iter().map(|spec| spec.name).collect();
                let hint = match known.is_empty() {
                    true => format!("{} takes no parameters", info.name),
                    false => format!("it takes {}", known.join(", ")),
                };
                return Err(
                    Error::params(format!("{} has no parameter '{name}'", info.name)).hint(hint)
                );
            }
        }
        let mut values = BTreeMap::new();
        for spec in info.params {
            let default = || spec.default.map(|text| Argument::Word(text.to_string()));
            match args.get(spec.name).cloned().or_else(default) {
                Some(value) => {
                    spec.check(info.name, &value)?;
                    values.insert(spec.name, value);
                }
                None if spec.optional => {}
                None => {
                    return Err(Error::params(format!(
                        "{} needs the parameter '{}'",
                        info.name, spec.name
                    ))
                    .hint(format!("{}: {}", spec.name, spec.help)));
                }
            }
        }
        Ok(Params { owner: info.name, values })
    }

    /// The values as users write them, defaults included.
    pub fn values(&self) -> &BTreeMap<&'static str, Argument> {
        &self.values
    }
    /// The entry's name with all its parameters, defaults included.
    pub fn describe(&self) -> String {
        let args =
            self.values.iter().map(|(name, value)| ((*name).to_string(), value.clone())).collect();
        Call { name: self.owner.to_string(), args }.to_string()
    }
    /// The text of a parameter, if it was given.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.values.get(name) {
            Some(Argument::Word(text)) => Some(text),
            _ => None,
        }
    }
    /// The list of a parameter, if it was given.
    pub fn list(&self, name: &str) -> Option<Vec<String>> {
        self.values.get(name).map(|value| match value {
            Argument::Word(word) => vec![word.clone()],
            Argument::List(items) => items.clone(),
        })
    }
    /// The whole number of a parameter that is required or has a default.
    pub fn integer(&self, name: &str) -> i64 {
        self.parsed(name)
    }
    /// The whole number of a parameter that can't be negative.
    pub fn count(&self, name: &str) -> u64 {
        self.integer(name).unsigned_abs()
    }
    /// The number of a parameter that is required or has a default.
    pub fn number(&self, name: &str) -> f64 {
        self.parsed(name)
    }
    /// The flag of a parameter that is required or has a default.
    pub fn flag(&self, name: &str) -> bool {
        self.parsed(name)
    }
    /// The number of a parameter that may have been left out.
    pub fn optional_number(&self, name: &str) -> Option<f64> {
        self.values.contains_key(name).then(|| self.parsed(name))
    }
    /// The whole number of a parameter that may have been left out.
    pub fn optional_integer(&self, name: &str) -> Option<i64> {
        self.values.contains_key(name).then(|| self.parsed(name))
    }

    fn parsed<T: std::str::FromStr>(&self, name: &str) -> T {
        self.text(name)
            .and_then(|text| text.parse().ok())
            .unwrap_or_else(|| panic!("{}: '{name}' was checked against its ParamSpec", self.owner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static INFO: Info = Info {
        name: "sample",
        summary: "",
        papers: &[],
        params: &[
            ParamSpec::required("k", ParamKind::Integer { min: 1, max: i64::MAX }, "size"),
            ParamSpec::with_default(
                "c",
                ParamKind::Number { min: 0.0, above: true, max: 1.0 },
                "0.5",
                "",
            ),
            ParamSpec::optional("on", ParamKind::Text, ""),
            ParamSpec::optional("values", ParamKind::List, ""),
        ],
        doc: "",
        ..Info::DEFAULT
    };

    fn check(text: &str) -> Result<Params> {
        let call: Call = text.parse()?;
        Params::check(&INFO, &call.args)
    }

    #[test]
    fn reads_words_lists_and_quotes() {
        let params = check("sample(k=5, on=\"a, \\\"b\\\"\", values=[HIV, \"x y\"])").unwrap();
        assert_eq!(params.integer("k"), 5);
        assert_eq!(params.number("c"), 0.5);
        assert_eq!(params.text("on"), Some("a, \"b\""));
        assert_eq!(params.list("values").unwrap(), ["HIV", "x y"]);
    }

    #[test]
    fn display_parses_back() {
        for text in ["sample", "sample(k=5)", "sample(k=5, on=\"a,b\", values=[x, \"y=z\"])"] {
            let call: Call = text.parse().unwrap();
            assert_eq!(call.to_string().parse::<Call>().unwrap(), call);
        }
    }

    #[test]
    fn errors_name_the_parameter_and_its_range() {
        let message = |text| check(text).unwrap_err().to_string();
        assert_eq!(message("sample"), "sample needs the parameter 'k'");
        assert_eq!(
            message("sample(k=0)"),
            "sample: k must be a whole number of at least 1, not '0'"
        );
        assert_eq!(
            message("sample(k=2, c=0)"),
            "sample: c must be a number above 0 and at most 1, not '0'"
        );
        assert_eq!(message("sample(k=2, z=1)"), "sample has no parameter 'z'");
        assert_eq!(
            message("sample(k=2"),
            "can't read 'sample(k=2': ',' or ')' is missing at character 11"
        );
        assert_eq!(
            message("sample(k=2, k=3)"),
            "can't read 'sample(k=2, k=3)': 'k' is given twice at character 16"
        );
    }
}
