//! What can't be written stops a run before anything has its name: neither a release nor a manifest
//! nor a report is left, and old files stay.

use std::process::Stdio;

use crate::support::{Folder, ROLES};

#[cfg(unix)]
#[test]
fn a_report_that_is_no_file_is_refused() {
    let folder = Folder::with_people();
    for flag in ["--report", "--public-report", "--save-recoding"] {
        std::os::unix::fs::symlink("/dev/full", folder.path("full.json")).unwrap();
        let outcome =
            folder.run(&format!("anonymize people.csv -o out.csv {ROLES} -k 3 {flag} full.json"));
        assert_eq!(outcome.code, 5, "{}", outcome.stderr);
        assert!(outcome.stderr.contains("it isn't a regular file"), "{}", outcome.stderr);
        assert_eq!(folder.names(), ["full.json", "people.csv"]);
        std::fs::remove_file(folder.path("full.json")).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_report_in_a_folder_that_is_read_only_leaves_no_release() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::with_people();
    let sealed = folder.path("sealed");
    std::fs::create_dir(&sealed).unwrap();
    std::fs::set_permissions(&sealed, std::fs::Permissions::from_mode(0o555)).unwrap();
    if std::fs::write(sealed.join("probe"), "").is_ok() {
        eprintln!("skipped: this user may write to every folder");
        return;
    }
    let command = format!("anonymize people.csv -o out.csv {ROLES} -k 3 --report sealed/r.json");
    let outcome = folder.run(&command);
    assert_eq!(outcome.code, 5, "{}", outcome.stderr);
    assert_eq!(folder.names(), ["people.csv", "sealed"]);
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_is_full_takes_the_report_back() {
    let folder = Folder::with_people();
    let run = || {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        std::process::Command::new(env!("CARGO_BIN_EXE_sfumato"))
            .current_dir(folder.path(""))
            .args(format!("anonymize people.csv -o - {ROLES} -k 3 --report r.json").split(' '))
            .stdin(Stdio::null())
            .stdout(full)
            .output()
            .unwrap()
    };
    let outcome = run();
    let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert_eq!(outcome.status.code(), Some(4), "{said}");
    assert_eq!(folder.names(), ["people.csv"]);
    folder.write("r.json", "an old report");
    assert_eq!(run().status.code(), Some(4));
    assert_eq!(folder.text("r.json"), "an old report");
    assert_eq!(folder.names(), ["people.csv", "r.json"]);
}
