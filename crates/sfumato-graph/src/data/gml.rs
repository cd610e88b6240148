//! The Graph Modelling Language: keys with numbers, texts or lists in brackets. What is read are
//! the `node` and `edge` lists of the `graph`; what is written are these and nothing else.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_io::{Output, append_lines};

use super::graph::Graph;
use super::labels::Labels;
use super::read::Raw;
use super::tokens::{line_of, read_whole};

/// What follows a key.
enum Value<'a> {
    /// A number or a text, without its quotes.
    Word(&'a str),
    /// A list begins.
    Open,
}

/// Walks through a text.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, message: &str) -> Error {
        Error::input(message).at_line(line_of(self.text.as_bytes(), self.at))
    }

    /// Skip blanks and comments.
    fn skip(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b'#' => {
                    let end = bytes[self.at..].iter().position(|byte| *byte == b'\n');
                    self.at = end.map_or(bytes.len(), |end| self.at + end);
                }
                byte if byte.is_ascii_whitespace() => self.at += 1,
                _ => return,
            }
        }
    }

    /// The next key, or nothing at the end of a list or of the text.
    fn key(&mut self) -> Result<Option<&'a str>> {
        self.skip();
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return Ok(None);
        }
        if rest.starts_with(']') {
            return Ok(None);
        }
        let end = rest.find(|c: char| c.is_whitespace() || c == '[' || c == ']' || c == '"');
        match end.unwrap_or(rest.len()) {
            0 => Err(self.error("a key is missing")),
            end => {
                self.at += end;
                Ok(Some(&rest[..end]))
            }
        }
    }

    /// What follows a key.
    fn value(&mut self) -> Result<Value<'a>> {
        self.skip();
        let rest = &self.text[self.at..];
        if rest.starts_with('[') {
            self.at += 1;
            return Ok(Value::Open);
        }
        if let Some(inner) = rest.strip_prefix('"') {
            let Some(end) = inner.find('"') else {
                return Err(self.error("a text has no end"));
            };
            self.at += end + 2;
            return Ok(Value::Word(&inner[..end]));
        }
        let end = rest.find(|c: char| c.is_whitespace() || c == ']').unwrap_or(rest.len());
        if end == 0 {
            return Err(self.error("a value is missing"));
        }
        self.at += end;
        Ok(Value::Word(&rest[..end]))
    }

    /// The end of a list.
    fn close(&mut self) -> Result<()> {
        self.skip();
        match self.text[self.at..].starts_with(']') {
            true => {
                self.at += 1;
                Ok(())
            }
            false => Err(self.error("a list has no end")),
        }
    }

    /// Pass over a list that was opened.
    fn pass(&mut self) -> Result<()> {
        while self.key()?.is_some() {
            if let Value::Open = self.value()? {
                self.pass()?;
            }
        }
        self.close()
    }

    /// The words of a list that was opened, by their keys.
    fn words(&mut self) -> Result<Vec<(&'a str, &'a str)>> {
        let mut words = Vec::new();
        while let Some(key) = self.key()? {
            match self.value()? {
                Value::Word(word) => words.push((key, word)),
                Value::Open => self.pass()?,
            }
        }
        self.close()?;
        Ok(words)
    }
}

/// Read a graph. `label` names the key of nodes that holds their labels.
pub(super) fn read(path: &str, label: Option<&str>, observer: &dyn Observer) -> Result<Raw> {
    let (text, source) = read_whole(path, observer)?;
    let mut raw = Raw { source, ..Raw::default() };
    parse(&text, label, &mut raw).map_err(|error| error.in_file(path))?;
    Ok(raw)
}

fn parse(text: &str, label: Option<&str>, raw: &mut Raw) -> Result<()> {
    let mut reader = Reader { text, at: 0 };
    let mut has_graph = false;
    while let Some(key) = reader.key()? {
        match (key, reader.value()?) {
            ("graph", Value::Open) => {
                has_graph = true;
                parse_graph(&mut reader, label, raw)?;
            }
            (_, Value::Open) => reader.pass()?,
            _ => {}
        }
    }
    match (has_graph, reader.at == text.len()) {
        (true, true) => Ok(()),
        (false, _) => Err(Error::input("there is no graph in the file")),
        (true, false) => Err(reader.error("a list ends that never began")),
    }
}

fn parse_graph(reader: &mut Reader<'_>, label: Option<&str>, raw: &mut Raw) -> Result<()> {
    while let Some(key) = reader.key()? {
        // The line is counted only where there is something to say about it.
        let (text, place) = (reader.text, reader.at);
        let at = || line_of(text.as_bytes(), place);
        match (key, reader.value()?) {
            ("directed", Value::Word(word)) => raw.is_directed = word != "0",
            ("node", Value::Open) => {
                let words = reader.words()?;
                let find = |wanted: &str| words.iter().find(|(key, _)| *key == wanted);
                let Some((_, id)) = find("id") else {
                    return Err(Error::input("a node has no id").at_line(at()));
                };
                let node = raw.add_node(id.as_bytes()).map_err(|error| error.at_line(at()))?;
                if let Some(label) = label {
                    raw.set_label(node, find(label).map_or("", |(_, word)| word));
                }
            }
            ("edge", Value::Open) => {
                let words = reader.words()?;
                let mut ends = [None, None];
                for (key, word) in &words {
                    match *key {
                        "source" => ends[0] = raw.numbering.find(word),
                        "target" => ends[1] = raw.numbering.find(word),
                        _ => raw.more_fields += 1,
                    }
                }
                let [Some(from), Some(to)] = ends else {
                    let message = "an edge has an end that no node before it is";
                    return Err(Error::input(message).at_line(at()));
                };
                raw.edges.push((from, to));
            }
            (_, Value::Open) => reader.pass()?,
            _ => {}
        }
    }
    reader.close()
}

/// Write a graph, and the labels of its nodes under a key.
pub(super) fn write(
    out: &mut Output,
    graph: &Graph,
    labels: Option<(&Labels, &str)>,
    destination: &str,
) -> Result<()> {
    let mut text = String::from("graph [\n  directed 0\n");
    for node in graph.nodes() {
        text += &format!("  node [\n    id {node}\n");
        if let Some((labels, key)) = labels {
            text += &format!("    {key} \"{}\"\n", labels.get(node).replace('"', "&quot;"));
        }
        text += "  ]\n";
    }
    for (a, b) in graph.edges() {
        text += &format!("  edge [\n    source {a}\n    target {b}\n  ]\n");
    }
    text += "]\n";
    append_lines(out, text.into_bytes(), destination)
}
