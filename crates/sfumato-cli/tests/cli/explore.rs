//! `sfumato explore`: the trade-off in memory. It reads, prints and draws, and never publishes.

use crate::support::{Folder, ROLES, rows};

const TWO: &str = "--algorithms mondrian,mondrian(relaxed=true)";

#[test]
fn the_table_has_a_line_for_each_cell() {
    let folder = Folder::with_people();
    let outcome = folder.succeed(&format!("explore people.csv {ROLES} --ks 10,2,5,2 {TWO}"));
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines[0], "data       people.csv (80 records)");
    assert_eq!(lines[1], "quasi      age, sex, zip");
    assert_eq!(lines[2], "require    k-anonymity at each k; at most 0 records suppressed");
    let heading: Vec<&str> = lines[4].split_whitespace().collect();
    assert_eq!(heading[..5], ["algorithm", "k", "ncp", "discernibility", "C_avg"]);
    let cells: Vec<Vec<&str>> =
        lines[5..11].iter().map(|line| line.split_whitespace().collect()).collect();
    let places: Vec<(&str, &str)> = cells.iter().map(|cell| (cell[0], cell[1])).collect();
    let (plain, relaxed) = ("mondrian", "mondrian(relaxed=true)");
    let expected = [
        (plain, "2"),
        (plain, "5"),
        (plain, "10"),
        (relaxed, "2"),
        (relaxed, "5"),
        (relaxed, "10"),
    ];
    assert_eq!(places, expected);
    assert!(lines[12].starts_with("knee       mondrian "), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("\nranking    "), "{}", outcome.stdout);
    assert_eq!(outcome.stderr, "");
    assert_eq!(folder.names(), ["people.csv"], "without -o nothing is written");
}

#[test]
fn figures_are_those_of_a_run() {
    let folder = Folder::with_people();
    let explored =
        folder.report(&format!("explore people.csv {ROLES} --ks 3,7 --algorithms mondrian"));
    assert_eq!((&explored["rows"], &explored["metric"]), (&80.into(), &"ncp".into()));
    for (place, k) in [(0, 3), (1, 7)] {
        let report = folder.report(&format!(
            "anonymize people.csv -o out.csv {ROLES} -k {k} --algorithm mondrian --seed 0"
        ));
        let cell = &explored["curves"][0]["cells"][place];
        assert_eq!(cell["k"], k);
        assert_eq!(cell["classes"], report["classes"]["count"]);
        assert_eq!(cell["smallest_class"], report["classes"]["min"]);
        assert_eq!(cell["suppressed"], report["suppressed"]["records"]);
        for (mine, theirs) in [
            ("/loss", "/metrics/ncp"),
            ("/ncp", "/metrics/ncp"),
            ("/discernibility", "/metrics/discernibility"),
            ("/average_class_size", "/metrics/average-class-size"),
            ("/highest_risk", "/risks/prosecutor_max/after"),
            ("/average_risk", "/risks/prosecutor_mean/after"),
        ] {
            let (mine, theirs) = (cell.pointer(mine).unwrap(), report.pointer(theirs).unwrap());
            assert!(
                (mine.as_f64().unwrap() - theirs.as_f64().unwrap()).abs() < 1e-12,
                "{mine} {theirs}"
            );
        }
        assert!(cell["seconds"].as_f64().unwrap() >= 0.0);
    }
    assert!(explored["curves"][0]["knee"].is_null(), "two points have no knee");
    assert!(explored.get("ranking").is_none() && explored.get("lattice").is_none());
}

