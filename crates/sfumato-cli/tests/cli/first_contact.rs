//! Files and jobs as people bring them who have never seen the program: without a header, in other
//! encodings, with dates and numbers as their country writes them, in several parts; guesses that
//! nobody has looked at; a release that is already there.

use std::fmt::Write as _;

use crate::support::{Folder, ROLES, rows};

/// People whose every column is a text; the first line is one of them.
fn headless() -> String {
    let mut text = String::from("Ada Byron,f,flu\n");
    for i in 0..30 {
        let _ =
            writeln!(text, "P{i} Q{i},{},{}", ["f", "m"][i % 2], ["flu", "gout", "cold"][i % 3]);
    }
    text
}

#[test]
fn a_person_never_becomes_the_header() {
    let folder = Folder::new();
    folder.write("in.csv", headless());
    for words in
        ["init in.csv", "anonymize in.csv -o o.csv --identifier Ada --qi f --sensitive flu -k 2"]
    {
        let outcome = folder.run(words);
        assert_eq!(outcome.code, 2, "{words}");
        assert_eq!(
            outcome.stderr,
            "error: in.csv:1: the first line looks like a record, not like column names: 2 of its \
             3 fields, field 2 first, occur again among the values below\n\
             hint: say --header no if the file has no header, or --header yes if these are its \
             names\n"
        );
    }
    folder.succeed("init in.csv --header no -o job.toml");
    let job = folder.text("job.toml");
    assert!(job.contains("header = false") && job.contains("column_1 = "), "{job}");
    folder.succeed("run job.toml --accept-guesses");
    let released = folder.text("released-in.csv");
    assert!(released.starts_with("column_2,column_3\n") && !released.contains("Ada"));
    assert_eq!(released.lines().count(), 32);
}

#[test]
fn words_above_words_must_be_confirmed() {
    let folder = Folder::new();
    // No value occurs twice, so that nothing says what the first line is.
    folder.write("in.csv", "Ada,Rome\nBob,Bern\nEva,Oslo\n");
    let outcome = folder.run("init in.csv");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("nothing says whether the first line names"),
        "{}",
        outcome.stderr
    );
    folder.succeed("init in.csv --header yes");
    folder.write("in.csv", "name,town\nBob,Bern\nEva,Oslo\n");
    folder.succeed("init in.csv");
}

#[test]
fn baskets_are_told_from_tables() {
    let folder = Folder::new();
    folder.write("log.dat", "1 2 3\n4 5\n6\n7 8 9 10\n");
    let outcome = folder.run("init log.dat");
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("this looks like baskets"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("--baskets lines -k 10 -o OUT\n"), "{}", outcome.stderr);
}

#[test]
fn guesses_are_confirmed_or_the_job_doesnt_run() {
    let folder = Folder::with_people();
    folder.succeed("init people.csv -o job.toml");
    let outcome = folder.run("run job.toml");
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("guesses of 'sfumato init' are still marked CHECK: person, "));
    assert!(outcome.stderr.starts_with("error: job.toml:"), "{}", outcome.stderr);
    assert!(!folder.path("released-people.csv").exists());

    let report = folder.report("run job.toml --accept-guesses");
    let warning = report["warnings"][0].as_str().unwrap();
    assert!(warning.contains("used without a person's confirmation"), "{warning}");
    assert!(warning.contains("person"), "{warning}");

    // Whoever deletes the marks has looked, and the report has nothing to say.
    let confirmed = folder.text("job.toml").replace("# CHECK: ", "# ");
    folder.write("job.toml", confirmed);
    let report = folder.report("run job.toml --force");
    assert!(!report["warnings"].to_string().contains("confirmation"), "{}", report["warnings"]);
}

