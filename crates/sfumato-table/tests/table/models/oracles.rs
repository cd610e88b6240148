//! Compares every model with a second, naive implementation of its definition: over raw rows, with
//! sets of people, in small integers, and without summaries. With a subject column a person may
//! have several rows; without one every row is a person of its own, and the same definitions apply.

use std::collections::{BTreeMap, BTreeSet};

use super::common::{Sensitive, Table, cheapest_transport};
use proptest::prelude::*;

/// A row: three quasi values, a disease (4 is missing), a salary (6 is missing), a person.
#[derive(Debug, Clone)]
struct Row {
    quasi: [u8; 3],
    disease: usize,
    salary: usize,
    person: u32,
}

// Hierarchy order: a, c, b, d.
const DISEASES: [&str; 5] = ["a", "b", "c", "d", ""];
const TREE: [&str; 4] = ["a;X;U;*", "b;Y;V;*", "c;X;U;*", "d;Z;V;*"];
/// Salaries in tenths; as texts 0, 0.5, 2, 3, 3.5, 10.
const TENTHS: [i64; 6] = [0, 5, 20, 30, 35, 100];
const SALARIES: [&str; 7] = ["0", "0.5", "2", "3", "3.5", "10", ""];

fn rows() -> impl Strategy<Value = (Vec<Row>, bool)> {
    let row = (prop::array::uniform3(0u8..2), 0usize..5, 0usize..7, 0u32..6);
    (prop::collection::vec(row, 1..40), any::<bool>(), 1usize..3).prop_map(
        |(rows, subject, classes)| {
            let make = |(i, (mut quasi, disease, salary, person)): (
                usize,
                ([u8; 3], usize, usize, u32),
            )| {
                // Few classes, so that some hold.
                quasi.iter_mut().skip(classes).for_each(|q| *q = 0);
                Row { quasi, disease, salary, person: if subject { person } else { i as u32 } }
            };
            (rows.into_iter().enumerate().map(make).collect(), subject)
        },
    )
}

fn table(rows: &[Row], subject: bool) -> Table {
    let quasi: Vec<String> =
        rows.iter().map(|r| format!("{},{},{}", r.quasi[0], r.quasi[1], r.quasi[2])).collect();
    let quasi: Vec<&str> = quasi.iter().map(String::as_str).collect();
    let diseases: Vec<&str> = rows.iter().map(|r| DISEASES[r.disease]).collect();
    // All labels are in the domain, whether or not a row has them.
    let salaries: Vec<&str> = rows.iter().map(|r| SALARIES[r.salary]).chain(SALARIES).collect();
    let mut salary = Sensitive::new("salary", &salaries);
    salary.codes.truncate(rows.len());
    let disease = Sensitive::with_tree("disease", &diseases, &TREE);
    let mut table = Table::new(&["x", "y", "z"], &quasi, vec![disease, salary]);
    table.subject = subject.then(|| rows.iter().map(|r| r.person).collect());
    table
}

/// The groups that agree on some quasi columns.
fn groups(rows: &[Row], columns: &[usize]) -> Vec<Vec<Row>> {
    let mut groups: BTreeMap<Vec<u8>, Vec<Row>> = BTreeMap::new();
    for row in rows {
        groups
            .entry(columns.iter().map(|c| row.quasi[*c]).collect())
            .or_default()
            .push(row.clone());
    }
    groups.into_values().collect()
}

fn people(rows: &[Row]) -> i64 {
    rows.iter().map(|r| r.person).collect::<BTreeSet<_>>().len() as i64
}

/// For each value, the number of people who have it.
fn having(rows: &[Row], value: impl Fn(&Row) -> usize) -> BTreeMap<usize, i64> {
    let pairs: BTreeSet<(usize, u32)> = rows.iter().map(|r| (value(r), r.person)).collect();
    let mut counts = BTreeMap::new();
    pairs.iter().for_each(|(value, _)| *counts.entry(*value).or_insert(0) += 1);
    counts
}

fn diseases(rows: &[Row]) -> BTreeMap<usize, i64> {
    having(rows, |r| r.disease)
}

