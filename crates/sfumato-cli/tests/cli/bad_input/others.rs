//! The other commands: recodings, audits, hierarchies, generators, the catalogue.

use super::{Case, case, check};
use crate::support::{Folder, ROLES};

/// A recoding of the people.
fn saved() -> String {
    let folder = Folder::with_people();
    folder.succeed(&format!(
        "anonymize people.csv -o out.csv {ROLES} -k 2 --seed 1 --save-recoding recoding.json"
    ));
    folder.text("recoding.json")
}

/// A case in which a recoding is applied to the people again.
fn recoding(name: &'static str, text: impl AsRef<[u8]>) -> Case {
    case(name).file("recoding.json", text).run("apply recoding.json people.csv -o new.csv")
}

/// A recoding whose first region begins with another list of numbers.
fn first_region(name: &'static str, change: fn(&mut Vec<serde_json::Value>)) -> Case {
    let mut json: serde_json::Value = serde_json::from_str(&saved()).unwrap();
    change(json["regions"][0].as_array_mut().unwrap());
    recoding(name, json.to_string())
}

#[test]
fn recodings() {
    let text = saved();
    check(vec![
        recoding("a recoding that is no JSON", "not JSON")
            .error("recoding.json:1:2: this isn't a recoding file: expected ident"),
        recoding("a recoding that is something else", "{\"format\": \"geojson\"}")
            .error("recoding.json:1:21: this isn't a recoding file: missing field `job`"),
        recoding("a recoding of a later version", text.replace("\"version\":1", "\"version\":2"))
            .error(
                "recoding.json: this isn't a recoding file: format 'sfumato-recoding' version 2 \
                 is not known",
            ),
        recoding("a recoding of another format", text.replace("sfumato-recoding", "zerfumato"))
            .error(
                "recoding.json: this isn't a recoding file: format 'zerfumato' version 1 is not \
                 known",
            ),
        recoding("a recoding cut short", "{\"format\":\"sfumato-recoding\",\"version\":1,\"no")
            .error("recoding.json:1:44: this isn't a recoding file: EOF while parsing a string"),
        first_region("a region that names a value that isn't there", |region| {
            region[0] = 4000.into()
        })
        .error("recoding.json: this isn't a recoding file: region 1 doesn't fit the columns"),
        first_region("a region with a column too many", |region| region.push(0.into()))
            .error("recoding.json: this isn't a recoding file: region 1 doesn't fit the columns"),
        case("new rows without a column")
            .file("recoding.json", &text)
            .file("new.csv", "name,person,age,sex,disease,pay\nN,P1,30,f,flu,1000\n")
            .run("apply recoding.json new.csv -o out.csv")
            .error("new.csv: the file has no column 'zip'")
            .hint("its columns are name, person, age, sex, disease, pay"),
        case("an unknown way with unseen rows")
            .file("recoding.json", &text)
            .run("apply recoding.json people.csv -o new.csv --unseen guess")
            .stderr(
                "error: invalid value 'guess' for '--unseen <UNSEEN>'\n\
                 \x20 [possible values: refuse, extend, drop]\n\n\
                 For more information, try '--help'.\n",
            ),
    ]);
}

#[test]
fn audits() {
    check(vec![
        case("an unknown column")
            .run("audit people.csv --qi age,sexx")
            .error("people.csv: the file has no column 'sexx'")
            .hint("did you mean 'sex'?"),
        case("no quasi columns")
            .run("audit people.csv")
            .error("no quasi column was named")
            .hint("say what an attacker may know with --qi a,b,c"),
        case("empty quasi columns")
            .run("audit people.csv --qi ,")
            .error("no quasi column was named")
            .hint("say what an attacker may know with --qi a,b,c"),
        case("a column twice")
            .run("audit people.csv --qi age,sex --sensitive sex")
            .error("column 'sex' is given as quasi and as sensitive")
            .hint("give each column one role"),
        case("an unknown model")
            .run("audit people.csv --qi age,sex --model l-diversity(l=2)")
            .error("there is no model 'l-diversity'")
            .hint(
                "did you mean l-diversity-distinct, l-diversity-entropy, l-diversity-recursive, \
                 l-diversity-disclosure or incremental-l-diversity? \
                 'sfumato list models' shows all",
            ),
        case("a model about a column that isn't sensitive")
            .run(
                "audit people.csv --qi age,sex --sensitive disease --model \
                 l-diversity-distinct(l=2,on=pay)",
            )
            .error("l-diversity-distinct: 'pay' is not a sensitive column")
            .hint("sensitive columns are disease"),
        case("no original")
            .run("audit people.csv --qi age,sex --original nowhere.csv")
            .code(5)
            .error("nowhere.csv: no such file"),
    ]);
}

