//! Releases side by side: what they keep, and how well they answer.

use crate::support::{Folder, ROLES};

fn releases(folder: &Folder) {
    folder.succeed(&format!("anonymize people.csv -o fine.csv {ROLES} -k 2 --seed 1"));
    folder.succeed(&format!("anonymize people.csv -o coarse.csv {ROLES} -k 20 --seed 1"));
}

#[test]
fn the_finer_release_is_told_from_the_coarser() {
    let folder = Folder::with_people();
    releases(&folder);
    let compared = folder.report("compare fine.csv coarse.csv --original people.csv");
    let [fine, coarse] = [&compared["releases"][0], &compared["releases"][1]];
    assert_eq!((fine["rows"].as_u64(), fine["form"].as_str()), (Some(80), Some("generalized")));
    assert!(fine["classes"]["min"].as_u64() >= Some(2), "{fine}");
    assert!(coarse["classes"]["min"].as_u64() >= Some(20), "{coarse}");
    for metric in ["ncp", "loss", "discernibility"] {
        let of = |side: &serde_json::Value| side["metrics"][metric].as_f64().unwrap();
        assert!(of(fine) < of(coarse), "{metric}");
    }
    let error = |side: &serde_json::Value| side["answers"]["mean_error"].as_f64().unwrap();
    assert!(error(fine) < error(coarse), "{compared}");
    assert_eq!(fine["answers"]["unanswered"].as_u64(), Some(0));
    // Every quasi column is told, and the sensitive one is asked about.
    let parts: Vec<&str> = fine["kept"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kept| kept["part"].as_str().unwrap())
        .collect();
    assert_eq!(parts, ["age", "sex", "zip"]);
    assert!(fine["answers"]["by_part"]["disease"].as_f64() < Some(1e-9), "{fine}");

    let words = folder.succeed("compare fine.csv coarse.csv --original people.csv").stdout;
    for text in ["A          fine.csv", "verdict    A loses least", "less is better", "each part"] {
        assert!(words.contains(text), "{text}\n{words}");
    }
    folder.succeed("compare fine.csv coarse.csv --original people.csv --report c.html");
    let page = folder.text("c.html");
    assert!(page.contains("Distributions of A") && page.contains("Errors of answers"));
}

/// What a run measures of its own decision is what is measured from the bytes of its release.
#[test]
fn bytes_say_what_the_run_said() {
    let folder = Folder::with_people();
    for algorithm in ["mondrian", "datafly", "peel"] {
        let hierarchy = "--hierarchy zip=mask(from=right)";
        let report = folder.report(&format!(
            "anonymize people.csv -o r.csv {ROLES} {hierarchy} -k 3 --algorithm {algorithm} \
             --max-suppression 5% --seed 1"
        ));
        let flags = "--qi age,sex,zip --sensitive disease --hierarchy zip=mask(from=right)";
        let compared = folder.report(&format!("compare r.csv r.csv --original people.csv {flags}"));
        let measured = compared["releases"][0]["metrics"].as_object().unwrap();
        assert!(measured.len() >= 10, "{measured:?}");
        for (name, value) in measured {
            let (ours, run) = (value.as_f64().unwrap(), report["metrics"][name].as_f64().unwrap());
            assert!((ours - run).abs() < 1e-9, "{algorithm} {name}: {ours} and {run}");
        }
        let kept = |told: &serde_json::Value| told.as_array().unwrap().clone();
        let both = kept(&compared["releases"][0]["kept"]).into_iter().zip(kept(&report["kept"]));
        for (ours, run) in both {
            assert_eq!((&ours["part"], &ours["told"]), (&run["part"], &run["told"]), "{algorithm}");
            assert_eq!(ours["exclusive"], run["exclusive"], "{algorithm}");
        }
    }
}

#[test]
fn labels_without_their_hierarchy_and_other_forms_are_said() {
    let folder = Folder::with_people();
    let hierarchy = "--hierarchy zip=mask(from=right)";
    folder.succeed(&format!(
        "anonymize people.csv -o r.csv {ROLES} {hierarchy} -k 9 --algorithm datafly --seed 1"
    ));
    let compared = folder.report("compare r.csv r.csv --original people.csv");
    let remarks = compared["releases"][0]["remarks"].to_string();
    assert!(remarks.contains("labels of column 'zip' mean nothing"), "{remarks}");
    // Noise answers no questions: that is said, and its columns are compared by distribution.
    folder.succeed(
        "anonymize people.csv -o noise.csv --identifier name,person --qi age --keep sex,zip,pay \
         --sensitive disease --algorithm additive-noise --accept pay,zip,disease --seed 1",
    );
    let compared = folder.report("compare noise.csv noise.csv --original people.csv");
    let side = &compared["releases"][0];
    assert!(side["remarks"].to_string().contains("answers no questions"), "{side}");
    assert!(side.get("answers").is_none(), "{side}");
    assert_eq!(side["kept"][0]["part"], "age");
    assert!(side["remarks"].to_string().contains("mean-absolute-error isn't measured"), "{side}");
}

