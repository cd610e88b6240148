//! Attaches a table of levels to the values of a column: finds the leaf of each value, and the
//! domain and tree of the column.

use sfumato_core::column::Dictionary;
use sfumato_core::dataset::{Domain, Hierarchy, LevelTable, NodeId, ValueKind};
use sfumato_core::error::{Error, Result};
use sfumato_core::{FastMap, FastSet};

use crate::exact::Exact;
use crate::shorten;

/// What to do with values of the data that the table lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// Stop with an error.
    Refuse,
    /// Make them leaves below the node of this label, or of this path (`Oceania/Australia`).
    Node(String),
}

/// A column's domain and tree, with the place of each data value in them.
#[derive(Debug, Clone)]
pub struct Attached {
    /// The tree over the codes of `domain`.
    pub hierarchy: Hierarchy,
    /// All leaves of the table in depth-first order.
    pub domain: Domain,
    /// The code of each data value, by its index in the data's own domain.
    pub code_of: Vec<u32>,
}

/// Attach a table to data. `counts` says how many records have each data value; `column` and
/// `source` name the column and the hierarchy in messages.
pub fn attach(
    table: &LevelTable,
    data: &Domain,
    counts: &[u64],
    column: &str,
    source: &str,
    unknown: Unknown,
) -> Result<Attached> {
    let (mut hierarchy, _) = Hierarchy::from_levels(table)?;
    let mut places = locate(&hierarchy, data, source)?;
    let missing: Vec<u32> =
        (0..).zip(&places).filter(|(_, place)| place.is_none()).map(|(value, _)| value).collect();
    if !missing.is_empty() {
        let Unknown::Node(node) = unknown else {
            return Err(lacking(&missing, data, counts, column, source));
        };
        hierarchy = Hierarchy::from_levels(&extend(&hierarchy, data, &missing, &node, source)?)?.0;
        places = locate(&hierarchy, data, source)?;
    }
    let code_of = places.into_iter().collect::<Option<Vec<u32>>>();
    let code_of = code_of
        .ok_or_else(|| Error::internal("a value that was added to a hierarchy isn't in it"))?;
    let domain = domain_of(&hierarchy, data);
    Ok(Attached { hierarchy, domain, code_of })
}

/// The data values that a hierarchy lacks, by their places in the data's domain.
pub fn missing_values(table: &LevelTable, data: &Domain, source: &str) -> Result<Vec<u32>> {
    let (hierarchy, _) = Hierarchy::from_levels(table)?;
    let places = locate(&hierarchy, data, source)?;
    Ok((0..).zip(&places).filter(|(_, place)| place.is_none()).map(|(value, _)| value).collect())
}

/// The meaning that two different texts of the same value share.
#[derive(PartialEq, Eq, Hash)]
enum Meaning {
    Number(Exact),
    Key(i64),
}

fn meaning(kind: ValueKind, text: &str) -> Option<Meaning> {
    match kind {
        ValueKind::Text => None,
        // Any number of digits counts, so that 1.5 finds 1.50; but 007 is no number here either.
        kind if kind.is_number() => {
            ValueKind::Float.parse(text)?;
            Exact::parse(text).map(Meaning::Number)
        }
        kind => kind.parse(text).map(Meaning::Key),
    }
}

/// The leaf of each data value, found by its text or else by its meaning.
fn locate(tree: &Hierarchy, data: &Domain, source: &str) -> Result<Vec<Option<u32>>> {
    let leaves = || (0..tree.n_leaves() as u32).map(|code| (tree.label(tree.leaf(code)), code));
    let by_text: FastMap<&str, u32> = leaves().collect();
    let mut places: Vec<Option<u32>> =
        data.labels().map(|text| by_text.get(text.as_ref()).copied()).collect();
    if data.kind == ValueKind::Text {
        return Ok(places);
    }
    refuse_two_places(tree, data, source, &places)?;
    // Meanings cost far more than texts, and most hierarchies write values as the data does.
    if places.iter().all(Option::is_some) {
        return Ok(places);
    }
    // `None` where two leaves mean the same.
    let mut by_meaning: FastMap<Meaning, Option<u32>> = FastMap::default();
    for (text, code) in leaves() {
        if let Some(meaning) = meaning(data.kind, text) {
            by_meaning.entry(meaning).and_modify(|place| *place = None).or_insert(Some(code));
        }
    }
    for (text, place) in data.labels().zip(&mut places).filter(|(_, place)| place.is_none()) {
        match meaning(data.kind, &text).and_then(|meaning| by_meaning.get(&meaning)) {
            Some(Some(code)) => *place = Some(*code),
            Some(None) => return Err(listed_twice(&text, source)),
            None => {}
        }
    }
    Ok(places)
}