#[test]
fn the_csv_has_the_figures_in_full() {
    let folder = Folder::with_people();
    let explored =
        folder.report(&format!("explore people.csv {ROLES} --ks 2,5,10,20 {TWO} --csv grid.csv"));
    let text = folder.text("grid.csv");
    let lines = rows(&text);
    assert_eq!(
        (lines.len(), lines[0][..4].to_vec()),
        (9, vec!["algorithm", "k", "metric", "loss"])
    );
    let mut place = 1;
    for curve in explored["curves"].as_array().unwrap() {
        for cell in curve["cells"].as_array().unwrap() {
            let line = &lines[place];
            assert_eq!(
                (line[0], line[1]),
                (curve["algorithm"].as_str().unwrap(), &*cell["k"].to_string())
            );
            assert_eq!(line[3].parse::<f64>().unwrap(), cell["loss"].as_f64().unwrap());
            assert_eq!(line[7], cell["classes"].to_string());
            assert_eq!(line[14] == "true", curve["knee"]["k"] == cell["k"]);
            place += 1;
        }
    }
}

#[test]
fn the_picture_is_a_file_of_its_own() {
    let folder = Folder::with_people();
    folder.succeed(&format!(
        "explore people.csv {ROLES} --ks 2,5,10,20 {TWO} -o tradeoff.svg --quiet"
    ));
    let svg = folder.text("tradeoff.svg");
    assert!(
        svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.ends_with("</svg>\n")
    );
    // Two lines in each of two panels, and in the legend.
    assert_eq!(svg.matches("<polyline").count(), 6);
    assert!(svg.contains("prefers-color-scheme:dark") && !svg.contains("<script"));
    for text in ["mondrian(relaxed=true)", "k (logarithmic)", "average prosecutor risk"] {
        assert!(svg.contains(text), "{text}");
    }
    assert_eq!(folder.names(), ["people.csv", "tradeoff.svg"]);
    let again = svg.clone();
    folder.succeed(&format!(
        "explore people.csv {ROLES} --ks 2,5,10,20 {TWO} -o tradeoff.svg --threads 1"
    ));
    assert_eq!(
        folder.text("tradeoff.svg"),
        again,
        "times aren't drawn, so the picture is the same"
    );
}

#[test]
fn an_infeasible_k_does_not_stop_the_others() {
    let folder = Folder::with_people();
    // 40 people in 80 rows: 60 rows can be alike, 60 people can't.
    let roles = crate::support::ROLES_WITH_SUBJECT;
    let outcome = folder.succeed(&format!(
        "explore people.csv {roles} --ks 5,60,200 -o a.svg --algorithms mondrian"
    ));
    let line = outcome.stdout.lines().find(|line| line.contains("infeasible")).unwrap_or("");
    let expected = "infeasible: k-anonymity(k=60) can't be met: over the whole table k is 40 and \
        must be at least 60";
    assert!(line.starts_with("mondrian   60 ") && line.ends_with(expected), "{}", outcome.stdout);
    assert!(
        outcome.stdout.contains("left out   k = 200: there are 80 records\n"),
        "{}",
        outcome.stdout
    );
    assert!(outcome.stdout.contains("knee       mondrian has none: it takes three points\n"));
    assert_eq!(folder.text("a.svg").matches(">\u{00d7}</text>").count(), 1);
    let outcome = folder.run(&format!(
        "explore people.csv {roles} --ks 60,70 -o b.svg --csv b.csv --algorithms mondrian"
    ));
    assert_eq!(outcome.code, 3);
    assert_eq!(outcome.stdout.matches("infeasible: ").count(), 2);
    assert!(outcome.stderr.starts_with("error: no algorithm can meet the requirements at any k\n"));
    assert_eq!(folder.names(), ["a.svg", "people.csv"]);
}

