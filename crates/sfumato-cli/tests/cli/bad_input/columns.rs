//! Columns and roles that don't fit the file.

use super::{case, check};

#[test]
fn roles() {
    check(vec![
        case("an unknown column, nearly right")
            .run(
                "anonymize people.csv -o out.csv --identifier name,person --qi agee,sex,zip \
                    --sensitive \
                 disease --keep pay -k 2",
            )
            .error("people.csv: the file has no column 'agee'")
            .hint("did you mean 'age'?"),
        case("an unknown column, far from all")
            .run(
                "anonymize people.csv -o out.csv --identifier name,person --qi constellation \
                    --sensitive \
                 disease --keep pay -k 2",
            )
            .error("people.csv: the file has no column 'constellation'")
            .hint("its columns are name, person, age, sex, zip, disease, pay"),
        case("one column without a role")
            .run(
                "anonymize people.csv -o out.csv --identifier name,person --qi age,sex,zip --keep \
                    pay -k \
                 2",
            )
            .error("1 column has no role: disease")
            .hint(
                "drop it with --identifier disease, generalize it with --qi disease, guard it with \
                 --sensitive disease or publish it as it is with --keep disease",
            ),
        case("two columns without a role")
            .run("anonymize people.csv -o out.csv --identifier name,person --qi age,sex,zip -k 2")
            .error("2 columns have no role: disease, pay")
            .hint(NAME_THEM),
        case("a column with two roles")
            .run(
                "anonymize people.csv -o out.csv --identifier name,person --qi age,sex,zip \
                    --sensitive \
                 disease,zip --keep pay -k 2",
            )
            .error("column 'zip' is given as quasi and as sensitive")
            .hint("give each column one role"),
        case("a column twice in one role")
            .run(
                "anonymize people.csv -o out.csv --identifier name,person --qi age,sex,zip,age \
                 --sensitive disease --keep pay -k 2",
            )
            .error("column 'age' is given twice as quasi")
            .hint("give each column one role"),
        case("no quasi column")
            .run(
                "anonymize people.csv -o out.csv --identifier name,person --sensitive disease \
                    --keep \
                 age,sex,zip,pay -k 2",
            )
            .error("no column is quasi-identifying, so there is nothing to anonymize")
            .hint("name what an attacker may know with --qi a,b,c"),
        case("a subject that is missing")
            .file("data.csv", "person,age\nP1,30\n,31\nP2,32\n,33\n")
            .run("anonymize data.csv -o out.csv --subject person --qi age -k 2")
            .error("subject column 'person' is missing in 2 rows")
            .hint("every row must say which person it belongs to"),
        case("everything missing and nothing left")
            .file("data.csv", "person,age\nP1,\nP2,\n")
            .run("anonymize data.csv -o out.csv --subject person --qi age -k 3")
            .code(3)
            .error(
                "k-anonymity(k=3) can't be met: over the whole table k is 2 and must be at \
                least 3",
            )
            .hint("ask for less: there are not enough people in the data"),
        case("a hierarchy for a column without a role")
            .run("anonymize people.csv -o out.csv --qi age --hierarchy zip=mask -k 2")
            .error("--hierarchy names column 'zip', which has no role")
            .hint("give it one with --qi, --sensitive, --keep, --target or --identifier"),
        case("an accepted column without a role")
            .run(
                "anonymize people.csv -o out.csv --qi age --accept \
             zip -k 2",
            )
            .error("--accept names column 'zip', which has no role")
            .hint("give it one with --qi, --sensitive, --keep, --target or --identifier"),
        case("a type that doesn't fit")
            .run("anonymize people.csv -o out.csv $ROLES --type sex=integer -k 2")
            .error("column 'sex' is not integer: 80 records have another form, the first in row 1")
            .hint("leave the type out to have it guessed, or name missing values with --missing"),
        case("an unknown type")
            .run("anonymize people.csv -o out.csv $ROLES --type sex=number -k 2")
            .error("there is no type 'number'")
            .hint("types are integer, decimal, float, date, datetime, time and text"),
    ]);
}

/// What is said where several columns have no role.
pub const NAME_THEM: &str = "name them by what is to become of them: --identifier (dropped), --qi \
    (generalized), --sensitive (guarded), --keep (published as they are); --others drop is for all \
    that aren't named, and 'sfumato init DATA' guesses";

/// Education beside education-num: what is published as it is gives the blurred column away.
fn schooling() -> String {
    let mut text = String::from("education,education-num,age\n");
    for i in 0..40 {
        let level = i * 7 % 5;
        text.push_str(&format!("school {level},{level},{}\n", 20 + i % 8));
    }
    text
}

#[test]
fn what_gives_a_quasi_column_away() {
    let unique: String = (0..30)
        .fold(String::from("age,receipt\n"), |text, i| text + &format!("{},R{i}\n", 20 + i % 3));
    check(vec![
        case("a column that determines a quasi column")
            .file("data.csv", schooling())
            .run("anonymize data.csv -o out.csv --qi education,age --keep education-num -k 2")
            .error(
                "column 'education-num' is published as it is and predicts quasi column \
                    'education' \
                 (lambda 100 %)",
            )
            .hint(
                "make it quasi or drop it; if publishing it is meant, say --accept \
                education-num",
            ),
        case("a column that is nearly unique")
            .file("data.csv", unique)
            .run("anonymize data.csv -o out.csv --qi age --keep receipt -k 2")
            .error(
                "column 'receipt' is published as it is and is nearly unique (100 % distinct \
                values)",
            )
            .hint("make it quasi or drop it; if publishing it is meant, say --accept receipt"),
    ]);
}

#[test]
fn accepting_it_publishes_it() {
    let folder = crate::support::Folder::new();
    folder.write("data.csv", schooling());
    let report = folder.report(
        "anonymize data.csv -o out.csv --qi education,age --keep education-num --accept \
            education-num -k 2",
    );
    let warnings = report["warnings"].to_string();
    assert!(
        warnings.contains(
            "'education-num' is published as it is and predicts quasi column 'education'"
        ),
        "{warnings}"
    );
    assert!(warnings.contains("accepted by the job"), "{warnings}");
    assert_eq!(folder.names(), ["data.csv", "out.csv"]);
}
