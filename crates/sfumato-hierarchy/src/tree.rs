//! The builder `tree`: a hierarchy from nested tables and lists in JSON or TOML.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use sfumato_core::FastSet;
use sfumato_core::dataset::LevelTable;
use sfumato_core::error::{Error, Result};
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{BuildInput, Builder};

/// The builder `tree`, an entry of the registry.
pub struct Tree;

static INFO: Info = Info {
    name: "tree",
    summary: "a hierarchy from nested tables and lists, in a JSON or TOML file or in the job \
        itself",
    papers: &[],
    params: &[
        ParamSpec::optional("path", ParamKind::Text, "the file, relative to the job"),
        ParamSpec::optional("text", ParamKind::Text, "the tree itself, instead of a file"),
        ParamSpec::optional(
            "default",
            ParamKind::Text,
            "the node that takes data values which the tree lacks; without it they are an error",
        ),
    ],
    doc: "\
A table's keys are nodes, what they hold lies below them, and the words of a list are values:

```json
{\"*\": {\"Professional\": [\"Engineer\", \"Lawyer\"], \"Artist\": [\"Dancer\", \"Writer\"]}}
```

```toml
Professional = [\"Engineer\", \"Lawyer\"]
Artist = [\"Dancer\", \"Writer\"]
```

A single key at the top is the root; otherwise a root `*` is added. A list may hold tables beside \
words. A node with an
empty list is itself a value. Numbers and dates stand for their text. A text that starts with `{`, \
or a file whose name
ends in `.json`, is read as JSON, everything else as TOML.

Branches may differ in depth. A hierarchy needs equally many levels everywhere, so shorter \
branches are filled up near
the value: its label is repeated until the levels are even, and the value stays itself for that \
many levels. If a
node of the same name stands beside it, the value goes below that node.

Every value may occur once, and every key once in its table. `default` works as for `file`.",
    ..Info::DEFAULT
};

/// The largest number of levels of a hierarchy; deeper trees can't be used.
const MOST_LEVELS: usize = 254;

#[derive(Debug, Clone, PartialEq)]
enum Item {
    Leaf(String),
    List(Vec<Item>),
    Map(Vec<(String, Item)>),
}

impl Builder for Tree {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn build(&self, params: &Params, input: &BuildInput<'_>) -> Result<LevelTable> {
        match (params.text("path"), params.text("text")) {
            (Some(path), None) => {
                let text = (input.read_text)(path)?;
                let json = path.to_ascii_lowercase().ends_with(".json");
                parse(&text, json).map_err(|error| error.in_file(path))
            }
            (None, Some(text)) => parse(text, false),
            _ => Err(Error::params("tree needs either the parameter 'path' or 'text'")),
        }
    }
}

fn parse(text: &str, json: bool) -> Result<LevelTable> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let item = if json || text.trim_start().starts_with('{') {
        parse_json(text)?
    } else {
        parse_toml(text)?
    };
    let mut paths = Vec::new();
    collect(&item, &mut Vec::new(), &mut paths)?;
    if paths.is_empty() {
        return Err(Error::input("the tree has no values"));
    }
    let mut seen = FastSet::default();
    if let Some(path) = paths.iter().find(|path| !seen.insert(path[path.len() - 1])) {
        let label = crate::shorten(path[path.len() - 1], 20);
        return Err(Error::input(format!("the tree lists the value '{label}' twice")));
    }
    let depth = paths.iter().map(Vec::len).max().unwrap_or(0);
    // A path runs from the root; level 0 is its end, and the levels a short path lacks repeat that
    // end.
    let label = |path: &[&str], level: usize| (depth - 1 - level).min(path.len() - 1);
    let level = |l: usize| paths.iter().map(|path| path[label(path, l)]).collect();
    Ok(LevelTable { levels: (0..depth).map(level).collect() })
}

