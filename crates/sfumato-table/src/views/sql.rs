//! A small part of SQL: projections and selections of one table, and counts of groups.
//!
//! ```sql
//! CREATE VIEW v1 AS SELECT name, job FROM t WHERE age > 45 AND NOT job IN ('Cook', 'Clerk');
//! SELECT zip, salary, COUNT(*) FROM t GROUP BY zip, salary;
//! ```

use sfumato_core::{Error, Result};

/// A view.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// Its name, or its number where it has none.
    pub name: String,
    /// The columns that it shows.
    pub columns: Vec<String>,
    /// Which records it is of.
    pub condition: Condition,
    /// Whether it says how many records have each combination.
    pub counts: bool,
    /// Whether it shows each combination once.
    pub distinct: bool,
}

/// Which records a view is of.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// All of them.
    All,
    /// Those whose value compares so with another.
    Compare(String, Comparison, String),
    /// Those that meet all conditions.
    And(Vec<Condition>),
    /// Those that meet one of them.
    Or(Vec<Condition>),
    /// Those that don't meet it.
    Not(Box<Condition>),
}

/// How values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// Equal.
    Equal,
    /// Below.
    Below,
    /// Above.
    Above,
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Sign(String),
}

/// Read the views of a text.
pub fn parse(text: &str) -> Result<Vec<View>> {
    let mut reader = Reader { tokens: tokens(text)?, at: 0 };
    let mut views: Vec<View> = Vec::new();
    while reader.at < reader.tokens.len() {
        if !reader.takes(";") {
            let view = reader.view(views.len() + 1)?;
            if views.iter().any(|other| other.name == view.name) {
                return Err(Error::input(format!("two views are called {}", view.name)));
            }
            views.push(view);
        }
    }
    match views.is_empty() {
        true => Err(Error::input("there is no view").hint("write one: SELECT a, b FROM t;")),
        false => Ok(views),
    }
}

fn tokens(text: &str) -> Result<Vec<(u64, Token)>> {
    let mut found = Vec::new();
    for (line, text) in (1u64..).zip(text.lines()) {
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next().filter(|_| !rest.starts_with("--")) {
            let length = match first {
                '\'' | '"' => {
                    let end = rest[1..]
                        .find(first)
                        .ok_or_else(|| Error::input("a quotation has no end").at_line(line))?;
                    let inner = rest[1..=end].to_string();
                    found.push((
                        line,
                        if first == '"' { Token::Word(inner) } else { Token::Text(inner) },
                    ));
                    end + 2
                }
                _ if is_of_word(first) => {
                    let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
                    found.push((line, Token::Word(rest[..end].into())));
                    end
                }
                _ => {
                    let two = ["<=", ">=", "<>", "!="].iter().find(|sign| rest.starts_with(**sign));
                    let sign = two.map_or_else(|| first.to_string(), |sign| (*sign).to_string());
                    let length = sign.len();
                    found.push((line, Token::Sign(sign)));
                    length
                }
            };
            rest = rest[length..].trim_start();
        }
    }
    Ok(found)
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '-')
}

struct Reader {
    tokens: Vec<(u64, Token)>,
    at: usize,
}

