//! The private report has the keys of the contract and only its owner can read it; the public
//! report says nothing about the input.

use crate::support::{Folder, ROLES};

#[test]
fn the_private_report_has_the_keys_of_the_contract() {
    let folder = Folder::with_people();
    let printed = folder.report(&format!(
        "anonymize people.csv -o out.csv {ROLES} -k 3 --seed 4 --report \
             report.json"
    ));
    let report: serde_json::Value = serde_json::from_str(&folder.text("report.json")).unwrap();
    assert_eq!(printed, report, "--json prints what --report writes");
    for path in [
        "/input/rows",
        "/input/columns",
        "/input/bytes",
        "/input/sha256",
        "/job",
        "/seed",
        "/version",
        "/algorithm",
        "/guarantees/0/model",
        "/guarantees/0/params",
        "/guarantees/0/required",
        "/guarantees/0/achieved",
        "/guarantees/0/holds",
        "/classes/count",
        "/classes/min",
        "/classes/mean",
        "/classes/max",
        "/suppressed/records",
        "/suppressed/cells",
        "/metrics/ncp",
        "/risks/prosecutor_max",
        "/evidence",
        "/timings_ms/read",
        "/timings_ms/encode",
        "/timings_ms/plan",
        "/timings_ms/anonymize",
        "/timings_ms/verify",
        "/timings_ms/measure",
        "/timings_ms/write",
        "/timings_ms/total",
        "/peak_rss_bytes",
        "/output/path",
        "/output/rows",
        "/output/sha256",
    ] {
        assert!(
            report.pointer(path).is_some_and(|value| !value.is_null()),
            "no {path} in {report}"
        );
    }
    assert_eq!(report["input"]["rows"], 80);
    assert_eq!(report["input"]["columns"], 7);
    assert_eq!(report["input"]["bytes"].as_u64(), Some(folder.bytes("people.csv").len() as u64));
    assert_eq!(report["output"]["rows"], 80);
    assert_eq!(report["guarantees"][0]["required"], 3);
    assert!(report["guarantees"][0]["achieved"].as_u64() >= Some(3));
    assert!(report["warnings"].to_string().contains("not for release"), "a seed is warned about");
    assert_eq!(report["job"]["privacy"]["models"][0], "k-anonymity(k=3)");
    let total = report["timings_ms"]["total"].as_f64().unwrap();
    let parts: f64 = ["read", "encode", "plan", "anonymize", "verify", "measure", "write"]
        .iter()
        .map(|part| report["timings_ms"][*part].as_f64().unwrap())
        .sum();
    assert!(parts <= total * 1.01 + 1.0, "{parts} of {total}");
}

#[test]
fn hashes_are_those_of_the_files() {
    let folder = Folder::with_people();
    let report = folder.report(&format!("anonymize people.csv -o out.csv {ROLES} -k 3"));
    // The audit hashes the file that it reads, on its own.
    let audit =
        |file: &str| folder.report(&format!("audit {file} --qi age,sex,zip"))["sha256"].clone();
    assert_eq!(report["output"]["sha256"], audit("out.csv"));
    assert_eq!(report["input"]["sha256"], audit("people.csv"));
    assert_eq!(report["output"]["sha256"].as_str().map(str::len), Some(64));
}

#[cfg(unix)]
#[test]
fn private_files_are_for_their_owner() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = Folder::with_people();
    folder.succeed(&format!(
        "anonymize people.csv -o out.csv {ROLES} -k 3 --report r.json --public-report p.json \
             --save-recoding c.json"
    ));
    let mode =
        |name: &str| std::fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("r.json"), mode("c.json")), (0o600, 0o600));
    // The release and its public report are as open as any new file.
    assert_eq!((mode("out.csv"), mode("p.json")), (mode("people.csv"), mode("people.csv")));
}

#[test]
fn the_public_report_tells_nothing_of_the_input() {
    let folder = Folder::with_people();
    std::fs::rename(folder.path("people.csv"), folder.path("secretly-named.csv")).unwrap();
    let report = folder.report(&format!(
        "anonymize secretly-named.csv -o out.csv {ROLES} -k 3 --seed 987654321 --public-report \
            p.json"
    ));
    folder.succeed(&format!(
        "anonymize secretly-named.csv -o out.csv {ROLES} -k 3 --seed 987654321 --report r.html \
             --public-report p.html"
    ));
    let sha = report["input"]["sha256"].as_str().unwrap();
    let total = report["input"]["bytes"].to_string();
    for name in ["p.json", "p.html"] {
        let text = folder.text(name);
        for secret in ["secretly-named", "987654321", sha, &total, "Name 1", "P17"] {
            assert!(!text.contains(secret), "{secret} in {name}");
        }
        assert!(
            text.contains(report["output"]["sha256"].as_str().unwrap()),
            "{name} names the release by its hash"
        );
        assert!(text.contains("k-anonymity"), "{name}");
    }
    let public: serde_json::Value = serde_json::from_str(&folder.text("p.json")).unwrap();
    assert_eq!(public["guarantees"][0]["holds"], true);
    assert!(
        public.get("input").is_none()
            && public.get("seed").is_none()
            && public.get("job").is_none()
    );
    let private = folder.text("r.html");
    assert!(
        private.contains("secretly-named.csv") && private.contains("987654321"),
        "the private one has all"
    );
}