#[test]
fn models_metrics_and_suppression_are_those_asked_for() {
    let folder = Folder::with_people();
    let explored = folder.report(&format!(
        "explore people.csv {ROLES} --ks 2,4,8 --model l-diversity-distinct(l=3,on=disease) \
            --metric precision \
         --effort low --max-suppression 10% --seed 3"
    ));
    assert_eq!(explored["models"][0], "l-diversity-distinct(l=3,on=disease)");
    assert_eq!(
        (&explored["metric"], &explored["higher_is_better"]),
        (&"precision".into(), &true.into())
    );
    assert_eq!(explored["max_suppressed"], 8);
    for cell in explored["curves"][0]["cells"].as_array().unwrap() {
        assert!(
            cell["smallest_class"].as_u64() >= Some(3) && cell["suppressed"].as_u64() <= Some(8)
        );
        assert!(cell["loss"].as_f64().is_some_and(|kept| (0.0..=1.0).contains(&kept)));
    }
    let table =
        folder.succeed(&format!("explore people.csv {ROLES} --ks 2,4,8 --metric precision")).stdout;
    assert!(table.contains("  precision  ") && table.contains("  ncp  "), "{table}");
}

#[test]
fn a_release_toml_is_explored_too() {
    let folder = Folder::with_people();
    let job = folder.succeed(&format!(
        "anonymize people.csv -o out.csv {ROLES} -k 7 --metric discernibility --print-job"
    ));
    folder.write("release.toml", &job.stdout);
    let explored = folder.report("explore release.toml --ks 2,5");
    assert_eq!(
        (&explored["metric"], &explored["input"]),
        (&"discernibility".into(), &"people.csv".into())
    );
    assert_eq!(explored["curves"][0]["cells"][0]["smallest_class"], 2, "its k gives way");
    assert_eq!(explored["models"], serde_json::json!([]));
    let other = folder.report("explore release.toml --ks 2,5 --metric ncp");
    assert_eq!(other["metric"], "ncp");
    let outcome = folder.run("explore release.toml --qi age");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.starts_with("error: --qi doesn't go with a release.toml\n"),
        "{}",
        outcome.stderr
    );
    assert_eq!(folder.names(), ["people.csv", "release.toml"]);
}

