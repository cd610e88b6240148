//! Logs of queries and randomized baskets from the command line: what is promised holds and is
//! audited, what promises nothing says so, and hashes are undone.

use crate::support::Folder;

const LAYOUT: &str = "--queries log(user=user,query=query,time=time)";

/// A folder with two logs of the same language.
fn logs() -> Folder {
    let folder = Folder::new();
    for (seed, name) in [(1, "log.csv"), (2, "other.csv")] {
        let kind = "query-log(users=400,topics=8,words=8)";
        folder.succeed(&format!("generate {kind} --rows 6000 --seed {seed} -o {name}"));
    }
    folder
}

#[test]
fn only_what_k_people_asked_can_be_read() {
    let folder = logs();
    let report = folder.report(&format!("anonymize log.csv {LAYOUT} -k 5 -o shared.csv --seed 1"));
    assert_eq!(report["evidence"], "by-construction", "{}", report["evidence"]);
    assert_eq!(report["guarantees"][0]["holds"], true);
    let log = &report["log"];
    let readable = log["readable_queries"].as_u64().unwrap();
    assert!(readable > 10 && readable < log["queries"].as_u64().unwrap(), "{log}");
    // Nothing of a text is in the file.
    let text = std::fs::read_to_string(folder.path("shared.csv")).unwrap();
    assert!(!text.contains("topic") && !text.contains("own"));
    folder.succeed("audit shared.csv -k 5");
    folder.succeed(&format!("audit shared.csv -k 5 --original log.csv {LAYOUT}"));
    assert_eq!(folder.run("audit shared.csv -k 50").code, 3);
    let asked = ["query", "shared.csv", "count where topic0word0", "--json"];
    let found = folder.run_arguments(&asked, &[]).stdout;
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    assert!(found["answers"][0]["estimate"].as_u64().unwrap() >= 5, "{found}");
    // Without a k nothing is promised, and nothing is written.
    let nothing = folder.run(&format!("anonymize log.csv {LAYOUT} -o none.csv"));
    assert_eq!(nothing.code, 2, "{}", nothing.stderr);
}

#[test]
fn what_promises_nothing_says_so_and_hashes_are_undone() {
    let folder = logs();
    for (algorithm, name) in [("token-hashing", "h.csv"), ("split-personality", "p.csv")] {
        let run = format!("anonymize log.csv {LAYOUT} --algorithm {algorithm} -o {name} --seed 1");
        let report = folder.report(&run);
        assert_eq!(report["evidence"], "no-promise", "{algorithm}");
        folder.succeed(&format!("audit {name}"));
        let judged = folder.run(&format!("audit {name} -k 2"));
        assert_eq!(judged.code, 2, "{}", judged.stderr);
    }
    let known = "--population other.csv --attack token-hash-inversion(most=60)";
    let attack = format!("attack h.csv --original log.csv {LAYOUT} {known} --json");
    let learnt: serde_json::Value = serde_json::from_str(&folder.succeed(&attack).stdout).unwrap();
    let played = &learnt["attacks"][0];
    assert_eq!(played["attack"], "token-hash-inversion");
    assert!(played["rate"].as_f64().unwrap() > 0.25, "{played}");
    let strict = folder.run(&format!("{attack} --max-rate 0.01"));
    assert_eq!(strict.code, 3, "{}", strict.stderr);
}

#[test]
fn a_log_is_read_as_sets_of_terms() {
    let folder = logs();
    let layout = "--baskets queries(user=user,query=query,drop=[time])";
    let model = "--model km-anonymity(k=5,m=2)";
    let report = folder.report(&format!("anonymize log.csv {layout} {model} -o terms.dat"));
    assert_eq!(report["guarantees"][0]["holds"], true);
    folder.succeed(&format!("audit terms.dat --baskets lines {model}"));
}

#[test]
fn random_sets_hold_by_construction_and_supports_are_recovered() {
    let folder = Folder::new();
    let lines: String = (0..4000).map(|i| format!("a{} b{} c\n", i % 3, i % 5)).collect();
    folder.write("baskets.dat", lines);
    let model = "--model rho1-rho2-breach(rho1=0.05,rho2=0.5)";
    let run = format!("anonymize baskets.dat --baskets lines {model} -o random.dat --seed 1");
    let report = folder.report(&run);
    assert_eq!(report["evidence"], "by-construction");
    assert!(report["guarantees"][0]["achieved"].as_f64().unwrap() < 19.0);
    folder.succeed(&format!("audit random.dat {model}"));
    let stricter = "--model rho1-rho2-breach(rho1=0.05,rho2=0.3)";
    assert_eq!(folder.run(&format!("audit random.dat {stricter}")).code, 3);
    let of_original = ["--original", "baskets.dat", "--original-baskets", "lines"];
    let asked = [&["query", "random.dat", "count where c", "--json"], &of_original[..]].concat();
    let found = folder.run_arguments(&asked, &[]);
    let found: serde_json::Value =
        serde_json::from_str(&found.stdout).unwrap_or_else(|_| panic!("{}", found.stderr));
    let answer = &found["answers"][0];
    assert_eq!(answer["truth"], 4000);
    assert!(answer["relative_error"].as_f64().unwrap().abs() < 0.25, "{answer}");
}
