//! Domains, marginals and the correlation are as the documentation says.

use sfumato_core::FastSet;

use super::*;
use crate::tests::{counts, parse, rows_of, text_of};

/// Compares every value's share with the stated probability, within six standard errors.
fn assert_marginals(call: &str, pattern: &[Domain]) {
    let n = 200_000;
    let text = text_of(call, n, 21);
    let rows = rows_of(&text);
    for (column, domain) in pattern.iter().enumerate() {
        let counts = counts(&rows, column);
        let (d, p) = (f64::from(domain.values.len()), f64::from(domain.half_powers) / 2.0);
        let mut seen = 0;
        for code in 0..domain.values.len() {
            let i = f64::from(code);
            let probability = ((i + 1.0) / d).powf(1.0 / p) - (i / d).powf(1.0 / p);
            let expected = probability * n as f64;
            let count = counts.get(domain.values.ancestors(code)[0].as_str()).copied().unwrap_or(0);
            seen += count;
            let off = (count as f64 - expected).abs();
            assert!(
                off < 6.0 * expected.sqrt() + 3.0,
                "{call} {}: {code} x {count}, not {expected}",
                domain.name
            );
        }
        assert_eq!(seen as u64, n, "{} prints something outside its domain", domain.name);
    }
}

#[test]
fn marginals_are_those_of_the_powers() {
    assert_marginals("census", &domains::DENSE);
    assert_marginals("census(setting=sparse)", &domains::SPARSE);
    assert_marginals("census(shared=0)", &domains::DENSE);
}

#[test]
fn domains_have_the_stated_sizes() {
    let sizes =
        |pattern: &[Domain]| pattern.iter().map(|domain| domain.values.len()).collect::<Vec<_>>();
    assert_eq!(sizes(&domains::DENSE), [74, 8, 16, 7, 14, 6, 5, 2, 41]);
    assert_eq!(sizes(&domains::SPARSE), [74, 10_000, 16, 1000, 500, 99, 5, 2, 200]);
    for domain in domains::DENSE.iter().chain(&domains::SPARSE) {
        let values: FastSet<String> = (0..domain.values.len())
            .map(|code| domain.values.ancestors(code).swap_remove(0))
            .collect();
        assert_eq!(values.len() as u32, domain.values.len(), "{} repeats a value", domain.name);
        assert!(values.iter().all(|value| value.len() < 32));
    }
}

/// Correlation of age with the second age column, which have the same domain and so the same curve.
fn correlation(call: &str) -> f64 {
    let text = text_of(call, 50_000, 3);
    let pairs: Vec<(f64, f64)> = rows_of(&text)
        .iter()
        .map(|row| (row[0].parse().unwrap(), row[9].parse().unwrap()))
        .collect();
    let n = pairs.len() as f64;
    let (mx, my) =
        (pairs.iter().map(|p| p.0).sum::<f64>() / n, pairs.iter().map(|p| p.1).sum::<f64>() / n);
    let sum = |f: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(f).sum::<f64>();
    let xy = sum(&|p| (p.0 - mx) * (p.1 - my));
    xy / (sum(&|p| (p.0 - mx).powi(2)) * sum(&|p| (p.1 - my).powi(2))).sqrt()
}

#[test]
fn equal_columns_correlate_by_the_square_of_shared() {
    // Both follow the factor with probability shared^2 and are then equal; otherwise they are
    // independent.
    for shared in [0.0, 0.45, 0.8, 1.0] {
        let found = correlation(&format!("census(columns=10, shared={shared})"));
        assert!((found - shared * shared).abs() < 0.03, "shared {shared}: {found}");
    }
}

/// Share of rows that differ from all others before them.
fn distinct_share(call: &str) -> f64 {
    let text = text_of(call, 200_000, 8);
    text.lines().skip(1).collect::<FastSet<&str>>().len() as f64 / 200_000.0
}

#[test]
fn sparse_rows_nearly_all_differ_and_dense_rows_repeat() {
    let (dense, sparse) = (distinct_share("census"), distinct_share("census(setting=sparse)"));
    assert!((0.75..0.83).contains(&dense), "dense: {dense}");
    assert!(sparse > 0.999, "sparse: {sparse}");
}

#[test]
fn columns_repeat_with_new_names() {
    let (generator, params) = parse("census(columns=20)");
    let names = generator.columns(&params);
    assert_eq!(names.len(), 20);
    assert_eq!(
        [&names[0], &names[9], &names[18], &names[19]],
        ["age", "age_2", "age_3", "workclass_3"]
    );
    assert_eq!(generator.companions(&params).len(), 20);
    assert!(generator.companions(&params)[0].1.starts_with("17;[15-19];[10-19];[0-19];*\n"));
}
