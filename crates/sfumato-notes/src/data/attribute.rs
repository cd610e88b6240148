//! What of a person a text may give away: an attribute is a quasi column, and how texts say it.

use sfumato_core::column::RawTable;
use sfumato_core::dataset::{Role, ValueKind};
use sfumato_core::{Error, Result};
use sfumato_text::data::{TermIndex, fold, tokens};

use super::lend::cell;
use crate::job::Job;

/// How values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sense {
    Age,
    Zip,
    Date,
    Sex,
    Words,
}

/// An attribute of the identifier view.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// The name of its column.
    pub name: String,
    /// Its place among the columns of the file; none if only the text has it.
    pub column: Option<usize>,
    /// The classes of parts that say it.
    pub classes: Vec<String>,
    /// Words that say it: the values of its column.
    pub terms: TermIndex,
    sense: Sense,
}

/// Words that say which sex somebody has.
const FEMALE: &str = "she her hers herself woman female lady girl mrs miss ms madam mother wife \
                      sister daughter widow grandmother aunt f w";
const MALE: &str = "he him his himself man male gentleman boy mr sir father husband brother son \
                    widower grandfather uncle m";
/// The longest value, in words, that is looked for in texts.
const LONGEST: usize = 6;

impl Attribute {
    fn new(name: &str, classes: Vec<String>, column: Option<usize>, values: &[&str]) -> Self {
        let is_sex = !values.is_empty() && values.iter().all(|value| sex_of(value).is_some());
        let of_class = match classes.first().map(String::as_str) {
            Some("AGE") => Sense::Age,
            Some("ZIP_CODE") => Sense::Zip,
            Some("DATE_TIME") => Sense::Date,
            _ => Sense::Words,
        };
        let sense = if is_sex { Sense::Sex } else { of_class };
        let mut terms = TermIndex::default();
        match sense {
            Sense::Sex => FEMALE.split(' ').chain(MALE.split(' ')).for_each(|word| {
                if word.len() > 1 {
                    terms.add(word);
                }
            }),
            _ => {
                // Numbers stand for too much; a code of one or two letters is no word of a text.
                let is_number = ValueKind::infer(values.iter().copied()) != ValueKind::Text;
                let is_word = |value: &&&str| {
                    let letters = value.chars().filter(|c| c.is_alphabetic()).count();
                    letters >= 3 && tokens(value).len() <= LONGEST
                };
                for value in values.iter().filter(|_| !is_number).filter(is_word) {
                    terms.add(value);
                }
            }
        }
        Attribute { name: name.into(), column, classes, terms, sense }
    }

    /// The same in another file, where its column is elsewhere.
    #[must_use]
    pub fn in_column(&self, column: Option<usize>) -> Attribute {
        Attribute { column, ..self.clone() }
    }

    /// What a part of a text says, in a form in which it can be compared.
    pub fn value(&self, text: &str) -> String {
        match self.sense {
            Sense::Age => first_number(text).unwrap_or_else(|| words(text)),
            Sense::Zip => {
                let signs: String = text.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
                let is_long = signs.len() == 9 && signs.bytes().all(|b| b.is_ascii_digit());
                if is_long { signs[..5].into() } else { signs.to_ascii_lowercase() }
            }
            Sense::Date => iso_date(text).unwrap_or_else(|| words(text)),
            Sense::Sex => sex_of(text).map_or_else(|| words(text), Into::into),
            Sense::Words => words(text),
        }
    }

    /// What a cell says, in the same form. A range says no value.
    pub fn value_of_cell(&self, text: &str) -> String {
        let is_plain = text.chars().all(|c| c.is_ascii_digit());
        match self.sense {
            Sense::Age if !is_plain => words(text),
            Sense::Zip if text.contains('*') => words(text),
            _ => self.value(text),
        }
    }