/// A file of another country: semicolons, decimal commas, day before month, Latin-1, `N/A`.
fn abroad() -> Vec<u8> {
    let mut text = String::from("Nom;Naissance;Ville;Revenu;Maladie\n");
    for i in 0..200 {
        let revenu = match i % 9 {
            0 => "N/A".to_string(),
            n => format!("{n}.{:03},{:02}", i * 37 % 1000, i % 100),
        };
        let ville = ["Genève", "Zürich", "Bâle"][i % 3];
        let maladie = ["grippe", "asthme", "diabète"][i * i % 7 % 3];
        let (day, month, year) = (1 + i * 7 % 28, 1 + i % 12, 1940 + i % 50);
        let _ = writeln!(text, "Client {i};{day:02}/{month:02}/{year};{ville};{revenu};{maladie}");
    }
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
}

#[test]
fn a_file_of_another_country_is_read_as_it_is_meant() {
    let folder = Folder::new();
    folder.write("abroad.csv", abroad());
    let outcome = folder.run("anonymize abroad.csv -o o.csv --qi Ville --others drop -k 5");
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("isn't UTF-8\nhint: say its encoding, such as --encoding"));
    folder.succeed("init abroad.csv -o job.toml");
    let job = folder.text("job.toml");
    for expected in [
        "# CHECK: the file isn't UTF-8; read as windows-1252",
        "encoding = \"windows-1252\"",
        "# 'N/A' means missing: it stands among the numbers or dates of Revenu",
        "missing = [\"N/A\"]",
        "written = \"dd/mm/yyyy\"",
        "written = \"1.234,5\"",
        "are dates as dd/mm/yyyy, and in no other order",
    ] {
        assert!(job.contains(expected), "{expected} in {job}");
    }
    folder.succeed(
        "anonymize abroad.csv -o o.csv --encoding latin-1 --missing N/A --drop Nom --qi \
         Naissance,Ville --keep Revenu,Maladie --written Naissance=dd/mm/yyyy --written \
         Revenu=1.234,5 --hierarchy Naissance=date(levels=[year,decade]) -k 5 --accept Revenu",
    );
    let released = folder.text("o.csv");
    assert!(released.contains("Genève") && released.contains("diabète"), "{released}");
    let cells = rows(&released);
    assert!(released.starts_with("Naissance;Ville;Revenu;Maladie\n"), "{}", cells[0][0]);
    // Pay has a decimal point, and what was missing is still missing.
    assert!(released.contains(";N/A;") && !released.contains(','), "{released}");
    let outcome = folder.run(
        "anonymize abroad.csv -o p.csv --encoding latin-1 --qi Naissance --others drop -k 5 \
         --written Naissance=mm/dd/yyyy",
    );
    assert_eq!(outcome.code, 2);
    let first = outcome.stderr.lines().next().unwrap_or_default();
    let expected =
        "error: abroad.csv:4: the value of column 'Naissance' isn't written as mm/dd/yyyy";
    assert_eq!(first, expected);
}

#[test]
fn the_same_release_from_utf_16_and_from_disk() {
    let folder = Folder::with_people();
    let text = folder.text("people.csv").replace("flu", "grüppe");
    folder.write("plain.csv", &text);
    let wide: Vec<u8> =
        std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    folder.write("wide.csv", wide);
    let run = |input: &str, output: &str, more: &str| {
        folder.succeed(&format!("anonymize {input} -o {output} {ROLES} -k 4 --seed 1 {more}"));
        folder.bytes(output)
    };
    let expected = run("plain.csv", "a.csv", "--algorithm mondrian");
    assert_eq!(run("wide.csv", "b.csv", "--algorithm mondrian"), expected);
    let spilled = run("plain.csv", "c.csv", "--engine tree --memory 256MiB --algorithm mondrian");
    let wide = run("wide.csv", "d.csv", "--engine tree --memory 256MiB --algorithm mondrian");
    assert_eq!(wide, spilled);
}