fn listed_twice(text: &str, source: &str) -> Error {
    Error::input(format!("the hierarchy {source} lists a value of the data twice in other forms"))
        .hint("keep one of the forms, or list the value as the data writes it")
        .about_values(format!("'{}'", shorten(text, 20)))
}

/// Refuse a tree that puts `1` and `1.0` in different places: texts of one number are one value in
/// the data, and only one of the places would count.
fn refuse_two_places(
    tree: &Hierarchy,
    data: &Domain,
    source: &str,
    places: &[Option<u32>],
) -> Result<()> {
    let mut is_taken = vec![false; tree.n_leaves()];
    places.iter().flatten().for_each(|code| is_taken[*code as usize] = true);
    if is_taken.iter().all(|taken| *taken) {
        return Ok(());
    }
    let parent = |code: u32| tree.parent(tree.leaf(code));
    let of_data = data
        .labels()
        .zip(places)
        .filter_map(|(text, place)| Some((meaning(data.kind, &text)?, (*place)?)));
    let of_data: FastMap<Meaning, u32> = of_data.collect();
    for code in (0..tree.n_leaves() as u32).filter(|code| !is_taken[*code as usize]) {
        let text = tree.label(tree.leaf(code));
        let found = meaning(data.kind, text).and_then(|meaning| of_data.get(&meaning));
        if found.is_some_and(|found| parent(*found) != parent(code)) {
            return Err(listed_twice(text, source));
        }
    }
    Ok(())
}

fn lacking(missing: &[u32], data: &Domain, counts: &[u64], column: &str, source: &str) -> Error {
    let records: u64 =
        missing.iter().map(|value| counts.get(*value as usize).copied().unwrap_or(0)).sum();
    let plural = |n: u64, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let (values, records) = (plural(missing.len() as u64, "value"), plural(records, "record"));
    let mut first: Vec<String> = missing
        .iter()
        .take(3)
        .map(|value| format!("'{}'", shorten(&data.label(*value), 20)))
        .collect();
    if missing.len() > 3 {
        first.push("…".to_string());
    }
    Error::input(format!("the hierarchy {source} lacks {values} of column '{column}' ({records})"))
        .hint("add what it lacks, or name a node for unknown values with default=...")
        .about_values(first.join(", "))
}

/// The table with the missing values as further leaves below a node. The levels between a new leaf
/// and the node repeat the node's label, so that the new values are together from the first level
/// on.
fn extend(
    tree: &Hierarchy,
    data: &Domain,
    missing: &[u32],
    name: &str,
    source: &str,
) -> Result<LevelTable> {
    let node = find_node(tree, name, source)?;
    let mut table = tree.to_levels();
    // Two texts of one new value (1.5 and 1.50) are one leaf, the first.
    let mut added = FastSet::default();
    for value in missing {
        let text = data.label(*value);
        if meaning(data.kind, &text).is_some_and(|meaning| !added.insert(meaning)) {
            continue;
        }
        table.levels[0].push(&text);
        let mut above = node;
        for level in 1..tree.n_levels() {
            while tree.level(above) < level {
                above = tree.parent(above);
            }
            table.levels[level].push(tree.label(above));
        }
    }
    Ok(table)
}

