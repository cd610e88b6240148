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
    // Noise answers no questions: that is said, and nothing is counted as kept.
    folder.succeed(
        "anonymize people.csv -o noise.csv --identifier name,person --qi age --keep sex,zip,pay \
         --sensitive disease --algorithm additive-noise --accept pay,zip,disease --seed 1",
    );
    let compared = folder.report("compare noise.csv noise.csv --original people.csv");
    let side = &compared["releases"][0];
    assert!(side["remarks"].to_string().contains("answers no questions"), "{side}");
    assert!(side.get("answers").is_none() && side["kept"].as_array().unwrap().is_empty());
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
