//! Hierarchies that are broken, or that don't fit their column.

use super::{Case, case, check};

/// A case with the job of all cases in which the hierarchy of the sex comes from a file.
fn file(name: &'static str, text: &str) -> Case {
    case(name)
        .file("sex.csv", text)
        .run("anonymize people.csv -o out.csv $ROLES -k 2 --hierarchy sex=sex.csv")
}

#[test]
fn from_files() {
    check(vec![
        case("no such hierarchy file")
            .run("anonymize people.csv -o out.csv $ROLES -k 2 --hierarchy sex=sex.csv")
            .code(5)
            .error("sex.csv: column 'sex': no such file"),
        file("an empty hierarchy file", "")
            .error("sex.csv: column 'sex': the hierarchy file is empty")
            .hint("write one line per value: value;group;*"),
        file("uneven levels", "f;human;*\nm;*\n")
            .error("sex.csv:2: column 'sex': line 2 has 2 levels, line 1 has 3")
            .hint(
                "every line needs one label per level; put a label that contains the separator in \
                 quotes",
            ),
        file("a value is missing", "f;human;*\n")
            .error(
                "the hierarchy file(path=sex.csv) lacks 1 value of column 'sex' (52 records), \
                    first in \
                 rows 3, 4, 5",
            )
            .hint(
                "add what it lacks, or name a node for unknown values with default=...; \
                 --show-values shows the values",
            ),
        file("one value in two places", "f;human;*\nm;human;*\nf;other;*\n")
            .error("sex.csv:3: column 'sex': lines 1 and 3 place the same value differently")
            .hint("keep one of the two lines"),
        file("an unterminated quote", "f;\"human;*\nm;human;*\n")
            .error("sex.csv:1: column 'sex': a closing quote is missing"),
        case("a node for unknown values that isn't there")
            .file("sex.csv", "f;human;*\n")
            .run(
                "anonymize people.csv -o out.csv $ROLES -k 2 --hierarchy sex=sex.csv --unknown \
                sex=people",
            )
            .error("the hierarchy file(path=sex.csv) has no node 'people' for unknown values")
            .hint("the root is '*'; values themselves can't take others"),
        case("a tree that is no JSON")
            .file("sex.json", "{\"human\": [\"f\", \"m\"}\n")
            .run("anonymize people.csv -o out.csv $ROLES -k 2 --hierarchy sex=sex.json")
            .error("sex.json:1:20: column 'sex': the tree isn't valid JSON: expected `,` or `]`"),
    ]);
}

#[test]
fn from_builders() {
    check(vec![
        case("intervals on text")
            .run(
                "anonymize people.csv -o out.csv $ROLES -k 2 --hierarchy \
             sex=interval(width=5)",
            )
            .error(
                "column 'sex': interval needs numbers, dates or times, and the column's values are \
                    of \
                 the kind text",
            )
            .hint(
                "'sfumato list hierarchies' shows what fits which kind; mask, order and frequency \
                    take \
                 any",
            ),
        case("a calendar on numbers")
            .run(
                "anonymize people.csv -o out.csv $ROLES -k 2 --hierarchy \
             age=date",
            )
            .error(
                "column 'age': date needs dates (YYYY-MM-DD) or dates with times, and the column's \
                 values are of the kind integer",
            )
            .hint(
                "'sfumato list hierarchies' shows what fits which kind; mask, order and frequency \
                    take \
                 any",
            ),
        case("an unknown builder, nearly right")
            .run(
                "anonymize people.csv -o out.csv $ROLES -k 2 \
             --hierarchy age=intervall(width=5)",
            )
            .error("column 'age': there is no hierarchy 'intervall'")
            .hint("did you mean interval? 'sfumato list hierarchies' shows all"),
        case("an unknown parameter")
            .run(
                "anonymize people.csv -o out.csv $ROLES -k 2 --hierarchy \
             age=interval(widht=5)",
            )
            .error("column 'age': interval has no parameter 'widht'")
            .hint("it takes width, origin, levels, factor, bottom, top"),
        case("a parameter is missing")
            .run(
                "anonymize people.csv -o out.csv $ROLES -k 2 --hierarchy \
             age=interval",
            )
            .error("column 'age': interval needs the parameter 'width'")
            .hint("width: the width at the first level; days for dates, seconds for times"),
        case("intervals of width 0")
            .run(
                "anonymize people.csv -o out.csv $ROLES -k 2 --hierarchy \
             age=interval(width=0)",
            )
            .error("column 'age': interval: width must be a number above 0, not '0'"),
        case("half intervals of whole numbers")
            .run(
                "anonymize people.csv -o out.csv $ROLES -k 2 \
             --hierarchy age=interval(width=2.5)",
            )
            .error(
                "column 'age': interval: width must be a whole number, as the column's values are, \
                    not \
                 '2.5'",
            ),
        case("a mask from the middle")
            .run(
                "anonymize people.csv -o out.csv $ROLES -k 2 --hierarchy \
             zip=mask(from=middle)",
            )
            .error("column 'zip': mask: from must be one of right, left, not 'middle'"),
        case("a hierarchy without a column")
            .run(
                "anonymize people.csv -o out.csv $ROLES -k 2 --hierarchy \
             mask",
            )
            .error("--hierarchy is written as column=value, not 'mask'"),
    ]);
}