fn find_node(tree: &Hierarchy, name: &str, source: &str) -> Result<NodeId> {
    let inner = || (0..tree.n_nodes() as NodeId).filter(|node| tree.level(*node) > 0);
    let mut found: Vec<NodeId> = inner().filter(|node| tree.label(*node) == name).collect();
    if found.is_empty() {
        // Parents come before their children, so one pass gives every path.
        let mut paths: Vec<String> = Vec::new();
        for node in inner() {
            let label = tree.label(node);
            let path = match node {
                Hierarchy::ROOT => label.to_string(),
                _ => format!("{}/{label}", paths[tree.parent(node) as usize]),
            };
            paths.push(path);
        }
        let end = format!("/{name}");
        found = inner()
            .filter(|node| paths[*node as usize] == name || paths[*node as usize].ends_with(&end))
            .collect();
    }
    match found[..] {
        [node] => Ok(node),
        [] => Err(Error::params(format!(
            "the hierarchy {source} has no node '{name}' for unknown values"
        ))
        .hint(format!(
            "the root is '{}'; values themselves can't take others",
            tree.label(Hierarchy::ROOT)
        ))),
        _ => Err(Error::params(format!(
            "the hierarchy {source} has {} nodes '{name}', so unknown values have no one place",
            found.len()
        ))
        .hint("give the path from a node above it, such as Oceania/Australia")),
    }
}