#[test]
fn several_files_are_one_table() {
    let folder = Folder::with_people();
    let text = folder.text("people.csv");
    let (header, people) = text.split_once('\n').unwrap();
    let lines: Vec<&str> = people.lines().collect();
    std::fs::create_dir(folder.path("parts")).unwrap();
    for (part, lines) in lines.chunks(30).enumerate() {
        folder.write(&format!("parts/{part}.csv"), format!("{header}\n{}\n", lines.join("\n")));
    }
    let run = |input: &str, output: &str| {
        folder.succeed(&format!("anonymize {input} -o {output} {ROLES} -k 4 --seed 1"));
        folder.bytes(output)
    };
    let expected = run("people.csv", "a.csv");
    assert_eq!(run("parts", "b.csv"), expected);
    assert_eq!(run("parts/*.csv", "c.csv"), expected);
    folder.succeed("init parts -o job.toml");
    assert!(folder.text("job.toml").contains("path = \"released-parts.csv\""));
    let inside = folder.run(&format!("anonymize parts -o parts/o.csv {ROLES} -k 4"));
    assert!(inside.stderr.contains("among the files of the input"), "{}", inside.stderr);
    folder.write("parts/3.csv", "name,age\nx,3\n");
    let other = folder.run(&format!("anonymize parts -o d.csv {ROLES} -k 4"));
    assert_eq!(other.code, 2);
    assert!(
        other.stderr.contains("parts/3.csv: this file doesn't have the columns of the first one"),
        "{}",
        other.stderr
    );
    assert_eq!(folder.run("init nowhere/*.csv").code, 5);
}

#[test]
fn a_release_is_replaced_only_by_force() {
    let folder = Folder::with_people();
    let words = format!("anonymize people.csv -o o.csv {ROLES} -k 4");
    folder.write("o.csv", "mine\n");
    let outcome = folder.run(&words);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("hint: --force replaces it"), "{}", outcome.stderr);
    assert_eq!(folder.text("o.csv"), "mine\n");
    folder.succeed(&format!("{words} --force"));
    assert_ne!(folder.text("o.csv"), "mine\n");
}

#[test]
fn run_takes_what_the_job_says_otherwise() {
    let folder = Folder::with_people();
    let printed =
        folder.succeed(&format!("anonymize people.csv -o o.csv {ROLES} -k 4 --print-job"));
    std::fs::create_dir(folder.path("jobs")).unwrap();
    folder.write("jobs/job.toml", printed.stdout);
    let report =
        folder.report("run jobs/job.toml --input people.csv --output other.csv -k 8 --seed 3");
    assert_eq!(report["guarantees"].as_array().unwrap().len(), 1, "{}", report["guarantees"]);
    assert_eq!(report["guarantees"][0]["required"], 8);
    assert_eq!(report["job"]["run"]["seed"], 3);
    assert!(folder.path("other.csv").exists() && !folder.path("jobs/o.csv").exists());
    // What the command line says itself is never replaced by what it says.
    let outcome = folder
        .run("run jobs/job.toml --input people.csv -o third.csv -k 3 --model k-anonymity(k=1000)");
    assert_eq!(outcome.code, 3, "{}", outcome.stderr);
    let more = "run jobs/job.toml --input people.csv -o third.csv --model";
    let report = folder.report(&format!("{more} l-diversity-distinct(l=2,on=disease)"));
    assert_eq!(report["guarantees"].as_array().unwrap().len(), 2);
}

#[test]
fn the_role_of_all_other_columns() {
    let folder = Folder::with_people();
    let expected = {
        folder.succeed(&format!("anonymize people.csv -o a.csv {ROLES} -k 4 --seed 1"));
        folder.bytes("a.csv")
    };
    folder.succeed(
        "anonymize people.csv -o b.csv --drop name,person --qi age,sex,zip --sensitive disease \
         --others keep -k 4 --seed 1",
    );
    assert_eq!(folder.bytes("b.csv"), expected);
    folder.write(
        "job.toml",
        "[input]\npath = \"people.csv\"\n[columns]\nage = { role = \"quasi\" }\nsex = { role = \
         \"quasi\" }\nzip = { role = \"quasi\" }\n\"*\" = { role = \"drop\" }\n[privacy]\nmodels = \
         [\"k-anonymity(k=4)\"]\n[output]\npath = \"c.csv\"\n",
    );
    folder.succeed("run job.toml");
    assert!(folder.text("c.csv").starts_with("age,sex,zip\n"));
}

