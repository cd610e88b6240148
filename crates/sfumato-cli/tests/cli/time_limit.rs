//! Time limits as a user meets them.

use crate::support::Folder;

const ASK: &str = "anonymize people.csv -o o.csv --qi age,zip,sex --sensitive disease --identifier \
    name,person,pay -k 4 --seed 1";

#[test]
fn a_tiny_limit_publishes_what_there_is() {
    let folder = Folder::with_people();
    let usual = folder.report(&format!("{ASK} --algorithm mondrian"));
    for limit in ["--time-limit 0s", "--set run.time_limit=0s"] {
        let report = folder.report(&format!("{ASK} --algorithm mondrian {limit}"));
        let warnings = report["warnings"].to_string();
        assert!(warnings.contains("stopped at its time limit of 0s"), "{warnings}");
        assert_eq!(report["classes"]["count"], 1);
        assert!(usual["classes"]["count"].as_u64() > Some(1));
        let guarantees = report["guarantees"].as_array().unwrap();
        assert!(!guarantees.is_empty() && guarantees.iter().all(|g| g["holds"] == true));
    }
    let job = folder.succeed(&format!("{ASK} --time-limit 30s --publish-on-interrupt --print-job"));
    assert!(job.stdout.contains("time_limit = \"30s\""), "{}", job.stdout);
    assert!(job.stdout.contains("on_interrupt = \"publish\""), "{}", job.stdout);
    folder.write("release.toml", job.stdout);
    let report = folder.report("run release.toml --time-limit 0s");
    assert!(report["warnings"].to_string().contains("time limit of 0s"));
}

#[test]
fn limits_that_cant_be_kept_or_read_are_refused() {
    let folder = Folder::with_people();
    let refused = folder.run(&format!("{ASK} --algorithm bottom-up --time-limit 0s"));
    assert_eq!(refused.code, 4, "{}", refused.stderr);
    assert!(refused.stderr.contains("time limit of 0s is over"), "{}", refused.stderr);
    assert!(refused.stderr.contains("hint: allow more time"), "{}", refused.stderr);
    for limit in ["--time-limit soon", "--set run.time_limit=30", "--set run.on_interrupt=wait"] {
        let refused = folder.run(&format!("{ASK} {limit}"));
        assert_eq!(refused.code, 2, "{limit}: {}", refused.stderr);
    }
    assert_eq!(folder.names(), ["people.csv"]);
}
