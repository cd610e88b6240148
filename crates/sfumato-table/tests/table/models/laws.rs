//! What must be true of every model in the registry, with parameters from what it says about them:
//! a new model is tested without anybody thinking of it.

use super::common::{Sensitive, Table};
use proptest::prelude::*;
use sfumato_core::FastSet;
use sfumato_core::column::Codes;
use sfumato_core::facts::Fact;
use sfumato_core::group::{Histogram, Summary, Tally};
use sfumato_core::registry::{Argument, Call, Disclosure, Info, ParamSpec, Params};
use sfumato_core::traits::{Direction, Requirement, Scope};

const N_DISEASES: u32 = 5;
const N_SALARIES: u32 = 6;
const N_WISHES: u32 = 6;

/// Four diseases in a tree, five salaries; a missing value each.
fn schema() -> Table {
    let tree = ["a;X;*", "b;Y;*", "c;X;*", "d;Y;*"];
    let disease = Sensitive::with_tree("disease", &[], &tree);
    let salary = Sensitive::new("salary", &["1", "2", "4", "5", "9"]);
    let wish = Sensitive::guard("wish", &["*", "X", "Y", "a", "d"]);
    Table::new(&["x", "y", "z"], &[], vec![disease, salary, wish])
}

/// What texts and lists may be in the table of `schema`. A model with another one says so here.
fn words(spec: &ParamSpec) -> Vec<Argument> {
    let list = |items: &[&str]| Argument::List(items.iter().map(|item| item.to_string()).collect());
    match spec.name {
        // Given apart: each call is for one column.
        "on" => Vec::new(),
        "guard" => vec![Argument::Word("wish".into())],
        "qids" => vec![list(&["x+y"]), list(&["z"])],
        "x" => vec![list(&["x", "z"]), list(&["y"])],
        "y" => vec![list(&["disease"])],
        "apart" => vec![list(&["x=1 & z=2"])],
        "k" => vec![list(&["3"])],
        "values" | "allowed" | "kept" => vec![list(&["a", "b"]), list(&["c"])],
        other => panic!("say here what '{other}' may be"),
    }
}

/// Calls of a model, each for one requirement on the table of `schema`: those of its parameters on
/// each sensitive column that it can be about.
fn calls(info: &'static Info) -> Vec<String> {
    let schema = schema();
    let has_column = info.params.iter().any(|spec| spec.name == "on");
    let columns: &[&str] = if has_column { &["disease", "salary"] } else { &[""] };
    let mut calls = Vec::new();
    for column in columns {
        for mut call in info.sample_calls(&words) {
            if has_column {
                call.args.insert("on".into(), Argument::Word(column.to_string()));
            }
            let call = call.to_string();
            // A column without an order or a tree can't be asked everything.
            if let Ok(bound) = schema.requirements(&call) {
                // What a model says of earlier releases says nothing of a group.
                let about_groups = bound.iter().filter(|one| one.scope() != Scope::Earlier);
                let only_earlier = info.about.asks == [Fact::Earlier];
                assert_eq!(about_groups.count(), usize::from(!only_earlier), "{call}");
                calls.push(call);
            }
        }
    }
    assert!(calls.len() > 1, "{}: no sample call can be bound", info.name);
    calls
}

/// Calls of all models that say something of a group: what a model says of earlier releases alone,
/// of a population, or of all rows of an owner, isn't about groups, and has tests of its own.
fn all_calls() -> Vec<String> {
    let is_about_groups = |info: &&'static Info| {
        let asks = info.about.asks;
        !asks.contains(&Fact::Population)
            && !asks.contains(&Fact::Owners)
            && asks != [Fact::Earlier]
    };
    let infos = sfumato_table::models::ALL.iter().map(|model| model.info());
    infos.filter(is_about_groups).flat_map(calls).collect()
}

fn bound() -> Vec<Box<dyn Requirement>> {
    let schema = schema();
    all_calls().iter().map(|call| schema.requirements(call).unwrap().remove(0)).collect()
}

type Rows = Vec<(u32, u32, u32)>;

/// Groups of `(disease, salary, person)`.
fn groups() -> impl Strategy<Value = Vec<Rows>> {
    let row = (0..N_DISEASES, 0..N_SALARIES, 0u32..8);
    prop::collection::vec(prop::collection::vec(row, 1..14), 2..5)
}

