//! GraphML: nodes and edges as elements of XML. What is read are the elements `node`, `edge` and
//! `data` of a graph; what is written are these and nothing else.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastMap, Result};
use sfumato_io::{Output, append_lines};

use super::graph::Graph;
use super::labels::Labels;
use super::read::Raw;
use super::tokens::{line_of, read_whole};

/// An element's tag: its name without a prefix, its attributes, and whether it ends or begins one.
struct Tag<'a> {
    name: &'a str,
    attributes: Vec<(&'a str, String)>,
    is_end: bool,
    is_empty: bool,
}

impl Tag<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
    }
}

/// Replace the references of XML by what they stand for.
fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = rest.find('&') {
        out += &rest[..place];
        let (name, after) = rest[place + 1..].split_once(';')?;
        out.push(match name {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            "apos" => '\'',
            _ => {
                let number = name.strip_prefix('#')?;
                let code = match number.strip_prefix('x') {
                    Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                    None => number.parse().ok()?,
                };
                char::from_u32(code)?
            }
        });
        rest = after;
    }
    out += rest;
    Some(out)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Walks through the tags of a text.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, message: &str) -> Error {
        Error::input(message).at_line(line_of(self.text.as_bytes(), self.at))
    }

    /// The text before the next tag, and the tag; nothing at the end.
    fn next(&mut self) -> Result<Option<(&'a str, Tag<'a>)>> {
        loop {
            let rest = &self.text[self.at..];
            let Some(begin) = rest.find('<') else { return Ok(None) };
            let (before, tag) = rest.split_at(begin);
            let passed = [("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"), ("<!", ">")];
            if let Some((_, end)) = passed.iter().find(|(mark, _)| tag.starts_with(mark)) {
                let Some(end) = tag.find(end).map(|place| place + end.len()) else {
                    return Err(self.error("a comment or a declaration has no end"));
                };
                self.at += begin + end;
                continue;
            }
            let Some(end) = tag.find('>') else { return Err(self.error("a tag has no end")) };
            let inner = &tag[1..end];
            let parsed = self.tag(inner)?;
            self.at += begin + end + 1;
            return Ok(Some((before, parsed)));
        }
    }

    fn tag(&self, inner: &'a str) -> Result<Tag<'a>> {
        let is_end = inner.starts_with('/');
        let is_empty = inner.ends_with('/');
        let inner = inner.trim_start_matches('/').trim_end_matches('/').trim();
        let (name, mut rest) = match inner.find(char::is_whitespace) {
            Some(place) => inner.split_at(place),
            None => (inner, ""),
        };
        let name = name.rsplit(':').next().unwrap_or(name);
        let mut attributes = Vec::new();
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                return Ok(Tag { name, attributes, is_end, is_empty });
            }
            let Some((key, after)) = rest.split_once('=') else {
                return Err(self.error("an attribute has no value"));
            };
            let after = after.trim_start();
            let quote = after.chars().next().filter(|c| *c == '"' || *c == '\'');
            let Some((value, left)) = quote.and_then(|quote| after[1..].split_once(quote)) else {
                return Err(self.error("an attribute has no quotes"));
            };
            let Some(value) = unescape(value) else {
                return Err(self.error("a reference isn't known"));
            };
            attributes.push((key.trim(), value));
            rest = left;
        }
    }
}

/// Read a graph. `label` names the attribute of nodes that holds their labels.
pub(super) fn read(path: &str, label: Option<&str>, observer: &dyn Observer) -> Result<Raw> {
    let (text, source) = read_whole(path, observer)?;
    let mut raw = Raw { source, ..Raw::default() };
    parse(&text, label, &mut raw).map_err(|error| error.in_file(path))?;
    Ok(raw)
}

fn parse(text: &str, label: Option<&str>, raw: &mut Raw) -> Result<()> {
    let mut reader = Reader { text, at: 0 };
    // The key of data is another than the name of an attribute.
    let mut keys: FastMap<String, String> = FastMap::default();
    let mut node: Option<u32> = None;
    let mut data: Option<String> = None;
    let mut has_graph = false;
    // Ends of edges may be named before their nodes.
    let mut ends: Vec<(String, String, usize)> = Vec::new();
    while let Some((before, tag)) = reader.next()? {
        // The line is counted only where there is something to say about it.
        let place = reader.at;
        let line = || line_of(text.as_bytes(), place);
        match (tag.name, tag.is_end) {
            ("graph", false) => {
                if std::mem::replace(&mut has_graph, true) {
                    return Err(reader.error("a second graph begins, and only one is read"));
                }
                raw.is_directed = tag.get("edgedefault") == Some("directed");
            }
            ("key", false) => {
                if let (Some(id), Some(name)) = (tag.get("id"), tag.get("attr.name")) {
                    keys.insert(id.into(), name.into());
                }
            }
            ("node", false) => {
                let Some(id) = tag.get("id") else {
                    return Err(Error::input("a node has no id").at_line(line()));
                };
                let added = raw.add_node(id.as_bytes()).map_err(|error| error.at_line(line()))?;
                if label.is_some() {
                    raw.set_label(added, "");
                }
                node = (!tag.is_empty).then_some(added);
            }
            ("node", true) => node = None,
            ("data", false) if !tag.is_empty => {
                data = tag.get("key").map(String::from);
                raw.more_fields += u64::from(node.is_none());
            }
            ("data", true) => {
                let key = data.take().unwrap_or_default();
                let name = keys.get(&key).unwrap_or(&key);
                if let (Some(node), Some(label)) = (node, label)
                    && name == label
                {
                    let Some(text) = unescape(before.trim()) else {
                        return Err(reader.error("a reference isn't known"));
                    };
                    raw.set_label(node, &text);
                }
            }
            ("edge", false) => {
                let (Some(from), Some(to)) = (tag.get("source"), tag.get("target")) else {
                    return Err(Error::input("an edge has no source or no target").at_line(line()));
                };
                ends.push((from.into(), to.into(), place));
            }
            _ => {}
        }
    }
    if !has_graph {
        return Err(Error::input("there is no graph in the file"));
    }
    for (from, to, place) in ends {
        let line = || line_of(text.as_bytes(), place);
        let (Some(from), Some(to)) = (raw.numbering.find(&from), raw.numbering.find(&to)) else {
            return Err(Error::input("an edge has an end that is no node").at_line(line()));
        };
        raw.edges.push((from, to));
    }
    Ok(())
}

/// Write a graph, and the labels of its nodes as an attribute.
pub(super) fn write(
    out: &mut Output,
    graph: &Graph,
    labels: Option<(&Labels, &str)>,
    destination: &str,
) -> Result<()> {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    if let Some((_, name)) = labels {
        text += &format!(
            "<key id=\"label\" for=\"node\" attr.name=\"{}\" attr.type=\"string\"/>\n",
            escape(name)
        );
    }
    text += "<graph edgedefault=\"undirected\">\n";
    for node in graph.nodes() {
        text += &match labels {
            None => format!("<node id=\"{node}\"/>\n"),
            Some((labels, _)) => format!(
                "<node id=\"{node}\"><data key=\"label\">{}</data></node>\n",
                escape(labels.get(node))
            ),
        };
    }
    for (a, b) in graph.edges() {
        text += &format!("<edge source=\"{a}\" target=\"{b}\"/>\n");
    }
    text += "</graph>\n</graphml>\n";
    append_lines(out, text.into_bytes(), destination)
}
