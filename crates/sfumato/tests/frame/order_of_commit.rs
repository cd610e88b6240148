//! A release gets its name last: when a report can't be written, nothing new is left and what was
//! there before stays.

use std::collections::BTreeMap;
use std::path::Path;

use sfumato_core::ErrorKind;
use sfumato_core::observer::Unobserved;
use sfumato_engine::pipeline::Tamper;

use crate::samples;

/// Every file below a folder, with its bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => {
                found.insert(path.display().to_string(), std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

#[test]
fn a_report_that_cant_be_written_leaves_everything_as_it_was() {
    for entry in samples::all() {
        let folder = tempfile::tempdir().unwrap();
        let sub = folder.path().join("reports");
        for mut sample in samples::of(entry, folder.path()) {
            sample.job.set("output", "report", "private.json");
            sample.job.set("output", "public_report", "reports/public.json");
            // Where each region is one record's there is no recoding to save.
            if sample.name.starts_with("table generalized") && !sample.name.contains("matches") {
                sample.job.set("output", "recoding", "recoding.json");
            }
            // The folder of one report vanishes after everything was checked and before any report
            // is written.
            let vanish = |_: &Path| {
                std::fs::remove_dir_all(&sub).unwrap();
                Ok(())
            };
            let fail = || {
                std::fs::create_dir_all(&sub).unwrap();
                let error = entry
                    .run_tampered(&sample.job, Tamper::Draft(&vanish), &Unobserved)
                    .unwrap_err();
                assert_eq!(error.kind, ErrorKind::Io, "{}: {error}", sample.name);
                assert_eq!(error.message, "there is no such folder", "{}: {error}", sample.name);
            };
            let before = files(folder.path());
            fail();
            assert_eq!(files(folder.path()), before, "{}: something was left", sample.name);
            // The same with an earlier release in place.
            std::fs::create_dir_all(&sub).unwrap();
            entry.run(&sample.job, &Unobserved).unwrap();
            std::fs::remove_file(sub.join("public.json")).unwrap();
            let earlier = files(folder.path());
            assert!(earlier.len() >= before.len() + 3, "{}", sample.name);
            fail();
            assert_eq!(files(folder.path()), earlier, "{}: an old file changed", sample.name);
            for path in earlier.keys().filter(|path| !before.contains_key(*path)) {
                std::fs::remove_file(path).unwrap();
            }
            let _ = std::fs::remove_dir_all(folder.path().join("release"));
        }
    }
}

#[test]
fn a_rename_that_fails_takes_the_others_back() {
    for entry in samples::all() {
        let folder = tempfile::tempdir().unwrap();
        for mut sample in samples::of(entry, folder.path()) {
            sample.job.set("output", "report", "private.json");
            let before = files(folder.path());
            let release = sample.job.get("output", "path").unwrap().as_str().unwrap();
            let release = folder.path().join(release);
            // Somebody puts a folder with something in it where the release will be.
            let occupy = |_: &Path| {
                std::fs::create_dir(&release).unwrap();
                std::fs::write(release.join("other"), "x").unwrap();
                Ok(())
            };
            assert!(entry.run_tampered(&sample.job, Tamper::Draft(&occupy), &Unobserved).is_err());
            std::fs::remove_dir_all(&release).unwrap();
            assert_eq!(files(folder.path()), before, "{}: something was left", sample.name);
        }
    }
}