#[test]
fn baskets_are_compared_item_by_item() {
    let folder = Folder::new();
    folder.succeed("generate longtail --rows 400 -o b.dat");
    for k in [3, 40] {
        folder.succeed(&format!("anonymize b.dat --baskets lines -k {k} -o k{k}.dat --seed 1"));
    }
    let compared =
        folder.report("compare k3.dat k40.dat --original b.dat --original-baskets lines");
    let kept =
        |side: usize| compared["releases"][side]["metrics"]["instances-retained"].as_f64().unwrap();
    assert!(kept(0) > kept(1), "{compared}");
    let remarks = compared["releases"][0]["remarks"].to_string();
    assert!(remarks.contains("queries over subsets aren't answered"), "{remarks}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = Folder::with_people();
    releases(&folder);
    folder.write("few.csv", "name,person,age,sex,zip,disease,pay\na,b,30,f,10000,flu,1\n");
    for (words, code, message) in [
        ("compare fine.csv --original people.csv", 2, "2 values"),
        ("compare fine.csv coarse.csv", 2, "--original"),
        ("compare fine.csv coarse.csv --original few.csv", 2, "the release has 80 rows and its"),
        ("compare fine.csv coarse.csv --original people.csv --report c.txt", 2, "ends in .html"),
    ] {
        let outcome = folder.run(words);
        assert_eq!(outcome.code, code, "{words}\n{}", outcome.stderr);
        assert!(outcome.stderr.contains(message), "{words}\n{}", outcome.stderr);
    }
}

/// Every form is compared by something that is measured from its files, or says what it can't say.
#[test]
fn every_form_measures_something_from_its_files() {
    let folder = Folder::with_people();
    let sides = |words: &str| {
        let compared = folder.report(&format!("compare {words}"));
        compared["releases"].as_array().unwrap().clone()
    };
    let metric = |side: &serde_json::Value, name: &str| {
        side["metrics"][name].as_f64().unwrap_or_else(|| panic!("no {name} in {side}"))
    };
    let lost = |side: &serde_json::Value, part: &str| {
        let kept = side["kept"].as_array().unwrap();
        let found = kept.iter().find(|kept| kept["part"] == part);
        found.unwrap_or_else(|| panic!("no {part} in {side}"))["lost"].as_f64().unwrap()
    };

    // Buckets of a table: quasi values as they are, sensitive ones by group.
    for l in [2, 4] {
        folder.succeed(&format!(
            "anonymize people.csv -o l{l} --drop name,person,pay --qi age,sex,zip --sensitive \
             disease --algorithm anatomize --model l-diversity-distinct(l={l},on=disease)"
        ));
    }
    let found = sides("l2 l4 --original people.csv");
    assert_eq!(lost(&found[0], "age"), 0.0);
    assert!(lost(&found[0], "disease") < lost(&found[1], "disease"), "{found:?}");
    assert!(metric(&found[0], "groups") > metric(&found[1], "groups"));

    // Noise: the distribution of each column.
    for share in ["0.05", "2"] {
        folder.succeed(&format!(
            "anonymize people.csv -o n{share}.csv --identifier name,person --qi age --keep \
             sex,zip,pay --sensitive disease --algorithm additive-noise(share={share}) --accept \
             pay,zip,disease --seed 1"
        ));
    }
    let found = sides("n0.05.csv n2.csv --original people.csv");
    assert!(lost(&found[0], "age") < lost(&found[1], "age"), "{found:?}");
    assert!(metric(&found[1], "spread-kept") > 1.5, "{found:?}");

    // Baskets by bucket, by bitmap and generalized.
    folder.succeed("generate longtail --rows 300 -o b.dat");
    folder.succeed(
        "anonymize b.dat --baskets lines --sensitive-items 900,901 --model privacy-degree(p=4) -o \
         buckets",
    );
    let found = sides("buckets buckets --original b.dat --original-baskets lines");
    metric(&found[0], "query-error");
    assert!(found[0]["kept"].as_array().unwrap().iter().all(|kept| kept["lost"] == 0.0));
    for k in [2, 8] {
        folder.succeed(&format!(
            "anonymize b.dat --baskets lines --model nonreciprocal-k-anonymity(k={k}) -o maps{k}"
        ));
    }
    let found = sides("maps2 maps8 --original b.dat --original-baskets lines");
    assert!(metric(&found[0], "query-error") < metric(&found[1], "query-error"), "{found:?}");

    // Graphs, paths, documents and logs.
    folder.succeed("generate rmat --rows 600 -o g.txt");
    for k in [2, 20] {
        folder
            .succeed(&format!("anonymize g.txt --graph edges --model k-degree(k={k}) -o g{k}.txt"));
    }
    let found = sides("g2.txt g20.txt --original g.txt --original-graph edges");
    assert!(metric(&found[0], "degree-distribution") < metric(&found[1], "degree-distribution"));
    assert!(lost(&found[0], "degrees") <= lost(&found[1], "degrees"), "{found:?}");

    folder.succeed("generate city --rows 1600 -o city.csv");
    let layout = "points(id=person,place=place,time=hour)";
    for k in [2, 6] {
        folder.succeed(&format!(
            "anonymize city.csv --paths {layout} --sensitive ward --model \
             lkc-privacy(l=1,k={k},c=0.9) -o p{k}.csv"
        ));
    }
    let found = sides(&format!("p2.csv p6.csv --original city.csv --original-paths {layout}"));
    assert!(metric(&found[0], "points-kept") > metric(&found[1], "points-kept"), "{found:?}");

    folder.write("notes.jsonl", "{\"note\": \"Call 212-555-0123 or mail ada@example.org.\"}\n");
    folder.succeed("anonymize notes.jsonl --text field=note --detect phone -o one.jsonl");
    folder.succeed("anonymize notes.jsonl --text field=note --detect default -o two.jsonl");
    let found = sides("one.jsonl two.jsonl --original notes.jsonl");
    assert!(metric(&found[0], "words-kept") > metric(&found[1], "words-kept"), "{found:?}");

    folder.succeed("generate query-log --rows 600 -o log.csv");
    let layout = "log(user=user,query=query,time=time)";
    for k in [2, 6] {
        folder.succeed(&format!("anonymize log.csv --queries {layout} -k {k} -o s{k}.csv"));
    }
    let found = sides(&format!("s2.csv s6.csv --original log.csv --queries {layout}"));
    assert!(metric(&found[0], "readable-queries") > metric(&found[1], "readable-queries"));
}
