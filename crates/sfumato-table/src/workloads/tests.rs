//! Tests how tasks are bound, and what is refused.

use sfumato_core::column::Codes;
use sfumato_core::dataset::{Column, Domain, Hierarchy, Missing, Role, Table, ValueKind};
use sfumato_core::workload::{Statistic, TargetKind};

use crate::workloads::bind;

fn column(name: &str, role: Role, values: &[&str], codes: &[u8]) -> Column {
    let kind = ValueKind::infer(values.iter().copied());
    let keys = values.iter().filter_map(|value| kind.parse(value)).collect();
    let domain = Domain { kind, labels: values.iter().collect(), keys };
    let hierarchy = (role == Role::Quasi && !kind.is_ordered())
        .then(|| Hierarchy::flat(domain.len(), &domain.texts()).unwrap());
    Column {
        name: name.into(),
        role,
        codes: Codes::U8(codes.to_vec()),
        domain,
        hierarchy,
        weight: 1.0,
        missing: Missing::Value,
        missing_text: String::new(),
        native_type: None,
    }
}

fn table() -> Table {
    Table {
        n_rows: 3,
        columns: vec![
            column("age", Role::Quasi, &["20", "30", "40"], &[0, 1, 2]),
            column("smoker", Role::Keep, &["no", "yes"], &[0, 1, 0]),
            column("sex", Role::Quasi, &["f", "m"], &[0, 1, 0]),
            column("class", Role::Target, &["A", "B"], &[0, 1, 1]),
            column("income", Role::Sensitive, &["1000", "2500.5"], &[0, 1, 1]),
        ],
        subject: None,
    }
}

fn refused(task: &str) -> String {
    bind(&[task.to_string()], &table()).unwrap_err().message
}

#[test]
fn tasks_are_bound_to_columns() {
    let tasks = [
        "classification(target=class)",
        "regression(target=income, features=[sex, smoker], weight=2)",
        "selection(where=\"age >= 30 and sex = m\")",
        "aggregation(column=age)",
        "projection(columns=[sex])",
    ]
    .map(String::from);
    let workload = bind(&tasks, &table()).unwrap();
    assert_eq!(workload.targets.len(), 2);
    assert_eq!((workload.targets[0].column, workload.targets[0].kind), (3, TargetKind::Classes));
    assert_eq!(workload.targets[0].features, [0, 2]);
    assert!(workload.targets[0].uses_quasi(&table(), 1));
    let regression = &workload.targets[1];
    assert_eq!(
        (regression.column, regression.kind, regression.weight),
        (4, TargetKind::Numbers, 2.0)
    );
    assert_eq!(regression.features, [1, 2]);
    assert_eq!(regression.other_features(&table()), [1]);
    assert!(!regression.uses_quasi(&table(), 0) && regression.uses_quasi(&table(), 1));
    assert_eq!(workload.selections[0].intervals, [Some(1..3), Some(1..2)]);
    assert!(workload.selections[0].contains([2, 1].into_iter()));
    assert!(
        !workload.selections[0].contains([3, 1].into_iter()),
        "missing isn't selected by a bound"
    );
    let kinds: Vec<Statistic> = workload.statistics.iter().map(|s| s.statistic).collect();
    assert_eq!(kinds, [Statistic::Range, Statistic::Mean]);
    assert_eq!(workload.projections, [[1]]);
    assert!(bind(&[], &table()).unwrap().is_empty());
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (task, words) in [
        ("classify(target=class)", "there is no workload 'classify'"),
        ("classification(target=clas)", "there is no column 'clas'"),
        ("classification(target=age)", "is a quasi column"),
        ("classification(target=class, features=[class, age])", "a target and a feature"),
        ("classification(target=class, features=[smoker])", "none of the features"),
        ("regression(target=class)", "isn't a number but text"),
        ("regression(target=income, weight=0)", "weight"),
        ("selection(where=\"smoker = yes\")", "isn't a quasi column"),
        ("selection(where=\"age >= old\")", "isn't a value of column 'age'"),
        ("selection(where=\"sex >= m\")", "can't be compared"),
        ("aggregation(column=sex)", "isn't a number"),
        ("aggregation(column=age, statistics=median)", "no statistic 'median'"),
        ("aggregation(column=income)", "has the role sensitive"),
        ("projection(columns=[smoker])", "has the role keep"),
    ] {
        let message = refused(task);
        assert!(message.contains(words), "{task}: {message}");
    }
}
