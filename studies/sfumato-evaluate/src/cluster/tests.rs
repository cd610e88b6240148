//! Tests on tables with obvious clusters: what is separated stays separate, and labels are never
//! published.

use sfumato_core::dataset::Role;
use sfumato_core::observer::Unobserved;

use super::*;
use sfumato_table::data::encode::encode;
use sfumato_table::data::read::read;
use sfumato_table::job::Job;

/// Two groups of people that differ in age and job. Towns come evenly in both, so that they tell
/// nothing.
fn write_people(folder: &std::path::Path, n: u32) {
    let mut text = String::from("age,job,town,class\n");
    for i in 0..n {
        let (age, job) =
            if i % 2 == 0 { (20 + i / 2 % 7, "cook") } else { (60 + i / 2 % 9, "judge") };
        text += &format!("{age},{job},{},{}\n", ["here", "there"][(i / 2 % 2) as usize], i % 3);
    }
    std::fs::write(folder.join("people.csv"), text).unwrap();
}

fn job(folder: &std::path::Path, k: u64) -> Job {
    let text = format!(
        "[input]\npath = \"people.csv\"\n[columns]\nage = {{ role = \"quasi\" }}\njob = {{ role \
            = \"quasi\" }}\n\
         town = {{ role = \"quasi\" }}\nclass = {{ role = \"target\" }}\n[privacy]\nmodels = \
         [\"k-anonymity(k={k})\"]\n\
         [workload]\ntasks = [\"classification(target=class)\"]\n[output]\npath = \"release.csv\"\n\
         report = \"report.json\"\n"
    );
    Job::parse(&text, "release.toml", folder).unwrap()
}

fn settings(algorithms: &[&str]) -> Settings {
    Settings {
        clusters: vec![2],
        algorithms: algorithms.iter().map(ToString::to_string).collect(),
        ..Settings::default()
    }
}

#[test]
fn obvious_clusters_survive() {
    let folder = tempfile::tempdir().unwrap();
    write_people(folder.path(), 80);
    let study = cluster(&job(folder.path(), 4), &settings(&[]), &Unobserved).unwrap();
    let number = &study.numbers[0];
    assert_eq!(number.sizes, [40, 40]);
    assert_eq!((number.again.f_measure, number.again.match_point), (1.0, 1.0));
    let told: Vec<_> = number.arms.iter().filter(|arm| arm.labelled).collect();
    assert_eq!(told.len(), 2, "{number:?}");
    for arm in told {
        let figures = arm.figures.as_ref().unwrap();
        assert_eq!((figures.alike.f_measure, figures.alike.match_point), (1.0, 1.0), "{arm:?}");
        assert_eq!((figures.clusters, figures.compared, figures.suppressed), (2, 80, 0));
    }
    assert!(
        study.notes.iter().any(|note| note.contains("class is published as it is")),
        "{:?}",
        study.notes
    );
    assert!(study.notes.iter().any(|note| note.contains("workload isn't looked at")));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is written");
}

#[test]
fn one_class_has_one_cluster_and_too_much_is_infeasible() {
    let folder = tempfile::tempdir().unwrap();
    write_people(folder.path(), 40);
    let study = cluster(&job(folder.path(), 40), &settings(&["mondrian"]), &Unobserved).unwrap();
    let figures = study.numbers[0].arms[0].figures.as_ref().unwrap();
    // Two clusters of 20 in one: F is 2 * 20 / (20 + 40), half of the pairs agree.
    assert_eq!((figures.clusters, figures.alike.match_point), (1, 0.5));
    assert!((figures.alike.f_measure - 2.0 / 3.0).abs() < 1e-12);
    assert!(
        study.notes.iter().any(|note| note.contains("decides the same for 2 clusters")),
        "{:?}",
        study.notes
    );
    let study = cluster(&job(folder.path(), 41), &settings(&["mondrian"]), &Unobserved).unwrap();
    assert!(
        !study.is_feasible() && study.numbers[0].arms.iter().all(|arm| arm.infeasible.is_some())
    );
}

#[test]
fn labels_are_the_only_target_of_the_search_and_of_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    write_people(folder.path(), 40);
    let job = job(folder.path(), 4);
    let table = encode(&job, read(&job, &Unobserved).unwrap()).unwrap().table;
    let labels: Vec<u32> = (0..40).map(|row| row % 3).collect();
    let (labelled, workload) = labelled::with_labels(&table, &labels).unwrap();
    let targets: Vec<&str> =
        labelled.of_role(Role::Target).map(|column| column.name.as_str()).collect();
    assert_eq!(targets, ["cluster"]);
    assert_eq!(
        (workload.targets[0].column, workload.targets[0].features.clone()),
        (4, vec![0, 1, 2])
    );
    assert_eq!(table.columns.len() + 1, labelled.columns.len());
    assert_eq!(table.quasi().len(), labelled.quasi().len());
    let mut clash = table.clone();
    clash.columns[2].name = "cluster".into();
    let (labelled, _) = labelled::with_labels(&clash, &labels).unwrap();
    assert_eq!(labelled.columns[4].name, "cluster_");
}

