//! What is publicly known of people or things: entities, each with the terms of its context, and
//! those of them that must not be recognized.

use sfumato_core::{Error, FastMap, Result};
use sfumato_io::read_text;

use super::words::{TermIndex, fold, tokens};
use super::{REDACTED, csv};

/// Entities with their contexts.
#[derive(Debug, Clone, Default)]
pub struct Entities {
    /// The names, as they were written first.
    pub names: Vec<String>,
    /// The terms of each context, by number and in order.
    pub contexts: Vec<Vec<u32>>,
    /// All terms.
    pub terms: TermIndex,
    /// Whether each entity is protected.
    pub protected: Vec<bool>,
    /// For each term the entities whose context has it, in order.
    pub having: Vec<Vec<u32>>,
    /// Whether a term is in the context of a protected entity.
    pub matters: Vec<bool>,
}

impl Entities {
    /// Read entities, and which of them are protected. Without a file of these, all are.
    pub fn read(path: &str, protected: Option<&str>) -> Result<Entities> {
        let text = read_text(path)?;
        let pairs = match text.trim_start().starts_with(['{', '[']) {
            true => pairs_of_json(&text),
            false => pairs_of_csv(&text),
        };
        let in_file = |error: Error, path: &str| match error.place.file {
            Some(_) => error,
            None => error.in_file(path),
        };
        let entities =
            pairs.and_then(|pairs| Self::new(&pairs)).map_err(|error| in_file(error, path))?;
        match protected {
            None => Ok(entities.protect_all()),
            Some(path) => {
                let names = read_text(path)?;
                let names: Vec<&str> = names.lines().collect();
                entities.protect(&names).map_err(|error| in_file(error, path))
            }
        }
    }

    /// Entities from pairs of a name and a term, each with its line. A name without a term has an
    /// empty one.
    pub fn new(pairs: &[(u64, String, String)]) -> Result<Entities> {
        let mut entities = Entities::default();
        let mut numbers = FastMap::<&str, usize>::default();
        let mark = fold(REDACTED.trim_matches(['[', ']']));
        for (line, name, term) in pairs {
            let name = name.trim();
            if name.is_empty() {
                return Err(Error::input("an entity has no name").at_line(*line));
            }
            let number = *numbers.entry(name).or_insert_with(|| {
                entities.names.push(name.to_string());
                entities.contexts.push(Vec::new());
                entities.names.len() - 1
            });
            if term.trim().is_empty() {
                continue;
            }
            if tokens(term).iter().any(|token| fold(&term[token.start..token.end]) == mark) {
                return Err(Error::input("a term has the word that stands for terms taken out")
                    .at_line(*line)
                    .hint(format!("{REDACTED} couldn't be told from it: leave the term out")));
            }
            let term = entities.terms.add(term).ok_or_else(|| {
                Error::input("a term has neither a letter nor a digit").at_line(*line)
            })?;
            entities.contexts[number].push(term);
        }
        entities.having = vec![Vec::new(); entities.terms.len()];
        for (number, context) in entities.contexts.iter_mut().enumerate() {
            context.sort_unstable();
            context.dedup();
            context.iter().for_each(|term| entities.having[*term as usize].push(number as u32));
        }
        entities.matters = vec![false; entities.terms.len()];
        Ok(entities)
    }

    /// Protect all entities.
    pub fn protect_all(mut self) -> Entities {
        self.protected = vec![true; self.names.len()];
        self.matters.iter_mut().for_each(|matters| *matters = true);
        self
    }

