//! The syntax for the columns of a log: `log(user=AnonID, query=Query, time=QueryTime)`.

use sfumato_core::registry::{Call, Info, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};

/// All layouts, as the catalogue shows them.
pub static ALL: &[&Info] = &[&LOG];

static LOG: Info = Info {
    name: "log",
    summary: "a table with a row for each query",
    params: &[
        ParamSpec::required("user", ParamKind::Text, "the column that says who asked"),
        ParamSpec::required("query", ParamKind::Text, "the column with the text of the query"),
        ParamSpec::optional(
            "time",
            ParamKind::Text,
            "the column that says when; it isn't published",
        ),
        ParamSpec::optional(
            "url",
            ParamKind::Text,
            "the column with the address that was chosen; it isn't published",
        ),
        ParamSpec::optional("drop", ParamKind::List, "columns that are left out"),
    ],
    doc: "\
CSV, Parquet, Arrow IPC or JSON lines. Every column of the file must be mentioned. Queries that \
differ in case or space alone are the same. Rows without a
query are left out, and the report says how many there were.
",
    ..Info::DEFAULT
};

/// Which column of a log is which.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// Who asked.
    pub user: String,
    /// The text of the query.
    pub query: String,
    /// When it was asked.
    pub time: Option<String>,
    /// The address that was chosen.
    pub url: Option<String>,
    /// Columns that are left out.
    pub dropped: Vec<String>,
}

/// Parse a layout.
pub fn parse(text: &str) -> Result<Layout> {
    let call: Call = text.parse()?;
    if call.name != LOG.name {
        return Err(Error::params(format!("there is no layout '{}' of query logs", call.name))
            .hint("write log(user=A, query=B)"));
    }
    let params = Params::check(&LOG, &call.args)?;
    let word = |name: &str| params.text(name).map(String::from);
    let layout = Layout {
        user: word("user").unwrap_or_default(),
        query: word("query").unwrap_or_default(),
        time: word("time"),
        url: word("url"),
        dropped: params.list("drop").unwrap_or_default(),
    };
    let mut named: Vec<&String> = layout.named().chain(&layout.dropped).collect();
    named.sort_unstable();
    match named.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(layout),
        Some(pair) => Err(Error::params(format!("column '{}' is named for two purposes", pair[0]))),
    }
}

impl Layout {
    /// The columns that are read.
    pub fn named(&self) -> impl Iterator<Item = &String> {
        [&self.user, &self.query].into_iter().chain(&self.time).chain(&self.url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_once() {
        let layout = parse("log(user=u, query=q, url=a, drop=[rank])").unwrap();
        assert_eq!(layout.named().collect::<Vec<_>>(), ["u", "q", "a"]);
        assert_eq!((layout.time, &layout.dropped[0][..]), (None, "rank"));
        for wrong in ["log(user=u)", "log(user=u, query=u)", "lines", "log(user=u, query=q, x=1)"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