fn summary(rows: &Rows, with_subject: bool) -> Summary {
    let column = |f: fn(&(u32, u32, u32)) -> u32| Codes::U32(rows.iter().map(f).collect());
    let (disease, salary, person) = (column(|r| r.0), column(|r| r.1), column(|r| r.2));
    // Half of the people ask for nothing.
    let wish = column(|r| match r.2 % 2 {
        0 => N_WISHES - 1,
        _ => (r.0 + r.1) % (N_WISHES - 1),
    });
    let tally = Tally {
        sensitive: vec![
            Some((&disease, N_DISEASES as usize)),
            Some((&salary, N_SALARIES as usize)),
            Some((&wish, N_WISHES as usize)),
        ],
        subject: with_subject.then_some(&person),
    };
    tally.of_range(0..rows.len())
}

fn union<'a>(summaries: impl IntoIterator<Item = &'a Summary>) -> Summary {
    let mut all = Summary::default();
    summaries.into_iter().for_each(|summary| all.merge(summary));
    all
}

/// Whether the measures of a group satisfy their directions: surely, surely not, or within
/// tolerance of the bound.
fn by_measures(requirement: &dyn Requirement, group: &Summary, release: &Summary) -> Option<bool> {
    let values = requirement.measure(group, release);
    let verdicts: Vec<Option<bool>> = requirement
        .measures()
        .iter()
        .zip(values)
        .map(|(measure, value)| match measure.direction {
            _ if (value - measure.required).abs() <= 1e-7 * measure.required.abs().max(1.0) => None,
            Direction::AtLeast => Some(value > measure.required),
            Direction::AtMost | Direction::Below => Some(value < measure.required),
        })
        .collect();
    match verdicts.contains(&Some(false)) {
        true => Some(false),
        false => verdicts.iter().all(Option::is_some).then_some(true),
    }
}