fn domain_of(tree: &Hierarchy, data: &Domain) -> Domain {
    let labels: Dictionary =
        (0..tree.n_leaves() as u32).map(|code| tree.label(tree.leaf(code))).collect();
    let all =
        |kind: ValueKind| labels.iter().map(|text| kind.parse(text)).collect::<Option<Vec<i64>>>();
    if data.kind == ValueKind::Text {
        return Domain { kind: ValueKind::Text, labels: labels.into(), keys: Vec::new() };
    }
    if let Some(keys) = all(data.kind) {
        return Domain { kind: data.kind, labels: labels.into(), keys };
    }
    // Leaves with more digits after the point than the data has are still numbers, of a wider kind.
    let wider = ValueKind::infer(labels.iter());
    match all(wider).filter(|_| data.kind.is_number() && wider.is_number()) {
        Some(keys) => Domain { kind: wider, labels: labels.into(), keys },
        None => Domain { kind: ValueKind::Text, labels: labels.into(), keys: Vec::new() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&str]) -> LevelTable {
        LevelTable::from_rows(
            &rows.iter().map(|row| row.split(';').collect()).collect::<Vec<Vec<&str>>>(),
        )
    }

    fn data(kind: ValueKind, texts: &[&str]) -> Domain {
        let keys = texts.iter().filter_map(|text| kind.parse(text)).collect();
        Domain { kind, labels: texts.iter().collect(), keys }
    }

    fn join(rows: &[&str], data: &Domain, unknown: Unknown) -> Result<Attached> {
        let counts: Vec<u64> = (1..=data.len() as u64).collect();
        attach(&table(rows), data, &counts, "job", "job.csv", unknown)
    }

    fn row(attached: &Attached, value: usize) -> Vec<&str> {
        let tree = &attached.hierarchy;
        let code = attached.code_of[value];
        (0..tree.n_levels()).map(|level| tree.label(tree.ancestor(code, level))).collect()
    }

    #[test]
    fn every_leaf_gets_a_code_in_depth_first_order() {
        let rows = ["a;X;*", "b;Y;*", "c;X;*"];
        let attached = join(&rows, &Domain::of_texts(["b", "c"]), Unknown::Refuse).unwrap();
        assert_eq!(attached.domain.labels().collect::<Vec<_>>(), ["a", "c", "b"]);
        assert_eq!(attached.code_of, [2, 1]);
        assert_eq!(row(&attached, 1), ["c", "X", "*"]);
        assert_eq!((attached.domain.kind, attached.domain.keys.len()), (ValueKind::Text, 0));
    }

    #[test]
    fn numbers_and_dates_match_by_meaning() {
        let decimals = data(ValueKind::Decimal { scale: 2 }, &["1.50", "2.25"]);
        let attached = join(&["2.25;X;*", "1.5;Y;*"], &decimals, Unknown::Refuse).unwrap();
        assert_eq!(attached.code_of, [1, 0]);
        assert_eq!(
            (attached.domain.kind, &attached.domain.keys[..]),
            (decimals.kind, &[225, 150][..])
        );
        let times = data(ValueKind::DateTime, &["2024-02-29 10:00:00"]);
        assert_eq!(join(&["2024-02-29T10:00;*"], &times, Unknown::Refuse).unwrap().code_of, [0]);
        // More digits in the leaves make a wider kind, a word makes them words.
        let ones = data(ValueKind::Decimal { scale: 1 }, &["1.5"]);
        let attached = join(&["1.50;*", "2.25;*"], &ones, Unknown::Refuse).unwrap();
        assert_eq!(
            (attached.domain.kind, &attached.domain.keys[..]),
            (ValueKind::Decimal { scale: 2 }, &[150, 225][..])
        );
        let attached = join(&["1.50;*", "unknown;*"], &ones, Unknown::Refuse).unwrap();
        assert_eq!((attached.domain.kind, attached.code_of), (ValueKind::Text, vec![0]));
        let sevens = data(ValueKind::Integer, &["7"]);
        assert!(join(&["007;*"], &sevens, Unknown::Refuse).is_err());
        let error = join(&["1.50;X;*", "1.500;Y;*"], &ones, Unknown::Refuse).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the hierarchy job.csv lists a value of the data twice in other forms"
        );
        assert_eq!(error.values.as_deref(), Some("'1.5'"));
    }

    #[test]
    fn missing_values_are_counted_and_the_first_named() {
        let rows = ["a;*"];
        let error = join(&rows, &Domain::of_texts(["a", "b"]), Unknown::Refuse).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the hierarchy job.csv lacks 1 value of column 'job' (2 records)"
        );
        let long = "x".repeat(50);
        let values = Domain::of_texts(["a", "b", "c", long.as_str(), "e"]);
        let error = join(&rows, &values, Unknown::Refuse).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the hierarchy job.csv lacks 4 values of column 'job' (14 records)"
        );
        assert_eq!(
            error.hint.as_deref(),
            Some("add what it lacks, or name a node for unknown values with default=...")
        );
        // Values are cells of people: they are only there for whoever asks for them.
        assert_eq!(error.values.as_deref(), Some("'b', 'c', 'xxxxxxxxxxxxxxxxxxx…', …"));
    }

    #[test]
    fn unknown_values_go_below_the_named_node() {
        let rows = ["a;X;P", "b;X;P", "c;Y;Q"];
        let values = Domain::of_texts(["c", "n", "o"]);
        let at = |node: &str| join(&rows, &values, Unknown::Node(node.to_string()));
        let attached = at("X").unwrap();
        assert_eq!(row(&attached, 1), ["n", "X", "P", "*"]);
        assert_eq!(attached.domain.labels().collect::<Vec<_>>(), ["a", "b", "n", "o", "c"]);
        assert_eq!(attached.code_of, [4, 2, 3]);
        assert_eq!(row(&at("Q").unwrap(), 2), ["o", "Q", "Q", "*"]);
        assert_eq!(row(&at("*").unwrap(), 2), ["o", "*", "*", "*"]);
        assert_eq!(row(&at("P/X").unwrap(), 2), ["o", "X", "P", "*"]);
        let error = at("a").unwrap_err();
        assert_eq!(error.to_string(), "the hierarchy job.csv has no node 'a' for unknown values");
        // Without unknown values the node isn't needed.
        assert!(join(&rows, &Domain::of_texts(["c"]), Unknown::Node("nowhere".into())).is_ok());
    }

    #[test]
    fn an_ambiguous_node_needs_its_path() {
        let rows = ["s;Australia;Australia;*", "w;NZ;Oceania;*"];
        let values = Domain::of_texts(["n"]);
        let at = |node: &str| join(&rows, &values, Unknown::Node(node.to_string()));
        let error = at("Australia").unwrap_err();
        let expect =
            "the hierarchy job.csv has 2 nodes 'Australia', so unknown values have no one place";
        assert_eq!(error.to_string(), expect);
        assert_eq!(
            row(&at("Australia/Australia").unwrap(), 0),
            ["n", "Australia", "Australia", "*"]
        );
        assert_eq!(row(&at("*/Oceania").unwrap(), 0), ["n", "Oceania", "Oceania", "*"]);
    }

    #[test]
    fn equal_unknown_numbers_become_one_leaf() {
        let values = data(ValueKind::Decimal { scale: 2 }, &["1.5", "1.50"]);
        let attached = join(&["2;*"], &values, Unknown::Node("*".into())).unwrap();
        assert_eq!((attached.code_of, attached.domain.len()), (vec![1, 1], 2));
    }
}
