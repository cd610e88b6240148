//! Identifiers that are published under other names: by a keyed hash, at random, and in their form.

use std::collections::BTreeMap;

use crate::support::{Folder, people, rows};

const REST: &str = "--qi age,sex,zip --sensitive disease --keep pay -k 3 --drop person";

/// The pseudonyms of a release by the pay and disease of their rows is of no use: rows are found by
/// a column that is kept and unique.
fn by_key(folder: &Folder, file: &str, column: &str) -> BTreeMap<String, String> {
    let text = folder.text(file);
    let rows = rows(&text);
    let place = |name: &str| rows[0].iter().position(|found| *found == name).unwrap();
    let (key, column) = (place("pay"), place(column));
    rows[1..].iter().map(|row| (row[key].to_string(), row[column].to_string())).collect()
}

/// People whose pay is unique, so that tests can follow them.
fn unique_people() -> String {
    let text = people(60);
    let mut lines = text.lines();
    let header = lines.next().unwrap();
    let body: String = lines
        .enumerate()
        .map(|(i, line)| format!("{},{}\n", line.rsplit_once(',').unwrap().0, 1000 + i))
        .collect();
    format!("{header}\n{body}")
}

#[test]
fn pseudonyms_are_consistent_over_releases_and_undone_by_their_key() {
    let folder = Folder::new();
    folder.write("in.csv", unique_people());
    for method in ["hash", "random", "format"] {
        let anonymize = |out: &str| {
            let command = format!(
                "anonymize in.csv -o {out} --pseudonym name={method} --pseudonyms {method}.json \
                 {REST} --accept pay"
            );
            folder.succeed(&command)
        };
        let said = anonymize("one.csv");
        assert!(said.stderr.contains("pseudonyms are no anonymity"), "{}", said.stderr);
        anonymize("two.csv");
        let (one, two) = (by_key(&folder, "one.csv", "name"), by_key(&folder, "two.csv", "name"));
        assert_eq!(one, two, "{method}: the same file of keys gives the same pseudonyms");
        assert!(!folder.text("one.csv").contains("Name "), "{method}");
        let different: std::collections::BTreeSet<&String> = one.values().collect();
        assert_eq!(different.len(), 60, "{method}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let found = std::fs::metadata(folder.path(&format!("{method}.json"))).unwrap();
            assert_eq!(found.permissions().mode() & 0o777, 0o600, "{method}");
        }
        // Row i has pay 1000 + i and name i.
        let of_17 = &one["1017"];
        let original = if method == "hash" { " --original in.csv" } else { "" };
        let flags = format!("--column name --key {method}.json{original}");
        // The pseudonym itself may hold a space.
        let words: Vec<&str> = ["reveal", of_17].into_iter().chain(flags.split(' ')).collect();
        let revealed = folder.run_arguments(&words, &[]).stdout;
        assert_eq!(revealed, format!("pseudonym,value\n{of_17},Name 17\n"), "{method}");
        let all = format!("reveal --release one.csv --column name --key {method}.json{original}");
        assert_eq!(folder.succeed(&all).stdout.lines().count(), 61);
    }
    let form = by_key(&folder, "one.csv", "name");
    assert!(form.values().all(|name| name.len() >= 6 && name.contains(' ')), "{form:?}");
    let unknown = folder.run("reveal 1234 --column name --key random.json");
    assert_eq!(unknown.code, 2);
    let without = folder.run("reveal 1234 --column name --key hash.json");
    assert!(without.stderr.contains("looked up among the values of the data"));
}

