//! Serializes a hierarchy as a table: `hierarchy = { mask = { from = "right" } }`, or `{ file =
//! "job.csv" }` if a single text is the path.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sfumato_core::registry::{Argument, Call};

#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum Raw {
    Bool(bool),
    Integer(i64),
    Number(f64),
    Text(String),
    List(Vec<Raw>),
}

impl Raw {
    fn word(&self) -> Option<String> {
        Some(match self {
            Raw::Bool(b) => b.to_string(),
            Raw::Integer(n) => n.to_string(),
            Raw::Number(x) => x.to_string(),
            Raw::Text(text) => text.clone(),
            Raw::List(_) => return None,
        })
    }
    fn argument(&self) -> Option<Argument> {
        match self {
            Raw::List(items) => {
                items.iter().map(Raw::word).collect::<Option<_>>().map(Argument::List)
            }
            other => other.word().map(Argument::Word),
        }
    }
    fn of_word(word: &str) -> Raw {
        match (word.parse::<i64>(), word.parse::<bool>()) {
            (Ok(n), _) if n.to_string() == word => Raw::Integer(n),
            (_, Ok(b)) => Raw::Bool(b),
            _ => match word.parse::<f64>() {
                Ok(x) if x.to_string() == word => Raw::Number(x),
                _ => Raw::Text(word.to_string()),
            },
        }
    }
}

#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum Arguments {
    Path(String),
    Table(BTreeMap<String, Raw>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Call(String),
    Table(BTreeMap<String, Arguments>),
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Call>, D::Error> {
    let table = match Written::deserialize(deserializer).map_err(|_| {
        D::Error::custom(
            "a hierarchy is written as { builder = { param = value } }, \
            for example { mask = { from = \"right\" } } or { file = \"job.csv\" }",
        )
    })? {
        Written::Call(text) => return text.parse().map(Some).map_err(D::Error::custom),
        Written::Table(table) => table,
    };
    let mut entries = table.into_iter();
    let (Some((name, arguments)), None) = (entries.next(), entries.next()) else {
        return Err(D::Error::custom("a hierarchy names exactly one builder"));
    };
    let args = match arguments {
        Arguments::Path(path) => BTreeMap::from([("path".to_string(), Argument::Word(path))]),
        Arguments::Table(table) => table
            .iter()
            .map(|(key, value)| value.argument().map(|a| (key.clone(), a)))
            .collect::<Option<_>>()
            .ok_or_else(|| {
                D::Error::custom("a hierarchy's parameters are words, numbers or lists of them")
            })?,
    };
    Ok(Some(Call { name, args }))
}

pub fn serialize<S: Serializer>(call: &Option<Call>, serializer: S) -> Result<S::Ok, S::Error> {
    let Some(call) = call else { return serializer.serialize_none() };
    let raw = |argument: &Argument| match argument {
        Argument::Word(word) => Raw::of_word(word),
        Argument::List(items) => Raw::List(items.iter().map(|item| Raw::of_word(item)).collect()),
    };
    let table: BTreeMap<&String, Raw> =
        call.args.iter().map(|(key, value)| (key, raw(value))).collect();
    BTreeMap::from([(&call.name, table)]).serialize(serializer)
}
