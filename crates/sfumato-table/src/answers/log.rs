//! The log of queries: lines that are only ever appended, each with the hash of the one before.
//!
//! A line is on disk before its answer is given, so that a kill loses no answer that somebody has.
//! A line without its end was never answered, and is dropped. Only its owner may read the log.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, FastMap, Result};
use sfumato_io::sha256_hex;

use super::auditor::Denial;
use super::{Asked, Past};
use crate::query::Query;

/// What is answered at all: fixed when a log is opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// The smallest set of records that is answered about.
    pub min_set: u64,
    /// How many records two sets may share at most.
    pub max_overlap: Option<u64>,
    /// How many answers are given at most.
    pub max_answers: u64,
    /// The column that says which record is which.
    pub id: Option<String>,
    /// The budget of answers with noise, in millionths of epsilon. Without one, answers are exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
}

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Record {
    /// The first line: the policy, and the key of the hashes of names.
    Opened {
        /// The policy.
        policy: Policy,
        /// What names are hashed with.
        salt: String,
    },
    /// The table that rows are numbered by, where no column says which record is which.
    Table {
        /// The hash of its file.
        sha256: String,
    },
    /// Records that weren't known before: the hashes of their names, numbered in this order.
    Records {
        /// The hashes.
        names: Vec<String>,
    },
    /// A query that was answered.
    Answered {
        /// The query.
        query: String,
        /// Its column, if it has one.
        column: Option<String>,
        /// The columns of its conditions.
        by: Vec<String>,
        /// The records, as ranges of numbers: first and last.
        set: Vec<(u32, u32)>,
        /// The answer, where later denials depend on it: of extremes, and of answers with noise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<String>,
        /// What it cost of the budget, in millionths of epsilon.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        spent: Option<u64>,
    },
    /// A query that was denied.
    Denied {
        /// The query.
        query: String,
        /// Why.
        why: String,
    },
}

impl Record {
    /// The line about a query that is denied.
    pub fn denied(query: &Query, denial: &Denial) -> Self {
        Record::Denied { query: query.to_string(), why: denial.name().into() }
    }

    /// The line about a query that is answered.
    pub fn answered(
        query: &Query,
        set: &[u32],
        answer: Option<String>,
        spent: Option<u64>,
    ) -> Self {
        let mut sorted = set.to_vec();
        sorted.sort_unstable();
        let ranges = sorted.chunk_by(|a, b| *b == *a || *b == a + 1);
        Record::Answered {
            query: query.to_string(),
            column: query.column.clone(),
            by: conditions(query),
            set: ranges.map(|range| (range[0], range[range.len() - 1])).collect(),
            answer,
            spent,
        }
    }
}

/// The columns that a query selects by.
pub(super) fn conditions(query: &Query) -> Vec<String> {
    let conditions = query.predicate.iter().flat_map(|predicate| &predicate.conditions);
    conditions.map(|condition| condition.column.clone()).collect()
}

/// A line: its number, the hash of the line before, what it says, and its own hash.
#[derive(Serialize, Deserialize)]
struct Line {
    n: u64,
    before: String,
    says: Record,
    hash: String,
}

impl Line {
    fn hash_of(n: u64, before: &str, says: &Record) -> Result<String> {
        let text = serde_json::to_string(&(n, before, says))
            .map_err(|error| Error::internal(format!("a line can't be written: {error}")))?;
        Ok(sha256_hex(text.as_bytes()))
    }
}

/// A log that is open, and locked for others.
pub struct Log {
    path: PathBuf,
    file: File,
    lines: Vec<Record>,
    head: String,
    policy: Policy,
    salt: String,
    answers: u64,
}