/// The path from the root to each value.
fn collect<'a>(
    item: &'a Item,
    path: &mut Vec<&'a str>,
    paths: &mut Vec<Vec<&'a str>>,
) -> Result<()> {
    if path.len() >= MOST_LEVELS {
        return Err(Error::input(format!("the tree is deeper than {MOST_LEVELS} levels")));
    }
    match item {
        Item::Leaf(label) => paths.push(path.iter().copied().chain([label.as_str()]).collect()),
        Item::List(items) if !items.is_empty() => {
            items.iter().try_for_each(|item| collect(item, path, paths))?;
        }
        Item::Map(entries) if !entries.is_empty() => {
            for (label, below) in entries {
                path.push(label);
                collect(below, path, paths)?;
                path.pop();
            }
        }
        Item::List(_) | Item::Map(_) if !path.is_empty() => paths.push(path.clone()),
        Item::List(_) | Item::Map(_) => {}
    }
    Ok(())
}

fn parse_json(text: &str) -> Result<Item> {
    serde_json::from_str(text).map_err(|error| {
        let whole = error.to_string();
        let message = whole.split(" at line ").next().unwrap_or(&whole);
        Error::input(format!("the tree isn't valid JSON: {message}"))
            .at_line(error.line() as u64)
            .at_column(error.column() as u64)
    })
}

fn parse_toml(text: &str) -> Result<Item> {
    match text.parse::<toml::Table>() {
        Ok(table) => from_toml(toml::Value::Table(table), 0),
        Err(error) => {
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = before.map_or(1, |before| before.matches('\n').count() + 1);
            let message = error.message().lines().next().unwrap_or("unreadable");
            Err(Error::input(format!("the tree isn't valid TOML: {message}")).at_line(line as u64))
        }
    }
}

fn from_toml(value: toml::Value, depth: usize) -> Result<Item> {
    if depth >= MOST_LEVELS {
        return Err(Error::input(format!("the tree is deeper than {MOST_LEVELS} levels")));
    }
    Ok(match value {
        toml::Value::String(text) => Item::Leaf(text),
        toml::Value::Integer(number) => Item::Leaf(number.to_string()),
        toml::Value::Float(number) => Item::Leaf(number.to_string()),
        toml::Value::Boolean(flag) => Item::Leaf(flag.to_string()),
        toml::Value::Datetime(at) => Item::Leaf(at.to_string()),
        toml::Value::Array(items) => Item::List(
            items.into_iter().map(|item| from_toml(item, depth + 1)).collect::<Result<_>>()?,
        ),
        toml::Value::Table(table) => {
            let entry = |(label, below)| Ok((label, from_toml(below, depth + 1)?));
            Item::Map(table.into_iter().map(entry).collect::<Result<_>>()?)
        }
    })
}

/// Deserialized by hand and not through `serde_json::Value`, which would silently drop a key that
/// occurs twice.
impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(ItemVisitor)
    }
}

struct ItemVisitor;