#[test]
fn words_of_a_job_that_are_nearly_right_get_a_hint() {
    let folder = Folder::with_people();
    let job = |text: &str| {
        folder.write("job.toml", text);
        folder.run("run job.toml")
    };
    for (text, meant) in [
        ("[input]\npth = \"people.csv\"\n", "path"),
        ("[inputs]\npath = \"people.csv\"\n", "input"),
        ("[columns]\nage = { rol = \"quasi\" }\n", "role"),
        ("[columns]\nage = { role = \"quazi\" }\n", "quasi"),
        ("[privacy]\nmodel = []\n", "models"),
        ("[run]\nsed = 3\n", "seed"),
    ] {
        let outcome = job(text);
        assert_eq!(outcome.code, 2, "{text}");
        assert!(
            outcome.stderr.contains(&format!("hint: did you mean '{meant}'?")),
            "{text}{}",
            outcome.stderr
        );
    }
}

#[test]
fn a_column_of_stars_is_the_first_that_is_said() {
    let folder = Folder::with_people();
    let text = folder.text("people.csv");
    // Every cell of the column is different: nothing of it can be published.
    let numbered: String = text
        .lines()
        .enumerate()
        .map(|(i, line)| match i {
            0 => format!("{line},town\n"),
            _ => format!("{line},T{i}\n"),
        })
        .collect();
    folder.write("towns.csv", numbered);
    let outcome = folder.succeed(
        "anonymize towns.csv -o o.csv --drop name,person --qi age,sex,town --sensitive disease \
         --keep pay,zip --accept zip -k 4",
    );
    let line = outcome.stderr.lines().nth(2).unwrap_or_default();
    assert_eq!(line, "  lost        column 'town' is published as * in every record");
}