#[test]
fn generators_hierarchies_and_the_catalogue() {
    check(vec![
        case("an unknown generator")
            .run("generate patient --rows 10 -o out.csv")
            .error("there is no generator 'patient'")
            .hint("did you mean patients? 'sfumato list generators' shows all"),
        case("a generator's unknown parameter")
            .run("generate patients(visit=2) --rows 10 -o out.csv")
            .error("patients has no parameter 'visit'")
            .hint("it takes visits"),
        case("a generator's parameter out of range")
            .run("generate patients(visits=0) --rows 10 -o out.csv")
            .error("patients: visits must be a whole number from 1 to 20, not '0'"),
        case("rows that are no number").run("generate patients --rows many -o out.csv").stderr(
            "error: invalid value 'many' for '--rows <N>': a whole number is needed, such as 10\n\n\
                 For more information, try '--help'.\n",
        ),
        case("a folder that isn't there")
            .run("generate patients --rows 10 -o nowhere/out.csv")
            .code(5)
            .error("nowhere: there is no such folder"),
        case("a hierarchy of an unknown column")
            .run(
                "hierarchy build people.csv --column agee \
             interval(width=5)",
            )
            .error("people.csv: the file has no column 'agee'")
            .hint("its columns are name, person, age, sex, zip, disease, pay"),
        case("an unknown builder")
            .run("hierarchy build people.csv --column age intervals(width=5)")
            .error("there is no hierarchy 'intervals'")
            .hint("did you mean interval? 'sfumato list hierarchies' shows all"),
        case("a hierarchy that lacks values")
            .file("sex.csv", "f;*\n")
            .run("hierarchy check sex.csv --data people.csv --column sex")
            .stderr(
                "note: level 1: 1 of 1 nodes have a single child, the first is '*'\n\
                 error: the hierarchy sex.csv lacks 1 value of column 'sex' (52 records)\n\
                 hint: add what it lacks, or name a node for unknown values with default=...; \
                 --show-values shows the values\n",
            ),
        case("data without a column")
            .file("sex.csv", "f;*\n")
            .run("hierarchy check sex.csv --data people.csv")
            .stderr(
                "error: the following required arguments were not provided:\n\
                 \x20 --column <COLUMN>\n\n\
                 Usage: sfumato hierarchy check --data <DATA> --column <COLUMN> <FILE>\n\n\
                 For more information, try '--help'.\n",
            ),
        case("a column without data")
            .file("sex.csv", "f;*\n")
            .run("hierarchy check sex.csv --column sex")
            .stderr(
                "error: the following required arguments were not provided:\n\
                 \x20 --data <DATA>\n\n\
                 Usage: sfumato hierarchy check --column <COLUMN> --data <DATA> <FILE>\n\n\
                 For more information, try '--help'.\n",
            ),
        case("no lines to draw on")
            .file("sex.csv", "f;*\nm;*\n")
            .run("hierarchy show sex.csv --lines 0")
            .error("--lines must be at least 1"),
        case("an unknown family")
            .run("list colours")
            .error("there is no family 'colours' in the catalogue")
            .hint(
                "'sfumato list' shows all families; those of tables are models, algorithms, \
                 metrics, attacks and risks",
            ),
        case("an unknown model")
            .run("list models k-anonymty")
            .error("there is no model 'k-anonymty'")
            .hint("did you mean k-anonymity? 'sfumato list models' shows all"),
        case("an unknown builder in the catalogue")
            .run("list hierarchies intervall")
            .error("there is no hierarchy 'intervall'")
            .hint("did you mean interval? 'sfumato list hierarchies' shows all"),
        case("a job that is already there")
            .file("release.toml", "")
            .run("init people.csv -o release.toml")
            .error("release.toml: the file is already there")
            .hint("--force replaces it"),
    ]);
}
