//! release.toml: every mistake names its line and column.

use super::{Case, case, check};

fn job(name: &'static str, text: &str) -> Case {
    case(name).file("release.toml", text).run("run release.toml")
}

/// A correct job, of which the cases change something.
const JOB: &str = r#"[input]
path = "people.csv"
[columns]
name = { role = "identifier" }
person = { role = "identifier" }
age = { role = "quasi", hierarchy = { interval = { width = 5, levels = 3 } } }
sex = { role = "quasi" }
zip = { role = "quasi" }
disease = { role = "sensitive" }
pay = { role = "keep" }
[privacy]
models = ["k-anonymity(k=2)"]
[output]
path = "out.csv"
"#;

fn changed(name: &'static str, from: &str, to: &str) -> Case {
    assert!(JOB.contains(from), "{name}: the job has no {from}");
    job(name, &JOB.replacen(from, to, 1))
}

#[test]
fn the_job_itself_is_right() {
    let folder = crate::support::Folder::with_people();
    folder.write("release.toml", JOB);
    folder.succeed("run release.toml");
    assert_eq!(folder.names(), ["out.csv", "people.csv", "release.toml"]);
}

#[test]
fn broken_jobs() {
    check(vec![
        job("an empty job", "")
            .error("release.toml: the job names no input")
            .hint("write path = \"data.csv\" under [input]"),
        changed("a value is missing", "path = \"people.csv\"", "path =")
            .error("release.toml:2:7: string values must be quoted, expected literal string"),
        changed("a quote is missing", "path = \"people.csv\"", "path = \"people.csv")
            .error("release.toml:2:19: invalid basic string, expected `\"`"),
        changed("an unknown section", "[privacy]", "[privacies]")
            .error(
                "release.toml:11:2: unknown field `privacies`, expected one of `input`, `columns`, \
                 `privacy`, `workload`, `recode`, `output`, `attack`, `ledger`, \
                 `population`, `run`",
            )
            .hint("did you mean 'privacy'?"),
        changed("an unknown key", "models =", "model =")
            .error(
                "release.toml:12:1: unknown field `model`, expected one of `models`, \
                 `max_suppression`, `max_blank`, `population`",
            )
            .hint("did you mean 'models'?"),
        changed("an unknown key of a column", "{ role = \"keep\" }", "{ rolle = \"keep\" }")
            .error(
                "release.toml:10:9: unknown field `rolle`, expected one of `role`, `type`, \
                 `written`, `as`, `hierarchy`, `unknown`, `weight`, `missing`, `case`, `accept`, \
                 `publish`, `snap`",
            )
            .hint("did you mean 'role'?"),
        changed("a column without a role", "{ role = \"keep\" }", "{ accept = true }")
            .error("release.toml:10:7: missing field `role`"),
        changed("an unknown role", "\"sensitive\"", "\"sensitiv\"")
            .error(
                "release.toml:9:20: unknown variant `sensitiv`, expected one of `drop`, \
                 `identifier`, `subject`, `quasi`, `sensitive`, `guard`, `target`, `keep`",
            )
            .hint("did you mean 'sensitive'?"),
        changed("a role without a table", "{ role = \"keep\" }", "\"keep\"").error(
            "release.toml:10:7: invalid type: string \"keep\", expected a table such as { role = \
                 \"quasi\" }",
        ),
        changed("a column twice", "sex = {", "age = {").error("release.toml:7:1: duplicate key"),
        changed("no input", "path = \"people.csv\"", "")
            .error("release.toml: the job names no input")
            .hint("write path = \"data.csv\" under [input]"),
        changed("no output", "path = \"out.csv\"", "")
            .error("release.toml: the job names no output")
            .hint("write path = \"release.csv\" under [output]"),
        changed("no model", "models = [\"k-anonymity(k=2)\"]", "models = []")
            .error("no privacy model was asked for")
            .hint(
                "say -k 10, or --model 'l-diversity-entropy(l=3, on=disease)'; 'sfumato list \
                    models' shows all",
            ),
        changed(
            "two builders",
            "{ interval = { width = 5, levels = 3 } }",
            "{ interval = { width = 5 }, order = {} }",
        )
        .error("release.toml:6:37: a hierarchy names exactly one builder"),
        changed("a hierarchy that is a number", "{ interval = { width = 5, levels = 3 } }", "5")
            .error(
                "release.toml:6:37: a hierarchy is written as { builder = { param = value } }, for \
                 example { mask = { from = \"right\" } } or { file = \"job.csv\" }",
            ),
        changed("a parameter out of range", "width = 5", "width = -5")
            .error("column 'age': interval: width must be a number above 0, not '-5'"),
        changed("a parameter of another type", "width = 5", "width = \"wide\"")
            .error("column 'age': interval: width must be a number above 0, not 'wide'"),
        changed("an unknown builder", "{ interval =", "{ intervall =")
            .error("column 'age': there is no hierarchy 'intervall'")
            .hint("did you mean interval? 'sfumato list hierarchies' shows all"),
        job("two subjects", &JOB.replace("identifier", "subject"))
            .error("there is more than one subject column: name, person")
            .hint("one column says which rows belong to one person; make the others identifiers"),
        changed(
            "a weight of 0",
            "sex = { role = \"quasi\" }",
            "sex = { role = \"quasi\", weight = 0.0 }",
        )
        .error("release.toml: the weight of column 'sex' must be above 0"),
        changed("a share above all", "[output]", "max_suppression = \"200%\"\n[output]").error(
            "release.toml:13:19: max-suppression must be a share such as 2% or a number of \
                 records, not '200%'",
        ),
        changed("a negative number of records", "[output]", "max_suppression = -1\n[output]")
            .error(
                "release.toml:13:19: max-suppression must be a share such as \"2%\" or a number of \
                 records",
            ),
        changed("a share as a number", "[output]", "max_suppression = 0.05\n[output]").error(
            "release.toml:13:19: max-suppression must be a share such as \"2%\" or a number of \
                 records",
        ),
        changed("no threads", "[output]", "[run]\nthreads = 0\n[output]")
            .error("threads must be from 1 to 1024, not 0"),
        changed("an input that isn't there", "people.csv", "persons.csv")
            .code(5)
            .error("persons.csv: no such file"),
        changed("an unknown algorithm", "[output]", "[recode]\nalgorithm = \"alchemy\"\n[output]")
            .error("there is no algorithm 'alchemy'")
            .hint("'sfumato list algorithms' shows all"),
        case("a job that is no text")
            .file("release.toml", b"[input]\npath = \"\xFF\"\n")
            .run("run release.toml")
            .error("release.toml:2:9: byte 0xff isn't UTF-8")
            .hint("convert the file to UTF-8"),
        case("explaining a broken job")
            .file("release.toml", "[input]\npath = 5\n")
            .run("explain release.toml")
            .error("release.toml:2:8: invalid type: integer `5`, expected a string"),
    ]);
}