    /// Protect those that are named, one on each line.
    pub fn protect(mut self, names: &[&str]) -> Result<Entities> {
        let numbers: FastMap<&str, u32> =
            self.names.iter().enumerate().map(|(at, name)| (name.as_str(), at as u32)).collect();
        let mut protected = vec![false; self.names.len()];
        for (line, name) in names.iter().enumerate().filter(|(_, name)| !name.trim().is_empty()) {
            let number = numbers.get(name.trim()).ok_or_else(|| {
                Error::input("a protected entity isn't among the entities")
                    .at_line(line as u64 + 1)
                    .hint("names must be written alike in both files")
            })?;
            protected[*number as usize] = true;
        }
        if !protected.contains(&true) {
            return Err(Error::input("no entity is protected").hint("write a name on each line"));
        }
        for (context, _) in self.contexts.iter().zip(&protected).filter(|(_, is)| **is) {
            context.iter().for_each(|term| self.matters[*term as usize] = true);
        }
        drop(numbers);
        self.protected = protected;
        Ok(self)
    }

    /// How many entities are protected.
    pub fn n_protected(&self) -> u64 {
        self.protected.iter().filter(|is| **is).count() as u64
    }

    /// How many entities have all terms of the context of an entity that are among `terms`, that
    /// entity included. None if none of them is.
    pub fn having_what_is_said(&self, entity: u32, terms: &[u32]) -> Option<u64> {
        let context = &self.contexts[entity as usize];
        let said: Vec<u32> =
            terms.iter().copied().filter(|term| context.binary_search(term).is_ok()).collect();
        let rarest = said.iter().min_by_key(|term| self.having[**term as usize].len())?;
        let has_all = |other: &&u32| {
            let context = &self.contexts[**other as usize];
            said.iter().all(|term| context.binary_search(term).is_ok())
        };
        Some(self.having[*rarest as usize].iter().filter(has_all).count() as u64)
    }

    /// The terms that matter in a text, in order and once each.
    pub fn terms_of(&self, text: &str) -> Vec<u32> {
        let found = self.terms.find(text).into_iter().map(|found| found.term);
        let mut terms: Vec<u32> = found.filter(|term| self.matters[*term as usize]).collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    }
}

/// Pairs of a table: the first column has the entity, the others its terms.
///
/// Under `terms` or `context`, or in two columns without a header, a cell has several terms, with
/// semicolons, bars or else blanks between them. Under any other name a cell is one term, of one
/// word or more, unless semicolons or bars divide it.
fn pairs_of_csv(text: &str) -> Result<Vec<(u64, String, String)>> {
    let rows = csv::rows(text, csv::guess_delimiter(text))?;
    let is_word =
        |cell: &String, words: &[&str]| words.contains(&cell.trim().to_lowercase().as_str());
    let first = rows.first().map(|(_, row)| row.as_slice()).unwrap_or_default();
    let has_header = first
        .first()
        .is_some_and(|cell| is_word(cell, &["entity", "entities", "name", "id", "person"]));
    let is_list: Vec<bool> = match has_header {
        true => {
            let words = ["terms", "context", "contexts"];
            first.iter().map(|name| is_word(name, &words)).collect()
        }
        false => vec![first.len() == 2; first.len()],
    };
    let mut pairs = Vec::new();
    for (line, row) in rows.iter().skip(usize::from(has_header)) {
        let Some((name, cells)) = row.split_first() else { continue };
        if row.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        pairs.push((*line, name.clone(), String::new()));
        for (at, cell) in cells.iter().enumerate() {
            let by_blanks = is_list.get(at + 1).copied().unwrap_or(false);
            pairs.extend(divided(cell, by_blanks).map(|term| (*line, name.clone(), term)));
        }
    }
    match pairs.is_empty() {
        true => Err(Error::input("there is no entity")),
        false => Ok(pairs),
    }
}

/// The terms of a cell.
fn divided(cell: &str, by_blanks: bool) -> impl Iterator<Item = String> + use<> {
    let parts: Vec<&str> = match (cell.contains([';', '|']), by_blanks) {
        (true, _) => cell.split([';', '|']).collect(),
        (false, true) => cell.split_whitespace().collect(),
        (false, false) => vec![cell],
    };
    let terms: Vec<String> = parts
        .into_iter()
        .map(|term| term.trim().to_string())
        .filter(|term| !term.is_empty())
        .collect();
    terms.into_iter()
}