/// The known salaries in tenths, one per pair of person and value.
fn tenths(rows: &[Row]) -> Vec<i64> {
    having(rows, |r| r.salary)
        .into_iter()
        .filter(|(value, _)| *value < 6)
        .flat_map(|(value, n)| std::iter::repeat_n(TENTHS[value], n as usize))
        .collect()
}

/// Compare a call with a predicate on classes: how many classes violate it.
fn check(
    rows: &[Row],
    subject: bool,
    call: &str,
    holds: impl Fn(&[Row]) -> bool,
) -> Result<(), TestCaseError> {
    let violations = groups(rows, &[0, 1, 2]).iter().filter(|class| !holds(class)).count() as u64;
    let guarantees = table(rows, subject).ask(call);
    for guarantee in &guarantees {
        prop_assert_eq!(guarantee.violations, violations, "{}", call);
    }
    // A model of two quantities calls only the broken one broken, and at least one where any class
    // violates it.
    prop_assert_eq!(
        guarantees.iter().all(|guarantee| guarantee.holds),
        violations == 0,
        "{}",
        call
    );
    Ok(())
}

/// A bound in twentieths as a user writes it.
fn twentieths(n: i64) -> String {
    format!("{}.{:02}", n / 20, n % 20 * 5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn sizes((rows, subject) in rows(), k in 1i64..8, k2 in 1i64..8) {
        check(&rows, subject, &format!("k-anonymity(k={k})"), |class| people(class) >= k)?;
        check(&rows, subject, &format!("nonreciprocal-k-anonymity(k={k})"),
            |class| people(class) >= k)?;
        let guarantees = table(&rows, subject).ask(&format!(
            "multi-k-anonymity(qids=[x+y, z+y], k=[{k}, {k2}])"));
        for (guarantee, (columns, k)) in guarantees.iter().zip([([0, 1], k), ([1, 2], k2)]) {
            let sizes: Vec<i64> = groups(&rows, &columns).iter().map(|g| people(g)).collect();
            prop_assert_eq!(guarantee.violations, sizes.iter().filter(|n| **n < k).count() as u64);
            prop_assert_eq!(guarantee.achieved, *sizes.iter().min().unwrap() as f64);
        }
    }

    #[test]
    fn k_on_all_columns_implies_k_on_some((rows, subject) in rows(), k in 1i64..5) {
        let table = table(&rows, subject);
        if table.holds(&format!("k-anonymity(k={k})")) {
            let call = format!("multi-k-anonymity(qids=[x, y, z, x+y, x+z, y+z], k={k})");
            prop_assert!(table.holds(&call));
        }
    }

    #[test]
    fn counts_of_values((rows, subject) in rows(), l in 1i64..5, k in 1i64..6) {
        let distinct = |class: &[Row]| (diseases(class).len() as i64).min(people(class));
        check(&rows, subject, &format!(
            "l-diversity-distinct(l={l}, on=disease)"), |class| distinct(class) >= l)?;
        check(&rows, subject, &format!(
            "p-sensitive-k-anonymity(p={l}, k={k}, on=disease)"), |class| {
            distinct(class) >= l && people(class) >= k
        })?;
    }

    #[test]
    fn entropy((rows, subject) in rows(),
        l in prop::sample::select(vec![1.0f64, 1.5, 1.9, 2.0, 2.5, 3.0, 4.0, 5.0])) {
        check(&rows, subject, &format!("l-diversity-entropy(l={l}, on=disease)"), |class| {
            let counts = diseases(class);
            let n = counts.values().sum::<i64>() as f64;
            let entropy: f64 = counts.values().map(|c| *c as f64 / n).map(|p| -p * p.ln()).sum();
            entropy >= l.ln() - 1e-9 && people(class) as f64 >= l
        })?;
    }

    #[test]
    fn recursive((rows, subject) in rows(), c in 1i64..60, l in 1usize..5, strict: bool) {
        let call = format!(
            "l-diversity-recursive(c={}, l={l}, strict={strict}, on=disease)", twentieths(c));
        check(&rows, subject, &call, |class| {
            let mut counts: Vec<i64> = diseases(class).into_values().collect();
            counts.sort_unstable_by(|a, b| b.cmp(a));
            let tail: i64 = counts.iter().skip(l - 1).sum();
            let enough = counts.len() >= l && people(class) >= l as i64;
            let rarer = if strict { 20 * counts[0] < c * tail } else { 20 * counts[0] <= c * tail };
            l == 1 || (enough && rarer)
        })?;
    }

    #[test]
    fn disclosure_of_some_values(
        (rows, subject) in rows(), c in 1i64..60, l in 2usize..5, allowed in 0usize..16,
        kept in 0usize..16, least in 0i64..8,
    ) {
        let listed = |mask: usize| -> Vec<&str> {
            (0..4).filter(|at| mask >> at & 1 == 1).map(|at| DISEASES[at]).collect()
        };
        let mut call = format!("l-diversity-disclosure(on=disease, l={l}, c={}", twentieths(c));
        if allowed > 0 {
            call += &format!(", allowed=[{}]", listed(allowed).join(", "));
        }
        if kept > 0 {
            call += &format!(", kept=[{}], least={}", listed(kept).join(", "), twentieths(least));
        }
        check(&rows, subject, &(call + ")"), |class| {
            let counts = diseases(class);
            let is_allowed = |value: &usize| *value < 4 && allowed >> value & 1 == 1;
            let negative = (0..4).filter(|value| kept >> value & 1 == 1).all(|value| {
                20 * counts.get(&value).copied().unwrap_or(0) >= least * people(class)
            });
            let mut ranked: Vec<(i64, bool)> =
                counts.iter().map(|(value, n)| (*n, is_allowed(value))).collect();
            ranked.sort_by_key(|(n, is_allowed)| (-n, *is_allowed));
            let Some(y) = ranked.iter().position(|(_, is_allowed)| !is_allowed) else {
                return negative;
            };
            // Ranks from 1, as the paper counts them.
            let r = |rank: usize| ranked[rank - 1].0;
            let (y, m) = (y + 1, ranked.len());
            let tail: i64 = match y < l {
                true => (l..=m).map(r).sum(),
                false => (l - 1..y).map(r).sum::<i64>() + (y + 1..=m).map(r).sum::<i64>(),
            };
            negative && people(class) >= l as i64 && 20 * r(y) < c * tail
        })?;
    }

    #[test]
    fn categories_of_values((rows, subject) in rows(), p in 1i64..4, alpha in 1i64..=20,
        level in 1usize..3) {
        let call = format!(
            "p-alpha-anonymity(on=disease, p={p}, level={level}, alpha={})", twentieths(alpha));
        check(&rows, subject, &call, |class| {
            let category = |disease: usize| match (disease, level) {
                (4, _) => "missing",
                (0 | 2, 1) => "X",
                (1, 1) => "Y",
                (_, 1) => "Z",
                (0 | 2, _) => "U",
                _ => "V",
            };
            let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
            for (disease, n) in diseases(class) {
                *counts.entry(category(disease)).or_insert(0) += n;
            }
            let most = counts.values().copied().max().unwrap().min(people(class));
            (counts.len() as i64).min(people(class)) >= p && 20 * most <= alpha * people(class)
        })?;
    }

    #[test]
    fn confidences((rows, subject) in rows(), h in 1i64..=20, k in 1i64..6, all: bool) {
        let (values, watched) = if all { ("", vec![0, 1, 2, 3, 4]) } else { (
            ", values=[d, b]", vec![1, 3]) };
        let bounded = |class: &[Row]| {
            watched.iter()
                .all(|v| 20 * diseases(class).get(v).copied().unwrap_or(0) <= h * people(class))
        };
        let call = format!("confidence-bounding(h={}, on=disease{values})", twentieths(h));
        check(&rows, subject, &call, bounded)?;
        let call = format!("alpha-k-anonymity(alpha={}, k={k}, on=disease{values})", twentieths(h));
        check(&rows, subject, &call, |class| bounded(class) && people(class) >= k)?;
    }

    #[test]
    fn lkc((rows, subject) in rows(), l in 1usize..5, k in 1i64..6, c in 1i64..=20, all: bool) {
        let (values, watched) = if all { ("", vec![0, 1, 2, 3, 4]) } else { (
            ", values=[d, b]", vec![1, 3]) };
        let call = format!("lkc-privacy(l={l}, k={k}, c={}, on=disease{values})", twentieths(c));
        let subsets =
            (1u8..8).map(|mask| (0..3).filter(|i| mask & (1 << i) != 0).collect::<Vec<usize>>());
        let worst = |group: &Vec<Row>| watched.iter()
            .filter_map(|v| diseases(group).get(v).copied()).max().unwrap_or(0);
        let private =
            subsets.filter(|subset| subset.len() <= l).flat_map(|subset| groups(&rows, &subset))
            .all(|group| people(&group) >= k && 20 * worst(&group) <= c * people(&group));
        prop_assert_eq!(table(&rows, subject).holds(&call), private, "{}", call);
    }

    #[test]
    fn columns_x_and_a_column_y((rows, subject) in rows(), mask in 1u8..8, k in 1i64..6,
        h in 1i64..=20, all: bool) {
        let columns: Vec<usize> = (0..3).filter(|i| mask & (1 << i) != 0).collect();
        let names: Vec<&str> = columns.iter().map(|column| ["x", "y", "z"][*column]).collect();
        let x = format!("x=[{}]", names.join(", "));
        let (values, watched) = if all { ("", vec![0, 1, 2, 3, 4]) } else { (
            ", values=[d, b]", vec![1, 3]) };
        let (table, groups) = (table(&rows, subject), groups(&rows, &columns));
        let different = |group: &Vec<Row>| (diseases(group).len() as i64).min(people(group)) >= k;
        let bounded = |group: &Vec<Row>| watched.iter()
            .all(|v| 20 * diseases(group).get(v).copied().unwrap_or(0) <= h * people(group));
        let call = format!("xy-anonymity({x}, k={k}, on=disease)");
        prop_assert_eq!(table.holds(&call), groups.iter().all(different), "{}", call);
        let h = twentieths(h);
        let call = format!("xy-linkability({x}, h={h}, on=disease{values})");
        prop_assert_eq!(table.holds(&call), groups.iter().all(bounded), "{}", call);
        let call = format!("xy-privacy({x}, k={k}, h={h}, on=disease{values})");
        let private = |group: &Vec<Row>| people(group) >= k && bounded(group);
        prop_assert_eq!(table.holds(&call), groups.iter().all(private), "{}", call);
    }

    #[test]
    fn closeness((rows, subject) in rows(), t in 0i64..=20, which in 0usize..4) {
        let (name, on, distance) =
            [("equal", "disease", "auto"), ("ordered", "disease", "ordered"),
                ("hierarchical", "disease", "hierarchical"),
             ("ordered", "salary", "auto")][which];
        let value = |r: &Row| if on == "disease" { r.disease } else { r.salary };
        let whole = having(&rows, value);
        // The order of the line: leaves of the tree for diseases, size for salaries; missing last.
        let mut line: Vec<usize> =
            if on == "disease" { vec![0, 2, 1, 3, 4] } else { (0..7).collect() };
        line.retain(|v| whole.contains_key(v));
        let place = |v: usize| line.iter().position(|w| *w == v).unwrap() as i64;
        // From the leaves up: a and c meet in X (1), all of a, c in U (2), b and d in V (2), the
        // rest at the top (3).
        let paths = [["X", "U"], ["Y", "V"], ["X", "U"], ["Z", "V"], ["missing", "missing"]];
        let height = |a: usize,
            b: usize| match (a == b, paths[a][0] == paths[b][0], paths[a][1] == paths[b][1]) {
            (true, _, _) => 0,
            (_, true, _) => 1,
            (_, _, true) => 2,
            _ => 3,
        };
        let steps =
            match name { "equal" => 1, "ordered" => (line.len() as i64 - 1).max(1), _ => 3 };
        let cost = |i: usize, j: usize| match name {
            "equal" => i64::from(i != j),
            "ordered" => (place(line[i]) - place(line[j])).abs(),
            _ => height(line[i], line[j]),
        };
        let emd = |class: &[Row]| {
            let part = having(class, value);
            let (n, total): (i64, i64) = (part.values().sum(), whole.values().sum());
            let supply: Vec<i64> =
                line.iter().map(|v| part.get(v).copied().unwrap_or(0) * total).collect();
            let demand: Vec<i64> = line.iter().map(|v| whole[v] * n).collect();
            (cheapest_transport(&supply, &demand, cost), steps * n * total)
        };
        let call = format!("t-closeness(t={}, distance={distance}, on={on})", twentieths(t));
        check(&rows, subject, &call, |class| {
            let (work, whole) = emd(class);
            20 * work <= t * whole
        })?;
        let worst = groups(&rows, &[0, 1, 2]).iter().map(|class| emd(class))
            .map(|(a, b)| a as f64 / b as f64).fold(0.0, f64::max);
        prop_assert!((table(&rows, subject).achieved(&call, "t") - worst).abs() < 1e-9);
    }

    #[test]
    fn likeness((rows, subject) in rows(), bound in 1i64..60) {
        let whole = diseases(&rows);
        let total: i64 = whole.values().sum();
        let share = |class: &[Row], v: usize| {
            let counts = diseases(class);
            (counts.get(&v).copied().unwrap_or(0), counts.values().sum::<i64>())
        };
        let basic = |class: &[Row]| whole.iter().all(|(v, q)| {
            let (p, n) = share(class, *v);
            20 * (p * total - q * n) <= bound * q * n
        });
        let call = twentieths(bound);
        check(&rows, subject, &format!("beta-likeness-basic(beta={call}, on=disease)"), basic)?;
        check(&rows, subject, &format!("beta-likeness-enhanced(beta={call}, on=disease)"), |class| {
            basic(class) && whole.iter().all(|(v, q)| {
                let (p, n) = share(class, *v);
                let (p, q) = (p as f64 / n as f64, *q as f64 / total as f64);
                p <= q || (p - q) / q <= -q.ln() + 1e-9
            })
        })?;
        check(&rows, subject, &format!("delta-disclosure(delta={call}, on=disease)"), |class| {
            whole.iter().all(|(v, q)| {
                let (p, n) = share(class, *v);
                let log = ((p as f64 / n as f64) / (*q as f64 / total as f64)).ln().abs();
                p > 0 && log < bound as f64 / 20.0 + 1e-9
            })
        })?;
    }

    #[test]
    fn numbers((rows, subject) in rows(), k in 1i64..6, e in 0i64..120, m in 1i64..6,
        v in 0i64..3000) {
        // e is in tenths, v in hundredths: the square of the unit of a tenth.
        let decimal = |n: i64, digits: usize| format!("{}e-{digits}", n);
        check(&rows, subject, &format!(
            "k-e-anonymity(k={k}, e={}, on=salary)", decimal(e, 1)), |class| {
            let known: BTreeSet<i64> = tenths(class).into_iter().collect();
            let range = known.last().copied().unwrap_or(0) - known.first().copied().unwrap_or(0);
            (known.len() as i64).min(people(class)) >= k && range >= e
        })?;
        check(&rows, subject, &format!(
            "eps-m-anonymity(eps={}, m={m}, on=salary)", decimal(e, 1)), |class| {
            let known = tenths(class);
            let missing = having(class, |r| r.salary).get(&6).copied().unwrap_or(0);
            let crowds =
                known.iter().map(|x| known.iter().filter(|y| (*x - **y).abs() <= e).count() as i64);
            crowds.chain([missing]).all(|crowd| crowd.min(people(class)) * m <= people(class))
        })?;
        check(&rows, subject, &format!(
            "variance-diversity(v={}, on=salary)", decimal(v, 2)), |class| {
            let known = tenths(class);
            let n = known.len() as i64;
            // Half the mean square distance of all ordered pairs is the variance.
            let pairs: i64 =
                known.iter().flat_map(|x| known.iter().map(move |y| (x - y) * (x - y))).sum();
            if n == 0 { v == 0 } else { pairs >= 2 * v * n * n }
        })?;
    }
}

#[test]
fn the_transport_oracle_is_right_where_the_answer_is_plain() {
    let line = |i: usize, j: usize| i.abs_diff(j) as i64;
    assert_eq!(cheapest_transport(&[3, 0, 0], &[1, 1, 1], line), 3);
    assert_eq!(cheapest_transport(&[1, 0, 1], &[0, 2, 0], line), 2);
    assert_eq!(cheapest_transport(&[2, 1], &[1, 2], line), 1);
    // Greedy pairing would cost 1 + 10; the best is 2 + 2.
    let cost = |i: usize, j: usize| [[1, 2], [2, 10]][i][j];
    assert_eq!(cheapest_transport(&[1, 1], &[1, 1], cost), 4);
}
