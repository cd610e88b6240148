//! How a graph lies in a file, as a job and a manifest spell it.

use std::collections::BTreeMap;

use sfumato_core::registry::{Argument, Call};
use sfumato_core::{Error, Result};

/// How a graph lies in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layout {
    /// An edge on each line: two names, and what separates them.
    Edges {
        /// The byte between names; blanks and tabs of any number without it.
        separator: Option<u8>,
        /// The words after both names by which edges say that they must not be known.
        sensitive: Vec<String>,
    },
    /// A node on each line, with its neighbours.
    Adjacency,
    /// The Graph Modelling Language.
    Gml,
    /// GraphML, which is XML.
    GraphMl,
    /// A square matrix of the exchange format Matrix Market.
    MatrixMarket,
    /// A table of edges: CSV, Parquet, Arrow or JSON lines.
    Table {
        /// The column with one end of an edge.
        from: String,
        /// The column with the other end.
        to: String,
        /// The column with the kind of an edge, and the kinds of those that must not be known.
        kind: Option<(String, Vec<String>)>,
    },
    /// A folder of supernodes, of which a graph is drawn that fits.
    World {
        /// Which of them.
        number: u64,
    },
}

/// The separators that a layout of edges may name.
const SEPARATORS: [(&str, u8); 4] =
    [("comma", b','), ("semicolon", b';'), ("tab", b'\t'), ("space", b' ')];

impl Layout {
    /// Read how a job spells a layout.
    pub fn parse(text: &str) -> Result<Layout> {
        let call: Call = text.parse()?;
        let mut args = Arguments { layout: call.name.clone(), left: call.args };
        let layout = match call.name.as_str() {
            "edges" => {
                let separator = args.take("separator")?.map(|word| {
                    let named = SEPARATORS.iter().find(|(name, _)| *name == word);
                    named.map(|(_, byte)| *byte).ok_or_else(|| {
                        Error::params(format!("edges: separator can't be '{word}'"))
                            .hint("comma, semicolon, tab or space")
                    })
                });
                let separator = separator.transpose()?;
                Layout::Edges { separator, sensitive: args.take_all("sensitive") }
            }
            "adjacency" => Layout::Adjacency,
            "gml" => Layout::Gml,
            "graphml" => Layout::GraphMl,
            "matrix-market" => Layout::MatrixMarket,
            "table" => {
                let mut column = |name: &str| {
                    args.take(name)?.ok_or_else(|| {
                        Error::params(format!("table needs the parameter '{name}'"))
                            .hint("write table(from=A, to=B) with the columns of both ends")
                    })
                };
                let (from, to) = (column("from")?, column("to")?);
                if from == to {
                    return Err(Error::params("both ends of an edge can't be one column"));
                }
                let kind = match (args.take("kind")?, args.take_all("sensitive")) {
                    (None, sensitive) if sensitive.is_empty() => None,
                    (Some(kind), sensitive) if !sensitive.is_empty() => Some((kind, sensitive)),
                    _ => {
                        return Err(Error::params(
                            "table has kind without sensitive, or sensitive without kind",
                        )
                        .hint("write table(from=A, to=B, kind=COLUMN, sensitive=[VALUE])"));
                    }
                };
                Layout::Table { from, to, kind }
            }
            "supernodes" => {
                let number = args.take("world")?.unwrap_or_else(|| "0".into());
                let number = number.parse().map_err(|_| {
                    Error::params(format!("supernodes: world can't be '{number}'"))
                        .hint("a whole number: each is another graph that fits")
                })?;
                Layout::World { number }
            }
            other => {
                return Err(Error::params(format!("graphs don't lie in files as '{other}'")).hint(
                    "edges, 'edges(separator=comma)', adjacency, gml, graphml, matrix-market, \
                     'table(from=A, to=B)' or 'supernodes(world=1)'",
                ));
            }
        };
        args.end()?;
        Ok(layout)
    }