    /// A value as a column shows it.
    pub fn shown(&self, text: &str) -> String {
        match self.sense {
            Sense::Age | Sense::Zip | Sense::Date => self.value(text),
            Sense::Sex | Sense::Words => text.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }

    /// The mark that stands for a value that isn't shown.
    pub fn mark(&self) -> String {
        let name = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
        format!("[{}]", self.name.chars().map(name).collect::<String>())
    }
}

fn words(text: &str) -> String {
    let words = tokens(text).into_iter().map(|token| fold(&text[token.start..token.end]));
    words.collect::<Vec<_>>().join(" ")
}

fn first_number(text: &str) -> Option<String> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let digits: String = text[start..].chars().take_while(char::is_ascii_digit).collect();
    digits.parse::<u64>().ok().map(|number| number.to_string())
}

fn sex_of(text: &str) -> Option<&'static str> {
    let word = fold(text.trim());
    let is_in = |list: &str| list.split(' ').any(|known| known == word);
    match (is_in(FEMALE), is_in(MALE)) {
        (true, _) => Some("f"),
        (_, true) => Some("m"),
        _ => None,
    }
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// A day as year, month and day, whatever way it is written: 1987-05-12, 12.5.1987, 5/12/1987, 12
/// May 1987, May 12, 1987.
fn iso_date(text: &str) -> Option<String> {
    let parts: Vec<String> =
        tokens(text).iter().map(|token| fold(&text[token.start..token.end])).collect();
    let number = |text: &str| {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        digits.parse::<u32>().ok()
    };
    let month = |text: &str| {
        let is_it = |month: &&str| text.len() >= 3 && text.starts_with(*month);
        MONTHS.iter().position(|month| is_it(&month)).map(|at| at as u32 + 1)
    };
    let [a, b, c, ..] = &parts[..] else { return None };
    let (year, month, day) = match (number(a), number(b), number(c)) {
        (Some(year), Some(month), Some(day)) if a.len() == 4 => (year, month, day),
        (Some(month), Some(day), Some(year)) if text.contains('/') && c.len() == 4 => {
            if month > 12 { (year, day, month) } else { (year, month, day) }
        }
        (Some(day), Some(month), Some(year)) if c.len() == 4 => (year, month, day),
        (Some(day), None, Some(year)) if c.len() == 4 => (year, month(b)?, day),
        (None, Some(day), Some(year)) if c.len() == 4 => (year, month(a)?, day),
        _ => return None,
    };
    let is_day = (1..=12).contains(&month) && (1..=31).contains(&day);
    is_day.then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// Names of columns, and the class of parts of a text that say what is in them.
const NAMED: &[(&[&str], &str)] = &[
    (&["age"], "AGE"),
    (&["zip", "zipcode", "postcode", "postal", "plz"], "ZIP_CODE"),
    (
        &[
            "city",
            "town",
            "place",
            "country",
            "state",
            "county",
            "region",
            "residence",
            "birthplace",
            "location",
        ],
        "GPE",
    ),
    (
        &["date", "dob", "birth", "birthday", "born", "admitted", "admission", "discharged"],
        "DATE_TIME",
    ),
    (&["nationality", "religion", "ethnicity", "race"], "NRP"),
    (&["employer", "organization", "organisation", "company"], "ORGANIZATION"),
];

fn guessed(name: &str) -> Vec<String> {
    let words: Vec<String> =
        fold(name).split(|c: char| !c.is_alphanumeric()).map(Into::into).collect();
    let is_named =
        |(names, _): &&(&[&str], &str)| words.iter().any(|word| names.contains(&word.as_str()));
    NAMED.iter().find(is_named).map(|(_, class)| class.to_string()).into_iter().collect()
}

/// The attributes of a job: what it says, and the quasi columns of the file.
pub fn attributes(job: &Job, table: &RawTable, quasi: &[String]) -> Result<Vec<Attribute>> {
    let mut said: Vec<(String, Vec<String>)> = Vec::new();
    for text in &job.view.attributes {
        let (name, classes) = match text.split_once('=') {
            Some((name, classes)) => (name.trim().to_string(), classes),
            None => (text.trim().to_ascii_lowercase(), text.as_str()),
        };
        let classes: Vec<String> = classes.split('+').map(|class| class.trim().into()).collect();
        if name.is_empty() || classes.iter().any(String::is_empty) {
            return Err(Error::params(format!("can't read '{text}' as a part of the view"))
                .hint("say a column and a class, such as age=AGE"));
        }
        said.push((name, classes));
    }
    let (text, _) = job.text_column()?;
    let mut all = Vec::new();
    let place = |name: &str| table.columns.iter().position(|column| column.name == name);
    for name in
        quasi.iter().chain(said.iter().map(|(name, _)| name).filter(|name| !quasi.contains(name)))
    {
        let column = place(name).filter(|_| *name != text);
        let is_other = job.columns.get(name).is_some_and(|spec| spec.role != Role::Quasi);
        if is_other {
            return Err(Error::params(format!("column '{name}' of the view isn't a quasi column"))
                .hint("an attacker may know what the view has: name it with --qi"));
        }
        let known =
            said.iter().find(|(known, _)| known == name).map(|(_, classes)| classes.clone());
        if known.is_none() && column.is_none() {
            return Err(Error::input(format!("there is no column '{name}'"))
                .hint(format!("say what in the text is: --view '{name}=CLASS'")));
        }
        let values: Vec<&str> = match column {
            None => Vec::new(),
            Some(at) => {
                let column = &table.columns[at];
                let used = column.codes.counts(column.values.len());
                let is_used = |code: &usize| used[*code] > 0 && column.null != Some(*code as u32);
                let texts = (0..column.values.len()).filter(is_used);
                texts
                    .map(|code| column.values.get(code as u32))
                    .filter(|text| !text.is_empty())
                    .collect()
            }
        };
        all.push(Attribute::new(name, known.unwrap_or_else(|| guessed(name)), column, &values));
    }
    Ok(all)
}

/// What a cell of an attribute's column says, where the file has it.
pub(super) fn own_value(attribute: &Attribute, table: &RawTable, row: usize) -> Option<String> {
    let column = attribute.column?;
    Some(cell(&table.columns[column], row))
        .filter(|text| !text.is_empty())
        .map(|text| attribute.value_of_cell(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(class: &str, values: &[&str]) -> Attribute {
        let classes = if class.is_empty() { Vec::new() } else { vec![class.to_string()] };
        Attribute::new("a", classes, Some(0), values)
    }

    #[test]
    fn one_value_written_in_many_ways() {
        let dates = attribute("DATE_TIME", &[]);
        for text in
            ["1987-05-12", "12.5.1987", "5/12/1987", "12 May 1987", "May 12th, 1987", "12 may 1987"]
        {
            assert_eq!(dates.value(text), "1987-05-12", "{text}");
        }
        assert_eq!(dates.value("May 1987"), "may 1987");
        assert_eq!(attribute("AGE", &[]).value("37 years"), "37");
        assert_eq!(attribute("AGE", &[]).value_of_cell("[30-39]"), "30 39");
        assert_eq!(attribute("ZIP_CODE", &[]).value("02139-4307"), "02139");
        assert_eq!(attribute("ZIP_CODE", &[]).value_of_cell("021**"), "021");
        let sex = attribute("", &["F", "M"]);
        assert_eq!((sex.value("She"), sex.value("his")), ("f".into(), "m".into()));
        assert_eq!(attribute("GPE", &["New-York"]).value("new  york"), "new york");
    }

    #[test]
    fn names_of_columns_say_what_to_look_for() {
        for (name, class) in [
            ("age", "AGE"),
            ("zip_code", "ZIP_CODE"),
            ("Home town", "GPE"),
            ("date of birth", "DATE_TIME"),
        ] {
            assert_eq!(guessed(name), [class], "{name}");
        }
        assert!(guessed("language").is_empty() && guessed("diagnosis").is_empty());
    }
}
