//! The builder `file`: a hierarchy from a CSV file with one line per leaf.

use sfumato_core::FastMap;
use sfumato_core::dataset::LevelTable;
use sfumato_core::error::{Error, Result};
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{BuildInput, Builder};

use crate::csv;

/// The builder `file`, an entry of the registry.
pub struct File;

static INFO: Info = Info {
    name: "file",
    summary: "a hierarchy from a CSV file: one line per value, from the value to the root",
    papers: &[],
    params: &[
        ParamSpec::required("path", ParamKind::Text, "the file, relative to the job"),
        ParamSpec::optional(
            "separator",
            ParamKind::Choice(&[";", ",", "tab", "|"]),
            "what stands between the levels; guessed if left out",
        ),
        ParamSpec::optional(
            "default",
            ParamKind::Text,
            "the node that takes data values which the file lacks; without it they are an error",
        ),
    ],
    doc: "\
Reads the format in which ARX keeps hierarchies: one line per value, its generalizations from left \
to right, the root
last.

```text
Dancer;Artist;*
Writer;Artist;*
Lawyer;Professional;*
```

Every line must have equally many levels. There is no header line. Fields may stand in double \
quotes; a UTF-8 mark at
the start, Windows line endings and blank lines are fine. The separator is the first of `;`, tab, \
`|` and `,` that gives
every line equally many fields, unless `separator` names it. If the last column has more than one \
label, a root `*` is
added above it.

A node is a position in the tree: a label may occur under two parents or at two levels. A line \
that occurs twice is read
once; two lines that place the same value differently are an error.

`default` names the node that takes values of the data which the file doesn't list: its label, or \
its path such as
`Oceania/Australia` where the label alone isn't unique. Each becomes a new leaf below that node; \
the levels between
repeat the node's label. Without `default`, such values stop the run.",
    ..Info::DEFAULT
};

impl Builder for File {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn build(&self, params: &Params, input: &BuildInput<'_>) -> Result<LevelTable> {
        let path = params.text("path").expect("the specification requires it");
        let separator = params.text("separator").and_then(|word| match word {
            "tab" => Some('\t'),
            word => word.chars().next(),
        });
        parse(&(input.read_text)(path)?, separator).map_err(|error| error.in_file(path))
    }
}

/// Parse the table of levels in a text.
pub(crate) fn parse(text: &str, separator: Option<char>) -> Result<LevelTable> {
    let separator = separator.unwrap_or_else(|| csv::guess_separator(text));
    let rows = csv::parse(text, separator, usize::MAX)?;
    let Some((first_line, first)) = rows.first() else {
        return Err(Error::input("the hierarchy file is empty")
            .hint("write one line per value: value;group;*"));
    };
    let depth = first.len();
    let mut lines: FastMap<&str, usize> = FastMap::default();
    let mut kept: Vec<&Vec<String>> = Vec::with_capacity(rows.len());
    for (at, (line, row)) in rows.iter().enumerate() {
        if row.len() != depth {
            let (have, want) = (count(row.len()), depth);
            return Err(Error::input(format!(
                "line {line} has {have}, line {first_line} has {want}"
            ))
            .at_line(*line)
            .hint(
                "every line needs one label per level; put a label that contains the separator \
                        in quotes",
            ));
        }
        match lines.get(row[0].as_str()) {
            Some(&earlier) => {
                let (other, same) = &rows[earlier];
                if same != row {
                    return Err(Error::input(format!(
                        "lines {other} and {line} place the same value differently"
                    ))
                    .at_line(*line)
                    .hint("keep one of the two lines"));
                }
            }
            None => {
                lines.insert(&row[0], at);
                kept.push(row);
            }
        }
    }
    let level = |l: usize| kept.iter().map(|row| row[l].as_str()).collect();
    Ok(LevelTable { levels: (0..depth).map(level).collect() })
}

fn count(levels: usize) -> String {
    if levels == 1 { "1 level".to_string() } else { format!("{levels} levels") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sfumato_core::dataset::Hierarchy;

    #[test]
    fn reads_lines_and_tolerates_repeats() {
        let table = parse("\u{feff}a,X,*\r\nb,\"Y, too\",*\r\na,X,*\r\n", None).unwrap();
        let rows: Vec<Vec<_>> =
            (0..table.n_leaves()).map(|leaf| table.row(leaf).collect()).collect();
        assert_eq!(rows, [["a", "X", "*"], ["b", "Y, too", "*"]]);
    }

    #[test]
    fn a_label_may_have_two_parents() {
        let table = parse("a;X;P;*\nb;X;Q;*", None).unwrap();
        assert_eq!(Hierarchy::from_levels(&table).unwrap().0.n_nodes(), 7);
    }

    #[test]
    fn errors_name_the_lines() {
        let message = |text| parse(text, None).unwrap_err().message;
        assert_eq!(message(""), "the hierarchy file is empty");
        assert_eq!(message("\n\n"), "the hierarchy file is empty");
        assert_eq!(message("a;A;X;*\n\nb;B;*"), "line 3 has 3 levels, line 1 has 4");
        assert_eq!(message("a;*\nb"), "line 2 has 1 level, line 1 has 2");
        assert_eq!(
            message("a;X;*\nb;X;*\na;Y;*"),
            "lines 1 and 3 place the same value differently"
        );
    }

    #[test]
    fn build_names_the_file_and_takes_the_separator() {
        let build = |call: &str, text: &'static str| {
            let call: sfumato_core::registry::Call = call.parse().unwrap();
            let domain = sfumato_core::dataset::Domain::of_texts(["a"]);
            let input =
                BuildInput { domain: &domain, counts: &[1], read_text: &|_| Ok(text.to_string()) };
            File.build(&Params::check(&INFO, &call.args).unwrap(), &input)
        };
        assert_eq!(
            build("file(path=h.csv, separator=tab)", "a;b\t*").unwrap().levels[0].get(0),
            "a;b"
        );
        assert_eq!(
            build("file(path=h.csv, separator=\",\")", "a;b,*").unwrap().levels[0].get(0),
            "a;b"
        );
        let error = build("file(path=h.csv)", "a;*\nb;c;*").unwrap_err();
        assert_eq!(error.to_string(), "h.csv:2: line 2 has 3 levels, line 1 has 2");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn no_text_panics(text in prop_oneof![".{0,80}", "[ab;,\"\r\n\t]{0,60}"]) {
            if let Ok(table) = parse(&text, None) {
                prop_assert!(table.n_leaves() > 0);
                prop_assert!(table.levels.len() > 254 || Hierarchy::from_levels(&table).is_ok());
            }
        }
    }
}