    /// How a job would spell it.
    pub fn spell(&self) -> String {
        let call = |name: &str, args: &[(&str, &str)], sensitive: &[String]| {
            let mut args: BTreeMap<String, Argument> = args
                .iter()
                .map(|(name, word)| (name.to_string(), Argument::Word(word.to_string())))
                .collect();
            if !sensitive.is_empty() {
                args.insert("sensitive".into(), Argument::List(sensitive.to_vec()));
            }
            Call { name: name.into(), args }.to_string()
        };
        match self {
            Layout::Edges { separator: None, sensitive } if sensitive.is_empty() => "edges".into(),
            Layout::Edges { separator: None, sensitive } => call("edges", &[], sensitive),
            Layout::Edges { separator: Some(byte), sensitive } => {
                let named = SEPARATORS.iter().find(|(_, known)| known == byte);
                let name = named.map_or("space", |(name, _)| name);
                call("edges", &[("separator", name)], sensitive)
            }
            Layout::Adjacency => "adjacency".into(),
            Layout::Gml => "gml".into(),
            Layout::GraphMl => "graphml".into(),
            Layout::MatrixMarket => "matrix-market".into(),
            Layout::Table { from, to, kind: None } => {
                call("table", &[("from", from), ("to", to)], &[])
            }
            Layout::Table { from, to, kind: Some((kind, sensitive)) } => {
                call("table", &[("from", from), ("to", to), ("kind", kind)], sensitive)
            }
            Layout::World { number } => call("supernodes", &[("world", &number.to_string())], &[]),
        }
    }

    /// The number that the first node of a release has.
    pub fn first_id(&self) -> u64 {
        u64::from(*self == Layout::MatrixMarket)
    }

    /// Whether it says which edges must not be known.
    pub fn names_sensitive(&self) -> bool {
        match self {
            Layout::Edges { sensitive, .. } => !sensitive.is_empty(),
            Layout::Table { kind, .. } => kind.is_some(),
            Layout::Adjacency
            | Layout::Gml
            | Layout::GraphMl
            | Layout::MatrixMarket
            | Layout::World { .. } => false,
        }
    }

    /// Whether a file of this layout has a place for labels of nodes.
    pub fn has_labels(&self) -> bool {
        matches!(self, Layout::Gml | Layout::GraphMl)
    }
}

/// The arguments of a layout that weren't looked at yet.
struct Arguments {
    layout: String,
    left: BTreeMap<String, Argument>,
}

impl Arguments {
    fn take(&mut self, name: &str) -> Result<Option<String>> {
        match self.left.remove(name) {
            None => Ok(None),
            Some(Argument::Word(word)) => Ok(Some(word)),
            Some(Argument::List(_)) => {
                Err(Error::params(format!("{}: {name} must be a single value", self.layout)))
            }
        }
    }

    /// The words of a parameter that may have several.
    fn take_all(&mut self, name: &str) -> Vec<String> {
        match self.left.remove(name) {
            None => Vec::new(),
            Some(Argument::Word(word)) => vec![word],
            Some(Argument::List(words)) => words,
        }
    }

    fn end(&self) -> Result<()> {
        match self.left.keys().next() {
            None => Ok(()),
            Some(name) => Err(Error::params(format!("{} has no parameter '{name}'", self.layout))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spelled_is_read() {
        for text in [
            "edges",
            "edges(separator=comma)",
            "adjacency",
            "gml",
            "graphml",
            "matrix-market",
            "table(from=a, to=\"b,c\")",
            "edges(sensitive=[debt, love])",
            "edges(sensitive=[love], separator=tab)",
            "table(from=a, kind=c, sensitive=[love], to=b)",
            "supernodes(world=3)",
        ] {
            assert_eq!(Layout::parse(text).unwrap().spell(), text);
        }
        for text in [
            "edge",
            "edges(separator=x)",
            "edges(by=x)",
            "table(from=a)",
            "table(from=a, to=b, kind=c)",
            "table(from=a, to=b, sensitive=c)",
            "gml(x=[a])",
            "supernodes(world=x)",
        ] {
            assert_eq!(Layout::parse(text).unwrap_err().kind.exit_code(), 2, "{text}");
        }
    }
}