#[test]
fn records_that_say_nothing_count_as_suppressed() {
    let folder = Folder::new();
    // Two groups of ten, and seven people who are like nobody in any column.
    let mut text = String::from("town,job,ill\n");
    for i in 0..20 {
        let _ = writeln!(text, "{},{},flu", ["Rome", "Bern"][i / 10], ["cook", "smith"][i / 10]);
    }
    for i in 0..7 {
        let _ = writeln!(text, "T{i},J{i},gout");
    }
    folder.write("in.csv", text);
    let words = "anonymize in.csv --qi town,job --sensitive ill -k 5 --algorithm peel";
    let report = folder.report(&format!("{words} -o a.csv"));
    assert_eq!(report["suppressed"]["records"], 0);
    assert_eq!(report["suppressed"]["blank"], 7, "{}", report["suppressed"]);
    let audited = folder.succeed("audit a.csv --json").stdout;
    let audited: serde_json::Value = serde_json::from_str(&audited).unwrap();
    assert_eq!(audited["fully_suppressed"], 7, "the run and the audit count the same");
    let warned = report["warnings"].to_string();
    assert!(warned.contains("7 records are published with * in every quasi column"), "{warned}");
    // A limit is about both: left out, or published without saying anything.
    for limit in ["--max-suppression 7", "--max-blank 7", "--max-suppression 1% --max-blank 26%"] {
        folder.succeed(&format!("{words} -o b.csv --force {limit}"));
    }
    for limit in ["--max-suppression 6", "--max-blank 6", "--max-suppression 50% --max-blank 6"] {
        let outcome = folder.run(&format!("{words} -o c.csv {limit}"));
        assert_eq!(outcome.code, 3, "{limit}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("7 published as *"), "{}", outcome.stderr);
        assert!(!folder.path("c.csv").exists());
    }
}

#[test]
fn made_up_data_has_the_format_of_its_name() {
    let folder = Folder::new();
    folder.succeed("generate patients --rows 50 -o p.csv");
    folder.succeed("generate patients --rows 50 -o p.parquet");
    folder.succeed("generate patients --rows 50 -o p.jsonl.gz");
    assert!(folder.bytes("p.parquet").starts_with(b"PAR1"));
    assert!(folder.bytes("p.jsonl.gz").starts_with(&[0x1F, 0x8B]));
    let release = |input: &str, output: &str| {
        let roles =
            "--drop name,person,birth,cost --qi age,sex --sensitive diagnosis --others keep";
        folder.succeed(&format!(
            "anonymize {input} -o {output} {roles} -k 3 --seed 1 --accept zip,job,admission"
        ));
        folder.text(output)
    };
    let expected = release("p.csv", "a.csv");
    assert_eq!(release("p.parquet", "b.csv"), expected);
    assert_eq!(release("p.jsonl.gz", "c.csv"), expected);
    let lines = folder.run("generate longtail --rows 50 -o p2.parquet");
    assert_eq!(lines.code, 2, "{}", lines.stderr);
    assert!(!folder.path("p2.parquet").exists());
}

#[test]
fn an_audit_says_which_classes_fail_and_why() {
    let folder = Folder::new();
    // Five cooks of 30 and five of 40 in Rome; two smiths whom only their age tells apart.
    let mut text = String::from("age,job,ill\n");
    for i in 0..10 {
        let _ = writeln!(text, "{},cook,{}", [30, 40][i / 5], ["flu", "gout"][i % 2]);
    }
    text += "50,smith,flu\n60,smith,gout\n";
    folder.write("file.csv", text);
    let outcome = folder.run("audit file.csv --qi age,job --sensitive ill -k 2 --report a.html");
    assert_eq!(outcome.code, 3);
    for line in [
        "failing    k-anonymity(k=2): 2 of 4 classes, 2 people\n",
        "           without age 2 of these would meet it\n",
        "        1  age 50, job smith\n",
    ] {
        assert!(outcome.stdout.contains(line), "{line} in {}", outcome.stdout);
    }
    assert!(!outcome.stdout.contains("without job"), "{}", outcome.stdout);
    let page = folder.text("a.html");
    assert!(page.contains("Not all of it holds.") && page.contains("age 50, job smith"));
    let outcome = folder.run("audit file.csv --qi age,job -k 2 --report a.txt");
    assert_eq!(outcome.code, 2, "an unknown page isn't written");
}

#[test]
fn an_audit_finds_cells_that_are_not_true() {
    let folder = Folder::with_people();
    let words = format!("anonymize people.csv -o o.csv {ROLES} -k 4 --algorithm mondrian");
    folder.succeed(&words);
    let audit = "audit o.csv --original people.csv --qi age,sex,zip --sensitive disease";
    let outcome = folder.succeed(audit);
    assert!(
        outcome.stdout.contains("truth      all 80 rows fit different records of the original in"),
        "{}",
        outcome.stdout
    );
    // One range becomes another that other people have too: only together the rows are false.
    let released = folder.text("o.csv");
    let ranges: Vec<&str> = rows(&released)[1..].iter().map(|row| row[0]).collect();
    let (from, to) = (ranges[0], *ranges.iter().find(|range| **range != ranges[0]).unwrap());
    folder.write("o.csv", released.replace(&format!("{from},"), &format!("{to},")));
    let outcome = folder.run(audit);
    assert_eq!(outcome.code, 3, "{}", outcome.stdout);
    assert!(outcome.stdout.contains("NOT TRUE"), "{}", outcome.stdout);
    // A label without its tree can't be judged, and the audit says so, instead of calling it false.
    folder.write("o.csv", released.replace(&format!("{from},"), "young,"));
    let outcome = folder.run(audit);
    assert!(
        outcome.stdout.contains("not compared, since labels need their --hierarchy: age"),
        "{}",
        outcome.stdout
    );
}

/// A mistyped value isn't answered with a plain 0: the answer is 0, and a warning says why.
#[test]
fn a_value_that_the_release_does_not_have_is_warned_of() {
    let folder = Folder::with_people();
    folder.succeed(&format!("anonymize people.csv -o r.csv {ROLES} -k 2 --seed 1"));
    let ask = |query: &str| folder.run_arguments(&["query", "r.csv", query], &[]);
    let mistyped = ask("count where disease = flue");
    assert_eq!(mistyped.code, 0);
    assert!(
        mistyped
            .stderr
            .contains("warning: no value of column 'disease' in the release fits disease = flue"),
        "{}",
        mistyped.stderr
    );
    assert!(ask("count where age > 200").stderr.contains("fits age > 200"));
    for good in ["count where disease = flu", "count where age > 30", "avg(pay)"] {
        assert!(!ask(good).stderr.contains("warning"), "{good}");
    }
}

/// Risks in a population are measured as soon as one is said, by its size or by what share of it is
/// in the data.
#[test]
fn a_population_is_a_flag_and_a_key() {
    let folder = Folder::with_people();
    let pitman = |report: &serde_json::Value| report["risks"]["uniqueness_pitman"].clone();
    let command = format!("anonymize people.csv -o r.csv {ROLES} -k 2 --seed 1");
    let without = folder.report(&command);
    assert!(pitman(&without)["before"].is_null());
    let by_size = folder.report(&format!("{command} --population 8000"));
    let by_share = folder.report(&format!("{command} --population 1%"));
    assert!(pitman(&by_size)["before"].as_f64().is_some(), "{}", by_size["risks"]);
    assert_eq!(pitman(&by_size), pitman(&by_share), "80 records are 1 % of 8,000");
    assert_eq!(by_size["job"]["privacy"]["population"], "8000");
    let audited = folder.report("audit r.csv --original people.csv --population 1%");
    assert_eq!(audited["risks"]["uniqueness_pitman"], pitman(&by_size));
    assert_eq!(folder.run("audit r.csv --population much").code, 2);
}

/// Help shows commands in groups, and the manual has a page for each.
#[test]
fn help_is_grouped_and_the_manual_is_whole() {
    let folder = Folder::new();
    let help = folder.succeed("--help").stdout;
    for group in ["First steps:", "Look at a release:", "Choose before publishing:"] {
        assert!(help.contains(group), "{help}");
    }
    folder.succeed("man pages");
    let pages = std::fs::read_dir(folder.path("pages")).unwrap().count();
    assert!(pages > 20, "{pages}");
    assert!(folder.text("pages/sfumato-anonymize.1").contains("max\\-suppression"));
}

/// A workbook and a database are read as tables are.
#[test]
fn a_sheet_of_a_workbook_is_guessed_and_published() {
    let folder = Folder::new();
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../sfumato-io/tests/io/fixtures/book.xlsx");
    std::fs::copy(book, folder.path("book.xlsx")).unwrap();
    let which = folder.run("init book.xlsx -o job.toml");
    assert_eq!(which.code, 2);
    assert!(which.stderr.contains("there are 2 sheets in it"), "{}", which.stderr);
    folder.succeed(
        "anonymize book.xlsx#people -o r.csv --drop name --qi born,age,zip -k 2 --header yes",
    );
    assert_eq!(folder.text("r.csv").lines().count(), 3);
}

/// Birthdays and incomes are nearly unique, and dropping them would lose what the file is about.
#[test]
fn what_is_measured_is_blurred_instead_of_dropped() {
    let folder = Folder::new();
    folder.write("abroad.csv", abroad());
    folder.succeed("init abroad.csv -o job.toml");
    let job = folder.text("job.toml");
    let born = "Naissance = { role = \"quasi\", written = \"dd/mm/yyyy\", hierarchy = { date = ";
    assert!(job.contains(born), "{job}");
    assert!(job.contains("Revenu = { role = \"quasi\", written = \"1.234,5\""), "{job}");
    assert!(job.contains("Nom = { role = \"identifier\" }"), "{job}");
    assert!(job.contains("Maladie = { role = \"sensitive\" }"), "{job}");
    folder.succeed("run job.toml --accept-guesses");
    assert!(folder.text("released-abroad.csv").starts_with("Naissance;Ville;Revenu;Maladie\n"));
}

/// Nobody reads five hundred names in a sentence.
#[test]
fn five_hundred_columns_are_not_listed() {
    let folder = Folder::new();
    let line =
        |cell: &dyn Fn(usize) -> String| (0..500).map(cell).collect::<Vec<_>>().join(",") + "\n";
    let mut text = line(&|column| format!("c{column}"));
    (0..40).for_each(|row| text += &line(&|column| ((row * 7 + column) % 3).to_string()));
    folder.write("wide.csv", text);
    folder.succeed("init wide.csv -o wide.toml");
    let outcome = folder.succeed("run wide.toml --accept-guesses");
    let longest = outcome.stderr.lines().map(str::len).max().unwrap();
    assert!(longest < 300, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("and 490 more"), "{}", outcome.stderr);
    assert!(folder.text("released-wide.html").contains("<details"));
}

/// The job that made a release says what its labels mean, so that every column can be compared.
#[test]
fn an_audit_takes_the_job_of_the_release() {
    let folder = Folder::with_people();
    let printed = folder.succeed(&format!(
        "anonymize people.csv -o o.csv {ROLES} --hierarchy zip=mask(from=right) --algorithm \
         datafly -k 9 --print-job"
    ));
    folder.write("job.toml", printed.stdout);
    folder.succeed("run job.toml");
    let without = folder.succeed("audit o.csv --original people.csv").stdout;
    assert!(without.contains("not compared, since labels need their --hierarchy"), "{without}");
    let with = folder.succeed("audit o.csv --original people.csv --job job.toml").stdout;
    assert!(!with.contains("not compared") && with.contains("required   k-anonymity"), "{with}");
    assert!(with.contains("fit different records of the original in age, sex, zip"), "{with}");
}

/// A mistyped name of a file, a family or a column gets the one that was probably meant.
#[test]
fn names_that_are_nearly_right_get_a_hint() {
    let folder = Folder::with_people();
    folder.write("job.json", "no job");
    for (words, message) in [
        ("init peple.csv", "did you mean 'people.csv'?"),
        ("audit peopl.csv", "did you mean 'people.csv'?"),
        ("list modles", "did you mean 'models'?"),
        (
            "anonymize people.csv -o o.csv --qi age --hierarchy agee=mask -k 2",
            "did you mean 'age'?",
        ),
        ("anonymize people.csv -o o.dat --qi age --others drop -k 2", "say --baskets lines"),
        (
            "explain people.csv --qi age --others drop -k 2",
            "say where the release goes with -o OUT",
        ),
        ("run people.csv", "'sfumato init people.csv -o release.toml' writes one"),
        ("reveal --release people.csv --column name", "name the file with the key"),
    ] {
        let outcome = folder.run(words);
        assert!(outcome.code == 2 || outcome.code == 5, "{words}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(message), "{words}: {}", outcome.stderr);
    }
}

#[test]
fn a_model_that_the_job_has_is_not_asked_for_twice() {
    let folder = Folder::with_people();
    let words = "anonymize people.csv -o p.csv --qi age --others drop -k 4 --print-job";
    let job = folder.succeed(words).stdout;
    folder.write("job.toml", job);
    let report = folder.report("run job.toml --model k-anonymity(k=4) --model k-anonymity(k=4)");
    assert_eq!(report["guarantees"].as_array().unwrap().len(), 1, "{}", report["guarantees"]);
}

#[test]
fn the_row_that_is_no_number_is_named() {
    let folder = Folder::new();
    let ages: String = (0..20)
        .map(|i| format!("{}\n", if i == 7 { "x7".into() } else { (30 + i).to_string() }))
        .collect();
    folder.write("ages.csv", format!("age\n{ages}"));
    let outcome = folder.run(
        "anonymize ages.csv -o o.csv --qi age -k 2 --hierarchy age=interval(width=5,levels=2)",
    );
    assert_eq!(outcome.code, 2);
    let expected = "most are numbers, and row 8 isn't one of them";
    assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("--missing") && !outcome.stderr.contains("x7"));
}
