//! `--memory 64MiB`, the least that can be promised, is enough for small files with both engines
//! that divide them on disk, however wide they are and however many threads there are.

use crate::support::Folder;

/// Records of forty columns, and what is asked of them.
fn wide(folder: &Folder) -> String {
    let columns: Vec<String> = (0..40).map(|column| format!("c{column}")).collect();
    let mut text = columns.join(",") + ",disease\n";
    for row in 0..400u32 {
        let cell = |column: u32| match column % 2 {
            0 => format!("w{}", (row * 7 + column * 11) % 8),
            _ => ((row * 13 + column * 5) % 10).to_string(),
        };
        let cells: Vec<String> = (0..40).map(cell).collect();
        text += &format!("{},d{}\n", cells.join(","), row % 7);
    }
    folder.write("wide.csv", text);
    let names = columns.join(",");
    format!("wide.csv --qi {names} --accept {names} --sensitive disease -k 5")
}

#[test]
fn small_files_are_divided_within_the_least_memory() {
    let folder = Folder::new();
    let wide = wide(&folder);
    let mut few = String::from("age,zip,disease\n");
    (0..30).for_each(|i| few += &format!("{},{},d{}\n", 20 + i % 9, 1000 + i % 4, i % 3));
    folder.write("few.csv", few);
    let few = "few.csv --qi age,zip --sensitive disease -k 5".to_string();
    for data in [wide, few] {
        for engine in ["tree", "sample"] {
            let mut releases = Vec::new();
            for threads in [1, 2, 32] {
                let out = format!("{engine}{threads}.csv");
                folder.succeed(&format!(
                    "anonymize {data} -o {out} --seed 1 --force --engine {engine} --memory 64MiB \
                        --threads {threads}"
                ));
                releases.push(folder.text(&out));
            }
            assert!(releases[0].lines().count() > 5, "{engine}");
            assert!(releases.iter().all(|release| *release == releases[0]), "{engine}: {data}");
        }
    }
}