#[test]
fn a_small_lattice_is_drawn() {
    let folder = Folder::with_people();
    let command = format!(
        "explore people.csv {ROLES} --ks 2,5,10 --hierarchy zip=mask(from=right) --lattice \
            lattice.svg --lattice-k 4 \
         --max-suppression 5%"
    );
    let explored = folder.report(&command);
    let lattice = &explored["lattice"];
    let levels: Vec<u64> = lattice["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["levels"].as_u64().unwrap())
        .collect();
    assert_eq!(levels, [2, 2, 5], "age and sex are exact or anything; all zips begin with 10");
    let nodes = lattice["nodes"].as_array().unwrap();
    assert_eq!(
        (nodes.len(), &lattice["k"], &lattice["max_suppressed"]),
        (20, &4.into(), &4.into())
    );
    assert_eq!(nodes[0]["satisfies"], false);
    assert_eq!((&nodes[19]["satisfies"], &nodes[19]["classes"]), (&true.into(), &1.into()));
    assert_eq!(nodes.iter().filter(|node| node["best"] == true).count(), 1);
    let svg = folder.text("lattice.svg");
    assert_eq!(svg.matches("<line class=\"edge\"").count(), 10 + 10 + 16);
    assert!(svg.contains(">0,1,4</text>") && svg.contains("Full-domain recodings for k = 4"));
    let table = folder.succeed(&command).stdout;
    assert!(
        table.contains("lattice    ") && table.contains(" of 20 nodes satisfy k = 4, "),
        "{table}"
    );
    assert_eq!(folder.names(), ["lattice.svg", "people.csv"]);
}

/// Of a lattice with too many nodes a part is drawn, and the picture and the table say which.
#[test]
fn a_large_lattice_is_drawn_in_part() {
    let folder = Folder::new();
    let wide: String = (0..9).map(|c| format!(",w{c}")).collect();
    let mut text = format!("id{wide}\n");
    for i in 0..40 {
        let cells: String = (0..9).map(|c| format!(",v{}", (i >> c) % 2)).collect();
        text += &format!("{i}{cells}\n");
    }
    folder.write("wide.csv", text);
    let command = "explore wide.csv --identifier id --qi w0,w1,w2,w3,w4,w5,w6,w7,w8 --ks 2 \
                   --lattice l.svg";
    let explored = folder.report(command);
    let lattice = &explored["lattice"];
    assert_eq!(lattice["nodes"].as_array().unwrap().len(), 256);
    assert_eq!(lattice["columns"][8]["shown"], serde_json::json!([1]));
    let words = "a part of the lattice, 256 of 512 nodes: w8 only at 1";
    assert!(folder.text("l.svg").contains(words));
    assert!(folder.succeed(command).stdout.contains(words));
    // Each of the eight columns has an edge between its two levels, wherever the others are.
    assert_eq!(folder.text("l.svg").matches("<line class=\"edge\"").count(), 8 * 128);
}

#[test]
fn errors_leave_nothing_behind() {
    let folder = Folder::with_people();
    let before = folder.names();
    let people = format!("explore people.csv {ROLES} -o out.svg --csv out.csv");
    let cases = [
        (format!("{people} --algorithms mondrian,mondrain"), 2, "there is no algorithm 'mondrain'"),
        (
            format!("{people} --algorithms mondrian(relaxed=maybe)"),
            2,
            "mondrian: relaxed must be true or false, not 'maybe'",
        ),
        (
            format!("{people} --algorithms mondrian(relaxed=true,"),
            2,
            "can't read \
            'mondrian(relaxed=true,': a word is missing at character 23",
        ),
        (
            format!("{people} --algorithms mondrian,mondrian"),
            2,
            "the algorithm mondrian is given twice",
        ),
        (
            format!("{people} --ks 2,x"),
            2,
            "--ks must be whole numbers of at least 1 such as \
            2,5,10, not '2,x'",
        ),
        (
            format!("{people} --ks 0"),
            2,
            "--ks must be whole numbers of at least 1 such as 2,5,10, not '0'",
        ),
        (format!("{people} --ks 100,200"), 2, "every k is larger than the number of records, 80"),
        (format!("{people} --metric npc"), 2, "there is no metric 'npc'"),
        (
            format!("{people} --model l-diversity-distinct(l=0,on=disease)"),
            2,
            "l-diversity-distinct: l must be a whole \
                number of at least 1, not '0'",
        ),
        (
            "explore people.csv --qi age".into(),
            2,
            "6 columns have no role: name, person, sex, zip, disease, pay",
        ),
        (format!("explore people.csv {ROLES} -o out.png"), 2, "a picture is .svg, not 'out.png'"),
        (
            format!("explore people.csv {ROLES} --csv -"),
            2,
            "--csv needs a file: standard output has the table",
        ),
        (
            format!("explore people.csv {ROLES} --csv people.csv"),
            2,
            "people.csv: an output has the path of the input",
        ),
        (
            format!("explore people.csv {ROLES} -o a.svg --lattice a.svg"),
            2,
            "a.svg: two outputs have the same path",
        ),
        (
            format!("explore people.csv {ROLES} -o nowhere/a.svg"),
            5,
            "nowhere/a.svg: the folder 'nowhere' isn't there",
        ),
    ];
    for (command, code, message) in cases {
        let outcome = folder.run(&command);
        assert_eq!(outcome.code, code, "{command}\n{}", outcome.stderr);
        let first = outcome.stderr.lines().next().unwrap_or("");
        assert_eq!(first, format!("error: {message}"), "{command}");
        assert_eq!((outcome.stdout.as_str(), folder.names()), ("", before.clone()), "{command}");
    }
}

#[test]
fn help_says_what_a_knee_is() {
    let folder = Folder::new();
    let help = folder.succeed("explore --help").stdout;
    assert!(help.contains("Usage: sfumato explore [OPTIONS] <DATA>"), "{help}");
    let words: Vec<&str> = help.split_whitespace().collect();
    let flat = words.join(" ");
    assert!(
        flat.contains("farthest from the straight line between the first and the last k"),
        "{help}"
    );
    // Flags that both commands share say the same in both.
    let other = folder.succeed("anonymize --help").stdout;
    for flag in ["--hierarchy <COLUMN=HOW>", "--max-suppression <SHARE>", "--metric <NAME>"] {
        let about = |text: &str| {
            text.split(flag).nth(1).map(|rest| rest.lines().nth(1).map(str::to_string))
        };
        assert_eq!(about(&help), about(&other), "{flag}");
    }
}

/// Every kind and form goes through the pipeline; what can't says so by name.
#[test]
fn every_kind_and_form_is_explored() {
    let folder = Folder::with_people();
    let mut baskets = String::new();
    for i in 0..40 {
        baskets += &format!("{} {} {} {}\n", i % 4, 4 + i % 3, 7 + i % 5, 20 + i % 8);
    }
    folder.write("baskets.dat", baskets);
    let lines = "baskets.dat --baskets lines";
    let cases = [
        (format!("{lines} --algorithms auto,set-mondrian"), "subsets", "k-anonymity"),
        (format!("{lines} --model k1-anonymity(k=9)"), "subsets", "k1-anonymity"),
        (
            format!("{lines} --model privacy-degree(p=2) --sensitive-items 20,21"),
            "buckets",
            "privacy-degree",
        ),
        (
            format!("{lines} --model nonreciprocal-k-anonymity(k=2)"),
            "bitmaps",
            "nonreciprocal-k-anonymity",
        ),
        (
            format!("people.csv {ROLES} --buckets linked --algorithms anatomize"),
            "buckets",
            "l-diversity-distinct",
        ),
        (format!("people.csv {ROLES}"), "generalized", "k-anonymity"),
    ];
    let before = folder.names();
    for (flags, form, tried) in cases {
        let found = folder.report(&format!("explore {flags} --ks 2,3"));
        assert_eq!((&found["form"], &found["tried"]), (&form.into(), &tried.into()), "{flags}");
        assert!(found["rows"] == 40 || found["rows"] == 80, "{flags}: {}", found["rows"]);
        for curve in found["curves"].as_array().unwrap() {
            for cell in curve["cells"].as_array().unwrap() {
                assert!(cell["loss"].is_number(), "{flags}: {cell}");
            }
        }
        assert_eq!(folder.names(), before, "{flags}");
    }
    // A figure is that of the release that a run with the same flags makes.
    let found = folder.report(&format!("explore {lines} --ks 3 --seed 1"));
    let run = folder.report(&format!("anonymize {lines} -k 3 --seed 1 -o out.dat"));
    let metric = found["metric"].as_str().unwrap();
    assert_eq!(found["curves"][0]["cells"][0]["loss"], run["metrics"][metric]);
    let table = folder.succeed(&format!("explore {lines} --ks 2,3,1000 --csv grid.csv")).stdout;
    assert!(table.contains("kind       sets, published as subsets\n"), "{table}");
    assert!(table.contains("left out   k = 1,000: there are 40 records\n"), "{table}");
    for (flags, message) in [
        (
            format!("people.csv {ROLES} --algorithms additive-noise"),
            "tables published as perturbed promise nothing that could be asked for more strongly",
        ),
        (
            format!("{lines} --lattice out.svg"),
            "a lattice is of generalized tables, and these are baskets published as subsets",
        ),
        (
            format!("{lines} --metric discernibility"),
            "there is no metric 'discernibility' of baskets published as subsets",
        ),
    ] {
        let outcome = folder.run(&format!("explore {flags} --ks 2"));
        assert_eq!(outcome.code, 2, "{flags}\n{}", outcome.stderr);
        assert!(outcome.stderr.contains(message), "{flags}\n{}", outcome.stderr);
    }
}
