//! The syntax for layouts of basket files: `lines(separator=",")`, `long(id=customer,
//! item=product)`, ...

use sfumato_core::registry::{self, Call, Info, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};
use sfumato_io::{BasketLayout, ItemColumn, ItemKind, Separator};

/// All layouts, as the catalogue shows them.
pub static ALL: &[&Info] = &[&LINES, &LONG, &LIST, &TABLE, &QUERIES];

static LINES: Info = Info {
    name: "lines",
    summary: "a record per line, its items one after the other",
    papers: &[],
    params: &[
        ParamSpec::with_default(
            "separator",
            ParamKind::Text,
            "blank",
            "what stands between items: blank, comma, tab or a character",
        ),
        ParamSpec::with_default(
            "key",
            ParamKind::Flag,
            "false",
            "whether the first field of a line is a key, which is dropped",
        ),
    ],
    doc: "\
Files of frequent-itemset miners (FIMI) are of this layout: `1 4 17`, numbers with blanks between. \
Names work as well: `bread,milk` with `separator=comma`.

A blank line is a record without items. The same item twice in a record counts once; the report \
says how often that was.
",
    ..Info::DEFAULT
};

static LONG: Info = Info {
    name: "long",
    summary: "a table with a row for each item of each record",
    papers: &[],
    params: &[
        ParamSpec::required(
            "id",
            ParamKind::Text,
            "the column that says which record; the release \
            has numbers instead",
        ),
        ParamSpec::required("item", ParamKind::Text, "the column that says which item"),
        ParamSpec::optional(
            "utility",
            ParamKind::Text,
            "the column that says what an item is \
            worth: the same in all rows of the item",
        ),
        ParamSpec::optional("drop", ParamKind::List, "columns that are left out"),
    ],
    doc: "\
CSV, Parquet, Arrow IPC or JSON lines. Records get the numbers from 1 on in the random order of \
the release. A record that is published as the empty set has no row.
",
    ..Info::DEFAULT
};

static LIST: Info = Info {
    name: "list",
    summary: "a column of lists in a Parquet or Arrow file",
    papers: &[],
    params: &[
        ParamSpec::required(
            "column",
            ParamKind::Text,
            "the column of lists of texts or whole numbers",
        ),
        ParamSpec::optional("key", ParamKind::Text, "the column of keys, which is dropped"),
        ParamSpec::optional("drop", ParamKind::List, "columns that are left out"),
    ],
    doc: "\
A null is a record without items; in the release it is an empty list.
",
    ..Info::DEFAULT
};

static TABLE: Info = Info {
    name: "table",
    summary: "a table with a row per record, whose columns become items",
    papers: &[],
    params: &[
        ParamSpec::optional(
            "categories",
            ParamKind::List,
            "columns whose values become items, column=value",
        ),
        ParamSpec::optional(
            "buckets",
            ParamKind::List,
            "columns of numbers in ranges of a width, as age:5",
        ),
        ParamSpec::optional(
            "flags",
            ParamKind::List,
            "columns of 0 and 1, or false and true, that are an item each",
        ),
        ParamSpec::optional(
            "rest",
            ParamKind::Choice(&["categories", "flags"]),
            "what all other columns become; without it there must be none",
        ),
        ParamSpec::optional("key", ParamKind::Text, "the column of keys, which is dropped"),
        ParamSpec::optional("drop", ParamKind::List, "columns that are left out"),
    ],
    doc: "\
CSV, Parquet, Arrow IPC or JSON lines. A missing value is no item. The release has the same \
columns; what was suppressed is missing there, or 0 in a
column of flags. Buckets begin at multiples of their width, and are published as texts such as \
`[20, 25)`.
",
    ..Info::DEFAULT
};

static QUERIES: Info = Info {
    name: "queries",
    summary: "a log with a row for each query, whose users become records of terms",
    papers: &[],
    params: &[
        ParamSpec::required("user", ParamKind::Text, "the column that says who asked"),
        ParamSpec::required("query", ParamKind::Text, "the column with the text of the query"),
        ParamSpec::optional("drop", ParamKind::List, "columns that are left out, such as times"),
    ],
    doc: "\
CSV, Parquet, Arrow IPC or JSON lines. All queries of a user become one record: the set of their \
terms, in lower case and without punctuation
around them. The release has a line for each user, without ids, times and addresses, and without \
saying which terms were asked together.
",
    ..Info::DEFAULT
};