/// A table of visits in a second file has the same person under the same pseudonym, whatever its
/// column is called.
#[test]
fn a_space_of_names_goes_over_several_files() {
    let folder = Folder::new();
    folder.write("in.csv", unique_people());
    folder.write("visits.csv", unique_people().replacen("name,", "patient,", 1));
    let job = |file: &str, column: &str, out: &str| {
        format!(
            "[input]\npath = \"{file}\"\n[columns]\n{column} = {{ role = \"identifier\", as = \
             \"pseudonym(space=people)\" }}\nperson = {{ role = \"drop\" }}\nage = {{ role = \
             \"quasi\" }}\nsex = {{ role = \"quasi\" }}\nzip = {{ role = \"quasi\" }}\ndisease = \
             {{ role = \"sensitive\" }}\npay = {{ role = \"keep\", accept = true }}\n[privacy]\n\
             models = [\"k-anonymity(k=3)\"]\n[output]\npath = \"{out}\"\n"
        )
    };
    folder.write("one.toml", job("in.csv", "name", "one.csv"));
    folder.write("two.toml", job("visits.csv", "patient", "two.csv"));
    folder.succeed("run one.toml");
    folder.succeed("run two.toml");
    let (one, two) = (by_key(&folder, "one.csv", "name"), by_key(&folder, "two.csv", "patient"));
    assert_eq!(one, two);
    // Another method for the same people would give them a second name.
    let other =
        job("in.csv", "name", "one.csv").replace("space=people", "space=people, method=random");
    folder.write("one.toml", other);
    let refused = folder.run("run one.toml --force");
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("were made by method hash before"), "{}", refused.stderr);
}

#[test]
fn rows_of_one_pseudonym_are_counted_as_linked() {
    let folder = Folder::with_people();
    // Two rows of each person: their pseudonym says which.
    let report = folder.report(
        "anonymize people.csv -o r.csv --pseudonym person --drop name --qi age,sex,zip --sensitive \
         disease --keep pay -k 4 --seed 1",
    );
    let linked = &report["pseudonyms"][0];
    assert_eq!(
        (linked["pseudonyms"].as_u64(), linked["linked_rows"].as_u64()),
        (Some(40), Some(80))
    );
    let alone = linked["singled_out"].as_u64().unwrap();
    assert!(linked["least_alike"].as_u64().unwrap() >= 1 && alone <= 40, "{linked}");
    let warned = report["warnings"].to_string();
    assert_eq!(warned.contains("link rows"), alone > 0, "{warned}");
    let audited = folder.succeed("audit r.csv").stdout;
    assert!(audited.contains("pseudonyms person: 40 pseudonyms"), "{audited}");
    // The manifest says which columns are pseudonyms, and nothing of their key.
    let manifest = folder.text("r.csv.release.json");
    assert!(manifest.contains("\"pseudonyms\"") && !manifest.contains("pseudonyms.json"));
}

#[test]
fn keys_that_others_can_read_and_odd_jobs_are_refused() {
    let folder = Folder::with_people();
    let good = "anonymize people.csv -o r.csv --pseudonym name --drop person --qi age,sex,zip \
                --sensitive disease --keep pay -k 4";
    for (words, message) in [
        (format!("{good} --memory 64MiB"), "pseudonyms are made of a table in memory"),
        (good.replace("--pseudonym name", "--pseudonym name=rot13"), "there is no method 'rot13'"),
        (good.replace("--pseudonym name", "--identifier name --pseudonyms p.json"), "--pseudonym"),
    ] {
        let outcome = folder.run(&words);
        assert_eq!(outcome.code, 2, "{words}\n{}", outcome.stderr);
        assert!(outcome.stderr.contains(message), "{words}\n{}", outcome.stderr);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        folder.succeed(good);
        let path = folder.path("pseudonyms.json");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        let outcome = folder.run(&format!("{good} --force"));
        assert_eq!(outcome.code, 2);
        assert!(outcome.stderr.contains("others can read the key"), "{}", outcome.stderr);
    }
    // Names that have no form to keep are refused, and nothing is written.
    let other = Folder::new();
    other.write("in.csv", people(40).replace("Name 7,", "José,"));
    let outcome = other.run(&good.replace("people.csv", "in.csv").replace("name ", "name=format "));
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("can keep their form"), "{}", outcome.stderr);
    assert_eq!(other.names(), ["in.csv"]);
}