impl Log {
    /// Open a log, or begin one with a policy.
    pub fn open(path: &Path, (new, asked): &(Policy, &Asked)) -> Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let io = |what: &'static str| move |error| Error::io(path, what, &error);
        let mut file = options.open(path).map_err(io("open"))?;
        // Two programs that answer at once would each not know of the other's answer.
        file.lock().map_err(io("lock"))?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io("read"))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            // A killed program left half a line, whose answer nobody got.
            file.set_len(whole as u64).map_err(io("write"))?;
            file.seek(SeekFrom::End(0)).map_err(io("write"))?;
        }
        let (lines, head) = read_lines(&text[..whole], path)?;
        let opened = match lines.first() {
            None => None,
            Some(Record::Opened { policy, salt }) => Some((policy.clone(), salt.clone())),
            Some(_) => return Err(changed(path, 1)),
        };
        let is_new = opened.is_none();
        let (policy, salt) = match opened {
            Some(opened) => opened,
            None => {
                let mut salt = [0u8; 16];
                getrandom::fill(&mut salt).map_err(|error| {
                    Error::resources(format!("the operating system gave no randomness: {error}"))
                })?;
                (new.clone(), salt.iter().map(|byte| format!("{byte:02x}")).collect())
            }
        };
        let answers = lines.iter().filter(|line| matches!(line, Record::Answered { .. })).count();
        let path = path.to_path_buf();
        let answers = answers as u64;
        let mut log = Log { path, file, lines, head, policy, salt, answers };
        if is_new {
            log.append(Record::Opened { policy: log.policy.clone(), salt: log.salt.clone() })?;
        }
        log.check_asked(asked)?;
        Ok(log)
    }

    /// Refuse flags that aren't the policy of the log.
    fn check_asked(&self, asked: &Asked) -> Result<()> {
        let Policy { min_set, max_overlap, max_answers, id, budget } = &self.policy;
        let is_other = asked.min_set.is_some_and(|asked| asked != *min_set)
            || asked.max_overlap.is_some() && asked.max_overlap != *max_overlap
            || asked.max_answers.is_some_and(|asked| asked != *max_answers)
            || asked.id.is_some() && asked.id != *id
            || asked.budget.is_some() && asked.budget != *budget;
        match is_other {
            false => Ok(()),
            true => Err(Error::params("this log was opened with other limits, and they stay")
                .in_file(self.path.display().to_string())
                .hint("leave the flags out, or begin a new log with data nobody was told of")),
        }
    }

    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }
    /// How many queries were answered.
    pub fn answers(&self) -> u64 {
        self.answers
    }
    /// The hash of the last line.
    pub fn head(&self) -> &str {
        &self.head
    }
    /// What the lines say.
    pub fn lines(&self) -> &[Record] {
        &self.lines
    }

    /// Append a line. It is on disk when this returns.
    pub fn append(&mut self, says: Record) -> Result<()> {
        let n = self.lines.len() as u64 + 1;
        let hash = Line::hash_of(n, &self.head, &says)?;
        let line = Line { n, before: self.head.clone(), says, hash: hash.clone() };
        let text = serde_json::to_string(&line)
            .map_err(|error| Error::internal(format!("a line can't be written: {error}")))?;
        let io = |error| Error::io(&self.path, "write", &error);
        self.file.write_all((text + "\n").as_bytes()).map_err(io)?;
        self.file.sync_all().map_err(io)?;
        self.answers += u64::from(matches!(line.says, Record::Answered { .. }));
        self.lines.push(line.says);
        self.head = hash;
        Ok(())
    }

    /// Refuse a query that selects by a column that sums are about, or the other way round: which
    /// records it selects would depend on the values that are protected.
    pub fn check_columns(&self, query: &Query) -> Result<()> {
        let (mut summed, mut selecting) = (Vec::new(), Vec::new());
        for line in &self.lines {
            if let Record::Answered { column, by, .. } = line {
                summed.extend(column);
                selecting.extend(by);
            }
        }
        let by = conditions(query);
        summed.extend(&query.column);
        selecting.extend(&by);
        match summed.iter().find(|column| selecting.contains(column)) {
            None => Ok(()),
            Some(column) => Err(Error::unsupported(format!(
                "column '{column}' is added up and selected by, here or in an earlier query: which \
                 records are selected would tell their values"
            ))
            .hint("select by columns that are known of everybody")),
        }
    }

    /// Refuse another table than the one that rows are numbered by.
    pub fn same_table(&mut self, sha256: &str) -> Result<()> {
        let known = self.lines.iter().find_map(|line| match line {
            Record::Table { sha256 } => Some(sha256.clone()),
            _ => None,
        });
        match known {
            None => self.append(Record::Table { sha256: sha256.into() }),
            Some(known) if known == sha256 => Ok(()),
            Some(_) => Err(Error::unsupported(
                "this isn't the table that the log is about, and nothing says which record is \
                 which",
            )
            .hint("begin a log with --id COLUMN, and the table may change from then on")),
        }
    }

    /// The numbers of records by their names; new names are numbered and written down.
    pub fn number(&mut self, names: &[&str]) -> Result<Vec<u32>> {
        let known = self.lines.iter().filter_map(|line| match line {
            Record::Records { names } => Some(names.clone()),
            _ => None,
        });
        let mut numbers: FastMap<String, u32> = FastMap::default();
        for (number, name) in (0u32..).zip(known.flatten()) {
            numbers.insert(name, number);
        }
        let hash = |name: &str| sha256_hex(format!("{}\n{name}", self.salt).as_bytes());
        let (mut new, mut found) = (Vec::new(), Vec::with_capacity(names.len()));
        let mut seen = sfumato_core::FastSet::default();
        for name in names {
            let hash = hash(name);
            let next = numbers.len() as u32;
            let number = *numbers.entry(hash.clone()).or_insert_with(|| {
                new.push(hash);
                next
            });
            if name.is_empty() || !seen.insert(number) {
                return Err(Error::input("two records have the same id, or one has none")
                    .hint("--id must name a column that differs from record to record"));
            }
            found.push(number);
        }
        if !new.is_empty() {
            self.append(Record::Records { names: new })?;
        }
        Ok(found)
    }

    /// What was asked and answered.
    pub fn past(&self) -> Vec<Past> {
        past(&self.lines)
    }

    /// What was spent of the budget so far.
    pub fn spent(&self) -> u64 {
        let of = |line: &Record| match line {
            Record::Answered { spent, .. } => spent.unwrap_or(0),
            _ => 0,
        };
        self.lines.iter().map(of).sum()
    }
}

