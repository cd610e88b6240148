//! `sfumato collaborate`: the dry run, what init makes, and what is refused.

use crate::support::Folder;

/// A clinic and an insurer who know the same forty people.
fn holders() -> Folder {
    let folder = Folder::new();
    let (mut clinic, mut insurer) = (String::from("id,age,ill\n"), String::from("id,pay,ill\n"));
    for i in 0..40 {
        let ill = ["flu", "cough"][usize::from(i % 20 > 9)];
        clinic += &format!("p{i},{},{ill}\n", 20 + i % 20);
        insurer += &format!("p{},{},{}\n", 39 - i, 100 * ((39 - i) % 7), {
            ["flu", "cough"][usize::from((39 - i) % 20 > 9)]
        });
    }
    for (name, table, column) in [("clinic", clinic, "age"), ("insurer", insurer, "pay")] {
        std::fs::create_dir(folder.path(name)).unwrap();
        folder.write(&format!("{name}/table.csv"), table);
        folder.write(
            &format!("{name}/holder.toml"),
            format!(
                "[holder]\nname = \"{name}\"\n[input]\npath = \"table.csv\"\n[columns]\n\
                 id = {{ role = \"identifier\" }}\n{column} = {{ role = \"quasi\" }}\n\
                 ill = {{ role = \"target\" }}\n"
            ),
        );
    }
    folder.write(
        "JOB.toml",
        "[collaboration]\npartitioned = \"vertical\"\nid = \"id\"\ntarget = \"ill\"\n\
         [[holder]]\nname = \"clinic\"\nfile = \"clinic/holder.toml\"\n\
         [[holder]]\nname = \"insurer\"\nfile = \"insurer/holder.toml\"\n\
         [privacy]\nmodels = [\"k-anonymity(k=4)\"]\n[output]\npath = \"release.csv\"\n\
         report = \"report.json\"\n",
    );
    folder
}

#[test]
fn a_dry_run_releases_what_holds() {
    let folder = holders();
    let outcome = folder.run("collaborate run JOB.toml --dry-run");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("holds      k-anonymity"), "{}", outcome.stderr);
    assert_eq!(folder.text("release.csv").lines().count(), 41);
    assert!(!folder.text("release.csv").contains("p1"));
    let audit = folder.report("audit release.csv --qi age,pay --model k-anonymity(k=4)");
    assert_eq!(audit["holds"], true, "{audit}");
    let report: serde_json::Value = serde_json::from_str(&folder.text("report.json")).unwrap();
    assert_eq!(report["records"], 40);
    assert!(report["messages"].as_u64().unwrap() > 0);
    // What is there already isn't replaced without a word.
    assert_eq!(folder.run("collaborate run JOB.toml --dry-run").code, 2);
    assert_eq!(folder.run("collaborate run JOB.toml --dry-run --force").code, 0);
}

#[test]
fn what_cannot_hold_is_refused_and_nothing_written() {
    let folder = holders();
    folder.write("JOB.toml", folder.text("JOB.toml").replace("k=4", "k=41"));
    let outcome = folder.run("collaborate run JOB.toml --dry-run");
    assert_eq!(outcome.code, 3, "{}", outcome.stderr);
    assert!(!folder.path("release.csv").exists());
    // Without daemons there is nobody to ask.
    let outcome = folder.run("collaborate run JOB.toml");
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("--dry-run needs none"), "{}", outcome.stderr);
}

#[test]
fn init_makes_what_a_holder_needs_and_replaces_nothing() {
    let folder = holders();
    let words = "collaborate init bank --data clinic/table.csv --listen 127.0.0.1:0";
    let outcome = folder.run(words);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let made = folder.text("bank/holder.toml");
    for words in ["name = \"bank\"", "age = { role = \"identifier\" } # CHECK", "min_k = 2"] {
        assert!(made.contains(words), "{made}");
    }
    assert!(folder.text("bank/certificate.pem").contains("BEGIN CERTIFICATE"));
    let key = folder.text("bank/key.pem");
    assert_eq!(folder.run(words).code, 2);
    assert_eq!(folder.text("bank/key.pem"), key);
    // Nobody else's certificate is there, so that there is nobody to talk to.
    let outcome = folder.run("collaborate serve bank");
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("nobody's certificate"), "{}", outcome.stderr);
}
