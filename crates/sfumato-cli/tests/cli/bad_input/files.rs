//! Files that can't be read: each names the file, and the line and column where there is one.

use super::{Case, case, check};
use crate::support::Folder;

const GOOD: &str = "age,sex\n30,f\n31,m\n";

fn release_in(name: &str) -> Vec<u8> {
    let folder = Folder::with_people();
    folder.succeed(&format!(
        "anonymize people.csv -o {name} --identifier name,person,disease,pay --qi age,sex,zip -k 2"
    ));
    folder.bytes(name)
}

fn cut(mut bytes: Vec<u8>, by: usize) -> Vec<u8> {
    bytes.truncate(bytes.len() - by);
    bytes
}

/// A case in which the simplest command that reads everything reads a broken file.
fn broken(name: &'static str, bytes: impl AsRef<[u8]>) -> Case {
    case(name).file("data.csv", bytes).run("anonymize data.csv -o out.csv --qi age,sex -k 2")
}

#[test]
fn delimited_text() {
    check(vec![
        broken("empty file", "").error("data.csv: the file is empty"),
        broken("blank lines only", "\n\n\n")
            .error("data.csv: the file has no header, only blank lines"),
        broken("header only", "age,sex\n").error("data.csv: the file has a header and no rows"),
        broken("short line", "age,sex\n30,f\n31\n")
            .error("data.csv:3: line has 1 field, the header has 2")
            .hint("a field that contains the delimiter must be quoted"),
        broken("long line", "age,sex\n30,f\n31,m,x\n")
            .error("data.csv:3: line has 3 fields, the header has 2")
            .hint("a field that contains the delimiter must be quoted"),
        broken("unterminated quote", "age,sex\n30,\"f\n31,m\n")
            .error("data.csv:2:4: a quote opens here and is never closed"),
        broken("text after a closing quote", "age,sex\n30,f\n31,\"m\"x\n")
            .error("data.csv:3:7: there is text after a closing quote")
            .hint("a quote inside a quoted field is written twice"),
        broken("invalid UTF-8", b"age,sex\n30,f\n31,\xFFm\n")
            .error("data.csv:3:4: byte 0xff isn't UTF-8")
            .hint(
                "say its encoding, such as --encoding windows-1252, or convert the file to UTF-8",
            ),
        broken("invalid UTF-8 in the header", b"age,s\xE9x\n30,f\n")
            .error("data.csv:1:6: byte 0xe9 isn't UTF-8")
            .hint(
                "say its encoding, such as --encoding windows-1252, or convert the file to UTF-8",
            ),
        broken("NUL bytes", "age,sex\n30,f\0\n31,m\n")
            .error("data.csv:2:5: there is a NUL byte in the text")
            .hint("is this a text file?"),
        broken("two columns of one name", "age,age\n30,31\n")
            .error("data.csv:1: columns 1 and 2 are both named 'age'")
            .hint("rename one of them"),
        broken("a column without a name", "age,,sex\n30,x,f\n")
            .error("data.csv:1: column 2 has no name in the header")
            .hint("every column needs a name in the first line"),
    ]);
}

#[test]
fn paths() {
    check(vec![
        case("no such file")
            .run("anonymize nowhere.csv -o out.csv --qi age -k 2")
            .code(5)
            .error("nowhere.csv: no such file"),
        case("no such file to audit")
            .run("audit nowhere.csv --qi age")
            .code(5)
            .error("nowhere.csv: no such file"),
        case("no such file to look at")
            .run("init nowhere.csv")
            .code(5)
            .error("nowhere.csv: no such file"),
        case("no such job").run("run nowhere.toml").code(5).error("nowhere.toml: no such file"),
        case("no such recoding")
            .run("apply nowhere.json people.csv -o out.csv")
            .code(5)
            .error("nowhere.json: no such file"),
    ]);
}

#[test]
fn packed_and_columnar() {
    check(vec![
        case("truncated gzip")
            .file("data.csv.gz", cut(release_in("release.csv.gz"), 30))
            .run("anonymize data.csv.gz -o out.csv --qi age,sex,zip -k 2")
            .error("data.csv.gz: the gzip data is cut short")
            .hint("copy or download the file again"),
        case("no gzip though it says so")
            .file("data.csv.gz", GOOD)
            .run("anonymize data.csv.gz -o out.csv --qi age,sex -k 2")
            .error("data.csv.gz: this isn't a gzip file, though its name says so"),
        case("truncated zstd")
            .file("data.csv.zst", cut(release_in("release.csv.zst"), 30))
            .run("anonymize data.csv.zst -o out.csv --qi age,sex,zip -k 2")
            .error("data.csv.zst: the zstd data is cut short")
            .hint("copy or download the file again"),
        case("truncated Parquet")
            .file("data.parquet", cut(release_in("release.parquet"), 50))
            .run("anonymize data.parquet -o out.csv --qi age,sex,zip -k 2")
            .error(
                "data.parquet: this Parquet file can't be read: Parquet error: Invalid Parquet \
                    file. \
                 Corrupt footer",
            ),
        case("no Parquet though it says so")
            .file("data.parquet", GOOD)
            .run("anonymize data.parquet -o out.csv --qi age,sex -k 2")
            .error("data.parquet: this isn't a Parquet file"),
        case("truncated Arrow")
            .file("data.arrow", cut(release_in("release.arrow"), 50))
            .run("anonymize data.arrow -o out.csv --qi age,sex,zip -k 2")
            .error(
                "data.arrow: this Arrow file can't be read: Parser error: Arrow file does not \
                    contain \
                 correct footer",
            ),
        case("no Arrow though it says so")
            .file("data.arrow", GOOD)
            .run("anonymize data.arrow -o out.csv --qi age,sex -k 2")
            .error("data.arrow: this isn't an Arrow file"),
        case("Parquet named csv is Parquet, its columns have no roles")
            .file("data.csv", release_in("release.parquet"))
            .run("anonymize data.csv -o out.csv --qi age -k 2")
            .error("2 columns have no role: sex, zip")
            .hint(super::columns::NAME_THEM),
    ]);
}

#[test]
fn json_lines() {
    let broken = |name, text: &str| {
        case(name).file("data.jsonl", text).run("anonymize data.jsonl -o out.csv --qi age,sex -k 2")
    };
    check(vec![
        broken(
            "a line that is no JSON",
            "{\"age\": 30, \"sex\": \"f\"}\n{\"age\": 31, \"sex\": }\n",
        )
        .error("data.jsonl:2:20: a JSON value must stand here"),
        broken("a line cut short", "{\"age\": 30, \"sex\": \"f\"}\n{\"age\": 31, \"se")
            .error("data.jsonl:2:13: a string begins here and is never closed"),
        broken("a nested object", "{\"age\": 30, \"sex\": {\"at birth\": \"f\"}}\n")
            .error("data.jsonl:1:20: 'sex' holds a list or an object, not a plain value")
            .hint("flatten the data before: a table has one value per cell"),
        broken("a list", "{\"age\": 30, \"sex\": [\"f\"]}\n")
            .error("data.jsonl:1:20: 'sex' holds a list or an object, not a plain value")
            .hint("flatten the data before: a table has one value per cell"),
        broken("no object", "[30, \"f\"]\n")
            .error("data.jsonl:1:1: a JSON object must begin here")
            .hint("JSON lines have one object per line, not one list in the file"),
        broken("one key twice", "{\"age\": 30, \"sex\": \"f\", \"age\": 31}\n")
            .error("data.jsonl:1:25: this key occurs twice in the object"),
        broken("empty JSON lines", "").error("data.jsonl: the file has no object with a key"),
    ]);
}