/// The queries that lines say were answered.
pub(super) fn past(lines: &[Record]) -> Vec<Past> {
    let of = |line: &Record| match line {
        Record::Answered { query, set, answer, spent, .. } => Some(Past {
            query: query.parse().ok()?,
            set: set.iter().flat_map(|(a, b)| *a..=*b).collect(),
            answer: answer.as_ref().and_then(|answer| answer.parse().ok()),
            spent: *spent,
        }),
        _ => None,
    };
    lines.iter().filter_map(of).collect()
}

/// Read a log that nothing is appended to: its lines, each compared with its hash.
pub(super) fn read_log(path: &Path) -> Result<Vec<Record>> {
    let text =
        sfumato_io::steps::read_to_string(path).map_err(|error| Error::io(path, "read", &error))?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    Ok(read_lines(&text[..whole], path)?.0)
}

/// The lines of a log, each compared with its hash and the one before, and the hash of the last.
fn read_lines(text: &str, path: &Path) -> Result<(Vec<Record>, String)> {
    let (mut lines, mut head) = (Vec::new(), String::new());
    for (n, line) in (1u64..).zip(text.lines()) {
        let line: Line = serde_json::from_str(line).map_err(|_| changed(path, n))?;
        let is_next = line.n == n && line.before == head;
        if !is_next || line.hash != Line::hash_of(n, &head, &line.says)? {
            return Err(changed(path, n));
        }
        head = line.hash;
        lines.push(line.says);
    }
    Ok((lines, head))
}

fn changed(path: &Path, line: u64) -> Error {
    Error::input("this isn't the log as it was written: lines were changed, moved or taken out")
        .in_file(path.display().to_string())
        .at_line(line)
        .hint("nothing is answered by a log that can't be trusted: restore it from a copy")
}