/// A layout, and the columns of the file that are left out.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadLayout {
    /// The layout of the file.
    pub layout: BasketLayout,
    /// Columns that are left out.
    pub dropped: Vec<String>,
}

/// Parse a layout.
pub fn parse(text: &str) -> Result<ReadLayout> {
    let call: Call = text.parse()?;
    let info = *ALL.iter().find(|info| info.name == call.name).ok_or_else(|| {
        registry::find("basket-layout", ALL, |info: &Info| entry(info), &call.name)
            .err()
            .unwrap_or_else(|| Error::internal("a layout was found and is not in the list"))
    })?;
    let params = Params::check(info, &call.args)?;
    let word = |name: &str| params.text(name).map(String::from);
    let needed = |name: &str| word(name).unwrap_or_default();
    let list = |name: &str| params.list(name).unwrap_or_default();
    let layout = match info.name {
        "lines" => BasketLayout::Lines {
            separator: separator(&needed("separator"))?,
            key: params.flag("key"),
        },
        "long" => {
            BasketLayout::Long { id: needed("id"), item: needed("item"), utility: word("utility") }
        }
        "queries" => BasketLayout::Queries { user: needed("user"), query: needed("query") },
        "list" => BasketLayout::List { column: needed("column"), key: word("key") },
        _ => {
            let of = |names: Vec<String>, kind: ItemKind| {
                names.into_iter().map(move |name| ItemColumn { name, kind })
            };
            let mut columns: Vec<ItemColumn> =
                of(list("categories"), ItemKind::Categorical).collect();
            columns.extend(of(list("flags"), ItemKind::OneHot));
            for given in list("buckets") {
                columns.push(bucket(&given)?);
            }
            let rest = match params.text("rest") {
                Some("categories") => Some(ItemKind::Categorical),
                Some(_) => Some(ItemKind::OneHot),
                None => None,
            };
            if columns.is_empty() && rest.is_none() {
                return Err(Error::params("table: no column becomes items").hint(
                    "name some, as in table(categories=[sex, job], buckets=[age:5]), or say \
                        rest=categories",
                ));
            }
            BasketLayout::Table { columns, rest, key: word("key") }
        }
    };
    Ok(ReadLayout { layout, dropped: list("drop") })
}

/// The text of a layout, which [`parse`] understands.
pub fn spell(layout: &BasketLayout) -> String {
    use sfumato_core::registry::Argument::{List, Word};
    let mut args = std::collections::BTreeMap::new();
    let mut say = |name: &str, value| args.insert(name.to_string(), value);
    match layout {
        BasketLayout::Lines { separator, key } => {
            match separator {
                Separator::Blank => None,
                Separator::Char(',') => say("separator", Word("comma".into())),
                Separator::Char('\t') => say("separator", Word("tab".into())),
                Separator::Char(c) => say("separator", Word(c.to_string())),
            };
            if *key {
                say("key", Word("true".into()));
            }
        }
        BasketLayout::Long { id, item, utility } => {
            say("id", Word(id.clone()));
            say("item", Word(item.clone()));
            utility.as_ref().map(|column| say("utility", Word(column.clone())));
        }
        BasketLayout::List { column, key } => {
            say("column", Word(column.clone()));
            key.as_ref().map(|column| say("key", Word(column.clone())));
        }
        BasketLayout::Queries { user, query } => {
            say("user", Word(user.clone()));
            say("query", Word(query.clone()));
        }
        BasketLayout::Table { columns, rest, key } => {
            let named = |wanted: fn(&ItemKind) -> bool| -> Vec<String> {
                let of_kind = columns.iter().filter(|column| wanted(&column.kind));
                of_kind
                    .map(|column| match column.kind {
                        ItemKind::Bucket { width } => format!("{}:{width}", column.name),
                        _ => column.name.clone(),
                    })
                    .collect()
            };
            let lists = [
                ("categories", named(|kind| matches!(kind, ItemKind::Categorical))),
                ("buckets", named(|kind| matches!(kind, ItemKind::Bucket { .. }))),
                ("flags", named(|kind| matches!(kind, ItemKind::OneHot))),
            ];
            for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
                say(name, List(list));
            }
            if let Some(rest) = rest {
                say(
                    "rest",
                    Word(
                        if matches!(rest, ItemKind::OneHot) { "flags" } else { "categories" }
                            .into(),
                    ),
                );
            }
            key.as_ref().map(|column| say("key", Word(column.clone())));
        }
    }
    Call { name: layout.name().into(), args }.to_string()
}