#[test]
fn every_model_has_a_name_of_its_own_and_a_page() {
    let mut names = FastSet::default();
    for model in sfumato_table::models::ALL {
        let info = model.info();
        assert!(names.insert(info.name), "{} twice", info.name);
        assert!(info.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", info.name);
        assert_eq!(sfumato_table::models::find(info.name).unwrap().info().name, info.name);
        assert!(
            !info.summary.is_empty() && info.summary.len() < 110 && !info.summary.ends_with('.'),
            "{}",
            info.name
        );
        assert!(!info.papers.is_empty(), "{} cites nothing", info.name);
        let headings: Vec<&str> =
            info.doc.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(
            headings,
            [
                "What it promises",
                "What it does not stop",
                "Parameters",
                "Cost",
                "Deviations",
                "Monotonicity"
            ],
            "{}",
            info.name
        );
        for spec in info.params {
            assert!(!spec.help.is_empty(), "{}: {}", info.name, spec.name);
            assert!(
                info.doc.contains(&format!("`{}`", spec.name)) || spec.default.is_some(),
                "{}: {}",
                info.name,
                spec.name
            );
        }
        let stated =
            !info.doc.split("## Monotonicity").nth(1).unwrap().trim_start().starts_with("Not");
        for call in calls(info) {
            let requirement = &schema().requirements(&call).unwrap()[0];
            assert_eq!(requirement.is_monotone(), stated, "{call}: the page says otherwise");
            assert_eq!(requirement.model(), info.name);
        }
    }
}

#[test]
fn defaults_pass_their_own_check_and_bounds_are_refused() {
    for call in all_calls() {
        let call: Call = call.parse().unwrap();
        let info = sfumato_table::models::find(&call.name).unwrap().info();
        let params = Params::check(info, &call.args).unwrap();
        for spec in info.params.iter().filter(|spec| spec.default.is_some()) {
            assert!(params.values().contains_key(spec.name), "{}: {}", info.name, spec.name);
        }
        // Without its parameters a model says which it needs.
        let error = Params::check(info, &Default::default()).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{} needs the parameter", info.name)), "{error}");
    }
}

#[test]
fn a_description_is_a_call_that_means_the_same() {
    let schema = schema();
    for call in all_calls() {
        let first = &schema.requirements(&call).unwrap()[0];
        let again = &schema.requirements(&first.describe()).unwrap()[0];
        assert_eq!(first.describe(), again.describe());
        assert_eq!((first.measures(), first.scope()), (again.measures(), again.scope()));
        if !first.histograms().is_empty() {
            assert!(first.describe().contains("on="), "{}", first.describe());
        }
    }
}

#[test]
fn every_requirement_is_about_what_its_page_says() {
    for call in all_calls() {
        // A model about earlier releases has a part about this one alone besides.
        let requirements = schema().requirements(&call).unwrap();
        let info = sfumato_table::models::find(requirements[0].model()).unwrap().info();
        let mut facts: Vec<_> = requirements.iter().map(|requirement| requirement.fact()).collect();
        facts.dedup();
        assert_eq!(info.about.asks, facts, "{call}");
        assert!(!info.about.limits.is_empty(), "{}", info.name);
        // A model that only counts people keeps nobody's values from being learnt, but where its
        // parameters switch that off.
        let limits_values = info.about.limits.contains(&Disclosure::Attribute);
        let counts_values = requirements.iter().any(|asked| !asked.histograms().is_empty());
        assert!(counts_values || !limits_values, "{}", info.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn monotone_models_hold_in_unions(groups in groups()) {
        let parts: Vec<Summary> = groups.iter().map(|rows| summary(rows, false)).collect();
        let release = union(&parts);
        for requirement in bound().iter().filter(|r| r.is_monotone()) {
            let passing: Vec<&Summary> =
                parts.iter().filter(|part| requirement.holds(part, &release)).collect();
            for (i, a) in passing.iter().enumerate() {
                for b in &passing[i + 1..] {
                    prop_assert!(requirement.holds(&union([*a, *b]), &release), "{}",
                        requirement.describe());
                }
            }
        }
    }

    #[test]
    fn absorbing_models_hold_whatever_joins(groups in groups(), with_subject: bool) {
        let parts: Vec<Summary> = groups.iter().map(|rows| summary(rows, with_subject)).collect();
        let release = union(&parts);
        for requirement in bound().iter().filter(|r| r.is_absorbing()) {
            for a in parts.iter().filter(|part| requirement.holds(part, &release)) {
                for b in &parts {
                    prop_assert!(requirement.holds(&union([a, b]), &release), "{}",
                        requirement.describe());
                }
            }
        }
    }

    #[test]
    fn what_is_achieved_agrees_with_what_holds(groups in groups(), with_subject: bool) {
        let parts: Vec<Summary> = groups.iter().map(|rows| summary(rows, with_subject)).collect();
        let release = union(&parts);
        for requirement in &bound() {
            for part in &parts {
                prop_assert_eq!(requirement.measures().len(),
                    requirement.measure(part, &release).len());
                if let Some(verdict) = by_measures(requirement.as_ref(), part, &release) {
                    prop_assert_eq!(requirement.holds(part, &release), verdict, "{}",
                        requirement.describe());
                }
            }
        }
    }

    #[test]
    fn no_group_below_min_people_holds(groups in groups(), with_subject: bool) {
        let parts: Vec<Summary> = groups.iter().map(|rows| summary(rows, with_subject)).collect();
        let release = union(&parts);
        for requirement in &bound() {
            for part in parts.iter().filter(|part| requirement.holds(part, &release)) {
                prop_assert!(part.people >= requirement.min_people(), "{}", requirement.describe());
            }
            if requirement.is_count_only() {
                let by_count = |part: &Summary| part.people >= requirement.min_people();
                prop_assert!(parts.iter()
                    .all(|part| requirement.holds(part, &release) == by_count(part)));
            }
        }
    }

    #[test]
    fn the_order_of_merging_changes_nothing(groups in groups(), with_subject: bool) {
        let parts: Vec<Summary> = groups.iter().map(|rows| summary(rows, with_subject)).collect();
        let all: Rows = groups.iter().flatten().copied().collect();
        let (forward, backward, whole) =
            (union(&parts), union(parts.iter().rev()), summary(&all, with_subject));
        for requirement in &bound() {
            let told = |release: &Summary| (requirement.measure(release, release),
                requirement.measure(&parts[0], release));
            let bits = |release: &Summary| {
                let (a, b) = told(release);
                a.into_iter().chain(b).map(f64::to_bits).collect::<Vec<_>>()
            };
            prop_assert_eq!(bits(&forward), bits(&whole), "{}", requirement.describe());
            prop_assert_eq!(bits(&backward), bits(&whole), "{}", requirement.describe());
        }
    }

    #[test]
    fn whatever_is_compared_with_the_release_is_close_to_itself(groups in groups()) {
        let parts: Vec<Summary> = groups.iter().map(|rows| summary(rows, false)).collect();
        let release = union(&parts);
        for requirement in &bound() {
            let is_compared = |part: &Summary| {
                requirement.measure(part, &release) != requirement.measure(part, part)
            };
            if parts.iter().any(is_compared) {
                prop_assert!(requirement.holds(&release, &release), "{}", requirement.describe());
                prop_assert_eq!(requirement.measure(&release, &release)[0], 0.0);
            }
        }
    }
}

/// Two people in two classes, one ill in each: with a subject column a union can fail where its
/// parts hold. No promise hangs on it, because every class of a release is checked by itself; but
/// an algorithm must not skip that check.
#[test]
fn shares_are_not_monotone_with_a_subject_column() {
    let group = |pairs: &[(u32, u32)]| {
        let rows: Rows =
            pairs.iter().map(|(disease, person)| (*disease, *disease, *person)).collect();
        summary(&rows, true)
    };
    let fails_in_union = |call: &str, a: &Summary, b: &Summary, rest: &Summary| {
        let requirement = &schema().requirements(call).unwrap()[0];
        let release = union([a, b, rest]);
        let held = requirement.holds(a, &release) && requirement.holds(b, &release);
        assert!(held && !requirement.holds(&union([a, b]), &release), "{call}");
    };
    let (a, b, none) = (group(&[(0, 1), (1, 2)]), group(&[(1, 1), (0, 2)]), Summary::default());
    for call in [
        "confidence-bounding(h=0.5, on=disease)",
        "alpha-k-anonymity(alpha=0.5, k=2, on=disease)",
        "lkc-privacy(l=1, k=2, c=0.5, on=disease)",
    ] {
        fails_in_union(call, &a, &b, &none);
    }
    // Person 2 is in both parts with value 1, so the union has values 0, 0, 1.
    let (a, b) = (group(&[(0, 1), (1, 2)]), group(&[(0, 3), (1, 2)]));
    fails_in_union("l-diversity-entropy(l=2, on=disease)", &a, &b, &none);
    fails_in_union("l-diversity-recursive(c=1.5, l=2, on=disease)", &a, &b, &none);
    fails_in_union("variance-diversity(v=0.25, on=salary)", &a, &b, &none);
    let rest = group(&[(1, 4)]);
    for call in [
        "t-closeness(t=0.01, on=disease)",
        "beta-likeness-basic(beta=0.01, on=disease)",
        "beta-likeness-enhanced(beta=0.01, on=disease)",
        "delta-disclosure(delta=0.01, on=disease)",
    ] {
        fails_in_union(call, &a, &b, &rest);
    }
}

/// With a subject column the subsets of exactly `l` columns don't imply the smaller ones: LKC
/// checks all.
#[test]
fn lkc_sees_what_only_fewer_columns_show() {
    let disease = Sensitive::new("disease", &["ill", "well", "well", "ill"]);
    let mut table = Table::new(&["x", "y"], &["0,0", "0,0", "0,1", "0,1"], vec![disease]);
    table.subject = Some(vec![1, 2, 1, 2]);
    assert!(table.holds("confidence-bounding(h=0.5, values=ill)"), "one of two in each class");
    assert!(
        !table.holds("lkc-privacy(l=2, k=2, c=0.5, values=ill)"),
        "x=0 tells that both are ill"
    );
}

#[test]
fn absent_values_break_delta_disclosure() {
    let histogram = |counts: &[(u32, u64)]| {
        let histogram = Histogram::from_counts(counts.iter().copied());
        Summary::of_histograms(histogram.total(), vec![histogram])
    };
    let release = histogram(&[(0, 50), (1, 50)]);
    let requirement = &schema().requirements("delta-disclosure(delta=9, on=disease)").unwrap()[0];
    assert!(requirement.holds(&histogram(&[(0, 1), (1, 99)]), &release));
    assert!(!requirement.holds(&histogram(&[(1, 99)]), &release));
    assert!(
        !requirement.holds(&histogram(&[(0, 1), (2, 1)]), &release),
        "a value the release lacks"
    );
}
