//! Flags that are wrong by themselves, and places where nothing can be written.

use super::{case, check};

macro_rules! with {
    ($name:literal, $flags:literal) => {
        case($name).run(concat!("anonymize people.csv $ROLES -k 2 ", $flags))
    };
}

#[test]
fn values() {
    check(vec![
        with!("a share above all", "-o out.csv --max-suppression 101%")
            .error("max-suppression must be a share such as 2% or a number of records, not '101%'"),
        with!("a share without a percent sign", "-o out.csv --max-suppression 0.05")
            .error("max-suppression must be a share such as 2% or a number of records, not '0.05'"),
        with!("a share in words", "-o out.csv --max-suppression some")
            .error("max-suppression must be a share such as 2% or a number of records, not 'some'"),
        with!("a weight of 0", "-o out.csv --weight age=0")
            .error("--weight age=0: the weight must be a number above 0"),
        with!("a weight that is no number", "-o out.csv --weight age=heavy")
            .error("--weight age=heavy: the weight must be a number above 0"),
        with!("a weight without a column", "-o out.csv --weight 2")
            .error("--weight is written as column=value, not '2'"),
        with!("a delimiter of two characters", "-o out.csv --delimiter ;;")
            .error("the delimiter must be one character, not ';;'"),
        with!("a delimiter that is a quote", "-o out.csv --delimiter \"")
            .error("a delimiter can't be a quote, a line end or NUL"),
        with!("a delimiter beyond ASCII", "-o out.csv --delimiter §")
            .error("the delimiter must be one ASCII character, not '§'"),
        with!("no threads", "-o out.csv --threads 0")
            .error("threads must be from 1 to 1024, not 0"),
        with!("an unknown format", "-o out.csv --format excel")
            .error("unknown format 'excel'")
            .hint("the formats are csv, parquet, arrow and jsonl"),
        with!("a seed that is no number", "-o out.csv --seed abc").stderr(
            "error: invalid value 'abc' for '--seed <N>': a whole number is needed, such as 10\n\n\
                 For more information, try '--help'.\n",
        ),
        case("k that is no number").run("anonymize people.csv -o out.csv --qi age -k ten").stderr(
            "error: invalid value 'ten' for '-k <K>': a whole number is needed, such as 10\n\n\
                 For more information, try '--help'.\n",
        ),
        with!("no output", "").stderr(
            "error: the following required arguments were not provided:\n\
                 \x20 --output <OUT>\n\n\
                 Usage: sfumato anonymize --output <OUT> --identifier <A,B> --qi <A,B> --sensitive \
                 <A,B> \
                 --keep <A,B> -k <K> <DATA>\n\n\
                 For more information, try '--help'.\n",
        ),
        with!("an unknown flag", "-o out.csv --anonymous").stderr(
            "error: unexpected argument '--anonymous' found\n\n\
                 \x20 tip: to pass '--anonymous' as a value, use '-- --anonymous'\n\n\
                 Usage: sfumato anonymize --output <OUT> --identifier <A,B> --qi <A,B> --sensitive \
                 <A,B> \
                 --keep <A,B> -k <K> <DATA>\n\n\
                 For more information, try '--help'.\n",
        ),
    ]);
}

#[test]
fn outputs() {
    check(vec![
        with!("report and release on standard output", "-o - --json")
            .error("--json and -o - both want standard output")
            .hint("write the release to a file, or the report with --report F.json"),
        with!("a report of unknown kind", "-o out.csv --report report.pdf")
            .error("a report is .html or .json, not 'report.pdf'"),
        with!("a report without a kind", "-o out.csv --public-report report")
            .error("a report is .html or .json, not 'report'"),
        with!("a release of unknown kind", "-o out.xlsx")
            .error("out.xlsx: can't tell the format of the output from '.xlsx'")
            .hint(
                "use .csv, .tsv, .parquet, .arrow or .jsonl, and .gz or .zst after a text format",
            ),
        with!("a packed Parquet", "-o out.parquet.gz")
            .error(
                "out.parquet.gz: a parquet file has its own compression and can't be compressed \
                 again",
            )
            .hint("drop the .gz or .zst from the name"),
        with!("a folder that isn't there", "-o nowhere/out.csv")
            .code(5)
            .error("nowhere/out.csv: the folder 'nowhere' isn't there")
            .hint("create the folder first"),
        with!("a report's folder that isn't there", "-o out.csv --report nowhere/report.json")
            .code(5)
            .error("nowhere/report.json: the folder 'nowhere' isn't there")
            .hint("create the folder first"),
        with!(
            "a public report's folder that isn't there",
            "-o out.csv --public-report nowhere/report.json"
        )
        .code(5)
        .error("nowhere/report.json: the folder 'nowhere' isn't there")
        .hint("create the folder first"),
        with!(
            "a recoding's folder that isn't there",
            "-o out.csv --save-recoding nowhere/recoding.json"
        )
        .code(5)
        .error("nowhere/recoding.json: the folder 'nowhere' isn't there")
        .hint("create the folder first"),
        with!("a folder as output", "-o .").code(5).error(".: can't write: it is a folder"),
        with!("the input as output", "-o people.csv")
            .error("people.csv: an output has the path of the input")
            .hint("the input is never overwritten"),
        with!("the release as report", "-o out.json --report out.json")
            .error("out.json: two outputs have the same path"),
    ]);
}

/// Root can write everywhere, so this test needs an ordinary user.
#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = crate::support::Folder::with_people();
    std::fs::create_dir(folder.path("closed")).unwrap();
    std::fs::set_permissions(folder.path("closed"), std::fs::Permissions::from_mode(0o555))
        .unwrap();
    if std::fs::write(folder.path("closed/probe"), "").is_ok() {
        println!("skipped: this user may write everywhere");
        return;
    }
    let outcome = folder.run("anonymize people.csv $ROLES -k 2 -o closed/out.csv");
    std::fs::set_permissions(folder.path("closed"), std::fs::Permissions::from_mode(0o755))
        .unwrap();
    assert_eq!(outcome.code, 5);
    assert_eq!(
        outcome.stderr,
        "error: closed: can't create a file here: Permission denied (os error \
         13)\n"
    );
    assert_eq!(std::fs::read_dir(folder.path("closed")).unwrap().count(), 0);
}