fn entry(info: &Info) -> &'static Info {
    ALL.iter().find(|entry| entry.name == info.name).copied().unwrap_or(&LINES)
}

fn separator(word: &str) -> Result<Separator> {
    let mut chars = word.chars();
    match (word, chars.next(), chars.next()) {
        ("blank", _, _) => Ok(Separator::Blank),
        ("comma", _, _) => Ok(Separator::Char(',')),
        ("semicolon", _, _) => Ok(Separator::Char(';')),
        ("tab" | "\\t", _, _) => Ok(Separator::Char('\t')),
        (_, Some(c), None) => Ok(Separator::Char(c)),
        _ => Err(Error::params(format!(
            "lines: separator must be blank, comma, semicolon, tab or one character, not '{word}'"
        ))),
    }
}

fn bucket(given: &str) -> Result<ItemColumn> {
    let wrong = || {
        Error::params(format!(
            "table: buckets are written as column:width, such as age:5, not '{given}'"
        ))
    };
    let (name, width) = given.rsplit_once(':').ok_or_else(wrong)?;
    let width: f64 = width.trim().parse().map_err(|_| wrong())?;
    if name.is_empty() || !width.is_finite() || width <= 0.0 {
        return Err(wrong());
    }
    Ok(ItemColumn { name: name.trim().into(), kind: ItemKind::Bucket { width } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_forms() {
        assert_eq!(parse("lines").unwrap().layout, BasketLayout::FIMI);
        let lines = parse("lines(separator=comma, key=true)").unwrap().layout;
        assert_eq!(lines, BasketLayout::Lines { separator: Separator::Char(','), key: true });
        let long = parse("long(id=who, item=what, drop=[when])").unwrap();
        assert_eq!(
            long.layout,
            BasketLayout::Long { id: "who".into(), item: "what".into(), utility: None }
        );
        assert_eq!(long.dropped, ["when"]);
        let table = parse("table(categories=[sex], buckets=[age:5], flags=[owner], key=id)")
            .unwrap()
            .layout;
        let BasketLayout::Table { columns, rest: None, key: Some(key) } = table else {
            panic!("{table:?}")
        };
        let kinds: Vec<_> =
            columns.iter().map(|column| (column.name.as_str(), column.kind)).collect();
        let bucket = ItemKind::Bucket { width: 5.0 };
        assert_eq!(
            kinds,
            [("sex", ItemKind::Categorical), ("owner", ItemKind::OneHot), ("age", bucket)]
        );
        assert_eq!(key, "id");
    }

    #[test]
    fn forms_are_spelled_as_they_are_read() {
        for text in [
            "lines",
            "lines(key=true, separator=comma)",
            "long(id=who, item=what, utility=worth)",
            "list(column=items, key=id)",
            "queries(query=text, user=who)",
            "table(buckets=[age:5, hours:0.5], categories=[sex, \"a, b\"], flags=[owner], key=id)",
            "table(rest=flags)",
        ] {
            assert_eq!(spell(&parse(text).unwrap().layout), text);
        }
    }

    #[test]
    fn wrong_words_are_refused() {
        for wrong in [
            "line",
            "long(id=a)",
            "table",
            "table(buckets=[age])",
            "table(buckets=[age:0])",
            "lines(separator=two)",
            "list(col=a)",
        ] {
            assert_eq!(parse(wrong).unwrap_err().kind, sfumato_core::ErrorKind::Params, "{wrong}");
        }
        assert!(parse("line").unwrap_err().hint.unwrap().contains("lines"));
    }
}