impl<'de> Visitor<'de> for ItemVisitor {
    type Value = Item;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a value, a list or a table")
    }
    fn visit_bool<E>(self, flag: bool) -> std::result::Result<Item, E> {
        Ok(Item::Leaf(flag.to_string()))
    }
    fn visit_i64<E>(self, number: i64) -> std::result::Result<Item, E> {
        Ok(Item::Leaf(number.to_string()))
    }
    fn visit_u64<E>(self, number: u64) -> std::result::Result<Item, E> {
        Ok(Item::Leaf(number.to_string()))
    }
    fn visit_f64<E>(self, number: f64) -> std::result::Result<Item, E> {
        Ok(Item::Leaf(number.to_string()))
    }
    fn visit_str<E>(self, text: &str) -> std::result::Result<Item, E> {
        Ok(Item::Leaf(text.to_string()))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<Item, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Item::List(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Item, A::Error> {
        let mut entries: Vec<(String, Item)> = Vec::new();
        let mut seen = FastSet::default();
        while let Some((label, below)) = map.next_entry::<String, Item>()? {
            if !seen.insert(label.clone()) {
                return Err(A::Error::custom(format!(
                    "duplicate key '{}'",
                    crate::shorten(&label, 20)
                )));
            }
            entries.push((label, below));
        }
        Ok(Item::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sfumato_core::dataset::Hierarchy;

    fn rows(text: &str) -> Vec<String> {
        let table = parse(text, false).unwrap();
        (0..table.n_leaves()).map(|leaf| table.row(leaf).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn json_and_toml_say_the_same() {
        let json =
            r#"{"*": {"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]}}"#;
        let toml = "['*']\nProfessional = ['Engineer', 'Lawyer']\nArtist = ['Dancer', 'Writer']";
        let expect = [
            "Engineer Professional *",
            "Lawyer Professional *",
            "Dancer Artist *",
            "Writer Artist *",
        ];
        assert_eq!(rows(json), expect);
        assert_eq!(rows(toml), expect);
    }

    #[test]
    fn ragged_branches_are_filled_up_near_the_value() {
        let text =
            r#"{"*": {"Sick": {"Flu": ["A", "B"], "HIV": []}, "Well": ["fit", 1, true, 2.5]}}"#;
        assert_eq!(
            rows(text),
            [
                "A Flu Sick *",
                "B Flu Sick *",
                "HIV HIV Sick *",
                "fit fit Well *",
                "1 1 Well *",
                "true true Well *",
                "2.5 2.5 Well *"
            ]
        );
        assert_eq!(
            rows("a = ['x', {b = ['y']}]\nc = 2024-02-29"),
            ["x x a", "y b a", "2024-02-29 2024-02-29 c"]
        );
    }

    #[test]
    fn mistakes_are_named() {
        let message = |text| parse(text, false).unwrap_err().to_string();
        assert_eq!(message("{}"), "the tree has no values");
        assert_eq!(message(""), "the tree has no values");
        assert_eq!(message(r#"{"a": ["x"], "b": ["x"]}"#), "the tree lists the value 'x' twice");
        assert_eq!(
            message("{\"a\": [\"x\"],\n \"a\": [\"y\"]}"),
            "line 2: the tree isn't valid JSON: duplicate key 'a'"
        );
        assert!(
            message("{\"a\": [null]}")
                .starts_with("line 1: the tree isn't valid JSON: invalid type: null")
        );
        assert!(
            message("a = ['x']\na = ['y']")
                .starts_with("line 2: the tree isn't valid TOML: duplicate key")
        );
        let deep = format!("{} = 1", vec!["a"; 300].join("."));
        assert!(parse(&deep, false).is_err());
        let nested = format!("a = {}{}", "[".repeat(20_000), "]".repeat(20_000));
        assert!(parse(&nested, false).is_err());
    }

    #[test]
    fn exactly_one_source_is_needed() {
        let domain = sfumato_core::dataset::Domain::of_texts(["a"]);
        let build = |call: &str| {
            let call: sfumato_core::registry::Call = call.parse().unwrap();
            let read = |path: &str| Ok(format!("{{\"{path}\": [\"a\"]}}"));
            let input = BuildInput { domain: &domain, counts: &[1], read_text: &read };
            Tree.build(&Params::check(&INFO, &call.args).unwrap(), &input)
        };
        assert_eq!(
            build("tree").unwrap_err().message,
            "tree needs either the parameter 'path' or 'text'"
        );
        assert_eq!(build("tree(path=t.json)").unwrap().levels[1].get(0), "t.json");
        assert_eq!(build(r#"tree(text="x = [\"a\"]")"#).unwrap().levels[1].get(0), "x");
        let error = build(r#"tree(text="x = ")"#).unwrap_err();
        assert!(error.message.starts_with("the tree isn't valid TOML"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn no_text_panics(text in prop_oneof![".{0,80}",
            "[\\[\\]{}\":,a1.= \n]{0,60}"], json in any::<bool>()) {
            if let Ok(table) = parse(&text, json) {
                prop_assert!(Hierarchy::from_levels(&table).is_ok());
            }
        }
    }
}
