//! Pseudonyms in a draft that somebody changed: the verifier must refuse each change, and nothing
//! may get a name.

use std::path::Path;

use sfumato_core::ErrorKind;
use sfumato_core::observer::Unobserved;
use sfumato_engine::Job;
use sfumato_engine::pipeline::Tamper;

/// Change the first cells of two rows of a draft.
type Change = fn(&mut String, &mut String);

#[test]
fn changed_pseudonyms_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = String::from("id,age,ward\n");
    for i in 0..60 {
        rows += &format!("AB-{i:04},{},{}\n", 20 + (i * 7) % 40, ["flu", "gout"][i % 2]);
    }
    std::fs::write(folder.path().join("data.csv"), rows).unwrap();
    let changes: [(&str, Change); 3] = [
        ("a pseudonym is that of another record", std::mem::swap),
        ("a record has the pseudonym of another", |one, other| *one = other.clone()),
        ("a pseudonym is the identifier itself", |one, _| *one = "AB-0007".into()),
    ];
    for method in ["hash", "random", "format"] {
        let text = format!(
            "[input]\npath = \"data.csv\"\n[columns]\nid = {{ role = \"identifier\", as = \
             \"pseudonym(method={method})\" }}\nage = {{ role = \"quasi\" }}\nward = {{ role = \
             \"sensitive\" }}\n[privacy]\nmodels = [\"k-anonymity(k=3)\"]\n[output]\npath = \
             \"{method}.csv\"\npseudonyms = \"{method}.json\"\n[run]\nseed = 1\n"
        );
        let job = Job::parse(&text, "release.toml", folder.path()).unwrap();
        let entry = sfumato_kinds::RELEASES.of_job(&job).unwrap();
        for (name, change) in changes {
            let tamper = |path: &Path| {
                let text = std::fs::read_to_string(path).unwrap();
                let mut lines: Vec<Vec<String>> =
                    text.lines().map(|line| line.split(',').map(String::from).collect()).collect();
                let (left, right) = lines.split_at_mut(20);
                change(&mut left[5][0], &mut right[5][0]);
                let lines: Vec<String> = lines.iter().map(|line| line.join(",")).collect();
                std::fs::write(path, lines.join("\n") + "\n").unwrap();
                Ok(())
            };
            let ran = entry.run_tampered(&job, Tamper::Draft(&tamper), &Unobserved);
            let error = ran.err().unwrap_or_else(|| panic!("{method}: {name} passed"));
            assert_eq!(error.kind, ErrorKind::Internal, "{method}: {name}: {error}");
            for file in [format!("{method}.csv"), format!("{method}.json")] {
                assert!(!folder.path().join(&file).exists(), "{method}: {name} left {file}");
            }
        }
        entry.run(&job, &Unobserved).unwrap();
        assert!(folder.path().join(format!("{method}.json")).exists());
    }
}