#[test]
fn the_release_is_what_was_compared_and_has_no_labels() {
    let folder = tempfile::tempdir().unwrap();
    write_people(folder.path(), 80);
    let (job, settings) = (job(folder.path(), 4), settings(&["auto", "top-down-refinement"]));
    let study = cluster(&job, &settings, &Unobserved).unwrap();
    for arm in &study.numbers[0].arms {
        let report = release(&job, &settings, 2, arm, &Unobserved).unwrap();
        assert!(report.guarantees.iter().all(|guarantee| guarantee.holds));
        let text = std::fs::read_to_string(folder.path().join("release.csv")).unwrap();
        assert_eq!(text.lines().next(), Some("age,job,town,class"), "no column was added");
        assert_eq!(text.lines().count(), 81);
        let mut seen: Vec<&str> =
            text.lines().skip(1).filter_map(|line| Some(line.rsplit_once(',')?.0)).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len() as u64, arm.figures.as_ref().unwrap().classes, "{arm:?}");
        let written = std::fs::read_to_string(folder.path().join("report.json")).unwrap();
        assert_eq!(written.contains("keep 2 clusters of the quasi columns apart"), arm.labelled);
    }
    let chosen = study.numbers[0].arms[0].chosen.as_deref();
    assert_eq!((study.numbers[0].arms[0].labelled, chosen), (true, Some("mondrian")));
}

#[test]
fn columns_weigh_alike_whatever_their_unit() {
    let folder = tempfile::tempdir().unwrap();
    write_people(folder.path(), 80);
    let job = job(folder.path(), 4);
    let table = encode(&job, read(&job, &Unobserved).unwrap()).unwrap().table;
    let matrix = matrix_of_original(&table).unwrap();
    assert_eq!((matrix.n_rows(), matrix.n_columns()), (80, 3));
    let spread = |j: usize| {
        let column = matrix.column(j);
        let mean = column.iter().sum::<f64>() / 80.0;
        column.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 80.0
    };
    // A number has variance 1; two equally frequent words have 1 - 1/2.
    assert!(
        (spread(0) - 1.0).abs() < 1e-9
            && (spread(1) - 0.5).abs() < 1e-9
            && (spread(2) - 0.5).abs() < 1e-9
    );
}

#[test]
fn mistakes_are_named() {
    let of = |change: fn(&mut Settings)| {
        let mut wrong = settings(&[]);
        change(&mut wrong);
        wrong.check().err().map(|error| error.message).unwrap_or_default()
    };
    assert!(of(|s| s.clusters = vec![1]).contains("at least 2 clusters"));
    assert!(of(|s| s.clusters = vec![3, 3]).contains("twice"));
    assert!(of(|s| s.clusters.clear()).contains("no number of clusters"));
    assert!(of(|s| s.clusterer = "k-moans".into()).contains("k-moans"));
    assert!(of(|s| s.clusterer = "k-means(k=3)".into()).contains("given apart"));
    assert!(of(|s| s.algorithms = vec!["mondrain".into()]).contains("mondrain"));
    assert!(of(|s| s.algorithms = vec!["peel".into(), "peel".into()]).contains("given twice"));
}

#[test]
fn another_clusterer_of_the_recipient_is_used_and_said() {
    let folder = tempfile::tempdir().unwrap();
    write_people(folder.path(), 80);
    let job = job(folder.path(), 4);
    let same = cluster(&job, &settings(&["mondrian"]), &Unobserved).unwrap();
    let other = Settings { recipient: Some("k-medoids".into()), ..settings(&["mondrian"]) };
    let found = cluster(&job, &other, &Unobserved).unwrap();
    assert_eq!(found.recipient.as_deref(), Some("k-medoids"));
    // The original is clustered as before.
    assert_eq!(found.numbers[0].sizes, same.numbers[0].sizes);
    let wrong = Settings { recipient: Some("k-meanies".into()), ..settings(&["mondrian"]) };
    assert!(cluster(&job, &wrong, &Unobserved).is_err());
}

#[test]
fn a_supplement_tells_clusters_by_class_and_no_record() {
    let folder = tempfile::tempdir().unwrap();
    write_people(folder.path(), 80);
    let found = study(&job(folder.path(), 4), &settings(&["mondrian"]), &Unobserved).unwrap();
    let [supplement] = &found.supplements[..] else { panic!("one number, one supplement") };
    let best = found.study.numbers[0].best.unwrap();
    let arm = &found.study.numbers[0].arms[best];
    assert_eq!(supplement.similarity, arm.figures.as_ref().unwrap().alike);
    let sums: Vec<u64> = (0..2)
        .map(|cluster| supplement.classes.iter().map(|c| c.records_of_cluster[cluster]).sum())
        .collect();
    assert_eq!(sums, [40, 40]);
    for class in &supplement.classes {
        assert!(class.records_of_cluster.iter().sum::<u64>() >= 4, "{class:?}");
        for (place, column) in ["age", "job", "town"].iter().enumerate() {
            assert!(supplement.solution[*column].contains(&class.cells[place]));
        }
    }
}
