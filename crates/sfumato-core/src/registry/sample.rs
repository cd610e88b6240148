//! Calls of an entry, made from what it says about its parameters: tests over a family reach every
//! entry and every parameter, and a new entry is tested without anybody thinking of it.

use super::{Argument, Call, Info, ParamKind, ParamSpec};

/// What a test says a text or a list may be; nothing where the parameter is to be left out.
pub type Words<'a> = &'a dyn Fn(&ParamSpec) -> Vec<Argument>;

impl Info {
    /// Calls with moderate parameters. The first gives what must be given; each of the others
    /// differs from it in one parameter, for every parameter and each of its sample values.
    ///
    /// # Panics
    /// If a parameter must be given and the words have nothing for it.
    pub fn sample_calls(&self, words: Words<'_>) -> Vec<Call> {
        let mut first = Call { name: self.name.to_string(), args: Default::default() };
        for spec in self.params.iter().filter(|spec| !spec.optional) {
            let value = spec.samples(words).into_iter().next();
            let value = value.unwrap_or_else(|| {
                panic!("{}: say in the test what '{}' may be", self.name, spec.name)
            });
            first.args.insert(spec.name.to_string(), value);
        }
        let mut calls = vec![first.clone()];
        for spec in self.params {
            for value in spec.samples(words) {
                let mut call = first.clone();
                call.args.insert(spec.name.to_string(), value);
                if !calls.contains(&call) {
                    calls.push(call);
                }
            }
        }
        calls
    }
}

impl ParamSpec {
    /// Some values that it allows, a moderate one first.
    fn samples(&self, words: Words<'_>) -> Vec<Argument> {
        let texts: Vec<String> = match self.kind {
            ParamKind::Integer { min, max } => {
                let numbers = [min.max(2), min.max(1), min.max(3)];
                numbers.iter().filter(|n| **n <= max).map(i64::to_string).collect()
            }
            ParamKind::Number { min, above, max } => {
                let numbers = if max <= 1.0 { [0.9, 0.5, 0.3] } else { [2.0, 0.5, 1.0] };
                let fits = |x: &&f64| **x <= max && (**x > min || (!above && **x == min));
                numbers.iter().filter(fits).map(f64::to_string).collect()
            }
            ParamKind::Flag => vec!["true".into(), "false".into()],
            ParamKind::Choice(choices) => choices.iter().map(|word| word.to_string()).collect(),
            ParamKind::Text | ParamKind::List => return words(self),
        };
        texts.into_iter().map(Argument::Word).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Params;

    static INFO: Info = Info {
        name: "sample",
        params: &[
            ParamSpec::required("k", ParamKind::Integer { min: 1, max: 2 }, ""),
            ParamSpec::required("on", ParamKind::Text, ""),
            ParamSpec::with_default("strict", ParamKind::Flag, "true", ""),
            ParamSpec::optional("share", ParamKind::Number { min: 0.5, above: true, max: 1.0 }, ""),
            ParamSpec::optional("values", ParamKind::List, ""),
        ],
        ..Info::DEFAULT
    };

    #[test]
    fn every_parameter_is_reached_and_every_call_is_allowed() {
        let words = |spec: &ParamSpec| match spec.name {
            "on" => vec![Argument::Word("x".into())],
            _ => Vec::new(),
        };
        let calls = INFO.sample_calls(&words);
        let texts: Vec<String> = calls.iter().map(Call::to_string).collect();
        let expected = [
            "sample(k=2, on=x)",
            "sample(k=1, on=x)",
            "sample(k=2, on=x, strict=true)",
            "sample(k=2, on=x, strict=false)",
            "sample(k=2, on=x, share=0.9)",
        ];
        assert_eq!(texts.len(), expected.len(), "{texts:?}");
        for text in expected {
            assert!(
                calls.contains(&text.parse::<Call>().expect("a call")),
                "{text} isn't in {texts:?}"
            );
        }
        assert!(calls.iter().all(|call| Params::check(&INFO, &call.args).is_ok()));
    }
}