/// Pairs of JSON: an object of names and lists of terms, a list of objects with `entity` and
/// `terms`, or a line for each of these.
fn pairs_of_json(text: &str) -> Result<Vec<(u64, String, String)>> {
    use serde_json::Value;
    let wrong = |line: u64| {
        Error::input("this isn't JSON of entities and their terms").at_line(line).hint(
            "write {\"name\": [\"term\", ...], ...} or lines of {\"entity\": \"name\", \
             \"terms\": [...]}",
        )
    };
    let mut pairs = Vec::new();
    let mut add = |line: u64, name: &str, terms: Option<&Value>| {
        let terms = terms.and_then(Value::as_array).ok_or_else(|| wrong(line))?;
        pairs.push((line, name.to_string(), String::new()));
        for term in terms {
            let term = match term {
                Value::String(term) => term.clone(),
                Value::Number(number) => number.to_string(),
                _ => return Err(wrong(line)),
            };
            pairs.push((line, name.to_string(), term));
        }
        Ok(())
    };
    let mut one = |line: u64, value: &Value| {
        let name = value.get("entity").or_else(|| value.get("name")).and_then(Value::as_str);
        let terms = value.get("terms").or_else(|| value.get("context"));
        add(line, name.ok_or_else(|| wrong(line))?, terms)
    };
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(values)) => values.iter().try_for_each(|value| one(1, value))?,
        Ok(Value::Object(map)) if map.get("entity").is_none_or(|name| !name.is_string()) => {
            map.iter().try_for_each(|(name, terms)| add(1, name, Some(terms)))?;
        }
        _ => {
            for (at, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
                let line_number = at as u64 + 1;
                let value = serde_json::from_str(line).map_err(|_| wrong(line_number))?;
                one(line_number, &value)?;
            }
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Entities {
        let pairs = match text.starts_with(['{', '[']) {
            true => pairs_of_json(text),
            false => pairs_of_csv(text),
        };
        Entities::new(&pairs.unwrap()).unwrap()
    }

    #[test]
    fn all_ways_to_write_entities_say_the_same() {
        let expected = of("entity,term\ne1,a\ne1,b\ne2,b\ne2,c c\n");
        assert_eq!(expected.contexts, [vec![0, 1], vec![1, 2]]);
        assert_eq!(expected.having, [vec![0], vec![0, 1], vec![1]]);
        for text in [
            "entity,terms\ne1,a b\ne2,b; c c\n",
            "e1,a b\ne2,b|c c\n",
            "name,first,second\ne1,a,b\ne2,b,c c\n",
            "{\"e1\": [\"a\", \"b\"], \"e2\": [\"b\", \"c c\"]}",
            "[{\"entity\": \"e1\", \"terms\": [\"a\", \"b\"]}, {\"name\": \"e2\", \"context\": \
             [\"b\", \"c c\"]}]",
            "{\"entity\": \"e1\", \"terms\": [\"a\", \"b\"]}\n{\"entity\": \"e2\", \"terms\": \
             [\"B\", \"c-c\"]}\n",
        ] {
            let found = of(text);
            assert_eq!(found.names, expected.names, "{text}");
            assert_eq!(found.contexts, expected.contexts, "{text}");
        }
        assert_eq!(of("entity,terms\ne1,\n").contexts, [Vec::<u32>::new()]);
    }

    #[test]
    fn protected_entities_must_be_known() {
        let entities = of("entity,term\ne1,a\ne2,b\n");
        let protected = entities.clone().protect(&["e2", "", " e2 "]).unwrap();
        assert_eq!(protected.protected, [false, true]);
        assert_eq!(protected.matters, [false, true]);
        let error = entities.clone().protect(&["", "e3"]).unwrap_err();
        assert_eq!(error.place.line, Some(2));
        assert!(!error.message.contains("e3") && entities.protect(&[]).is_err());
        let pairs = [(7, "e".to_string(), "the Redacted one".to_string())];
        assert_eq!(Entities::new(&pairs).unwrap_err().place.line, Some(7));
    }
}