impl Reader {
    fn wrong(&self, expected: &str) -> Error {
        let at = self.at.min(self.tokens.len().saturating_sub(1));
        let error = Error::input(format!("{expected} is expected here")).hint(
            "views are projections and selections of one table: SELECT a, b FROM t WHERE c > 5 AND \
             d IN ('x', 'y'); or counts: SELECT a, COUNT(*) FROM t GROUP BY a;",
        );
        match self.tokens.get(at) {
            Some((line, _)) => error.at_line(*line),
            None => error,
        }
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    /// Pass over a keyword or sign, if it stands here.
    fn takes(&mut self, what: &str) -> bool {
        let is_here = match self.peek() {
            Some(Token::Word(word)) => word.eq_ignore_ascii_case(what),
            Some(Token::Sign(sign)) => sign == what,
            _ => false,
        };
        self.at += usize::from(is_here);
        is_here
    }

    fn needs(&mut self, what: &str) -> Result<()> {
        if self.takes(what) { Ok(()) } else { Err(self.wrong(what)) }
    }

    fn word(&mut self, what: &str) -> Result<String> {
        match self.peek().cloned() {
            Some(Token::Word(word)) => {
                self.at += 1;
                Ok(word)
            }
            _ => Err(self.wrong(what)),
        }
    }

    fn value(&mut self) -> Result<String> {
        match self.peek().cloned() {
            Some(Token::Word(text) | Token::Text(text)) => {
                self.at += 1;
                Ok(text)
            }
            _ => Err(self.wrong("a value")),
        }
    }

    fn view(&mut self, number: usize) -> Result<View> {
        let name = match self.takes("CREATE") {
            true => {
                self.needs("VIEW")?;
                let name = self.word("the name of the view")?;
                self.needs("AS")?;
                name
            }
            false => format!("view {number}"),
        };
        self.needs("SELECT")?;
        let distinct = self.takes("DISTINCT");
        let (mut columns, mut counts) = (Vec::new(), false);
        loop {
            match self.word("a column")? {
                word if word.eq_ignore_ascii_case("COUNT") => {
                    ["(", "*", ")"].iter().try_for_each(|sign| self.needs(sign))?;
                    counts = true;
                }
                word => columns.push(word),
            }
            if !self.takes(",") {
                break;
            }
        }
        self.needs("FROM")?;
        self.word("the name of the table")?;
        let condition = if self.takes("WHERE") { self.any()? } else { Condition::All };
        if self.takes("GROUP") {
            self.needs("BY")?;
            let mut grouped = vec![self.word("a column")?];
            while self.takes(",") {
                grouped.push(self.word("a column")?);
            }
            if !counts || columns.iter().any(|column| !grouped.contains(column)) {
                return Err(self.wrong("COUNT(*) beside the columns of GROUP BY"));
            }
        }
        match self.peek() {
            None => {}
            Some(_) => self.needs(";")?,
        }
        Ok(View { name, columns, condition, counts, distinct })
    }

    fn any(&mut self) -> Result<Condition> {
        let mut all = vec![self.all()?];
        while self.takes("OR") {
            all.push(self.all()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Condition::Or(all) })
    }

    fn all(&mut self) -> Result<Condition> {
        let mut all = vec![self.one()?];
        while self.takes("AND") {
            all.push(self.one()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Condition::And(all) })
    }

    fn one(&mut self) -> Result<Condition> {
        if self.takes("NOT") {
            return Ok(Condition::Not(Box::new(self.one()?)));
        }
        if self.takes("(") {
            let inner = self.any()?;
            self.needs(")")?;
            return Ok(inner);
        }
        let column = self.word("a column")?;
        let is_not = self.takes("NOT");
        let found = self.compared(column)?;
        Ok(if is_not { Condition::Not(Box::new(found)) } else { found })
    }

    fn compared(&mut self, column: String) -> Result<Condition> {
        use Comparison::{Above, Below, Equal};
        let compare = |how, value: &str| Condition::Compare(column.clone(), how, value.into());
        if self.takes("BETWEEN") {
            let low = self.value()?;
            self.needs("AND")?;
            let high = self.value()?;
            let not = |condition| Condition::Not(Box::new(condition));
            return Ok(Condition::And(vec![not(compare(Below, &low)), not(compare(Above, &high))]));
        }
        if self.takes("IN") {
            self.needs("(")?;
            let mut any = vec![compare(Equal, &self.value()?)];
            while self.takes(",") {
                any.push(compare(Equal, &self.value()?));
            }
            self.needs(")")?;
            return Ok(Condition::Or(any));
        }
        let signs = [
            ("=", Equal, false),
            ("<>", Equal, true),
            ("!=", Equal, true),
            ("<=", Above, true),
            (">=", Below, true),
            ("<", Below, false),
            (">", Above, false),
        ];
        for (sign, how, is_not) in signs {
            if self.takes(sign) {
                let found = compare(how, &self.value()?);
                return Ok(if is_not { Condition::Not(Box::new(found)) } else { found });
            }
        }
        Err(self.wrong("a comparison"))
    }
}
