//! Examples worked by hand: from the textbook of Fung, Wang, Fu and Yu (named by their numbers
//! there), from the papers, and small ones whose value can be seen.

use super::common::{Sensitive, Table};
use sfumato_core::dataset::ValueKind;

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// Table 2.4: the 3-anonymous release of the patients of Table 2.2.
fn patients() -> Table {
    let rows = [
        "Professional,Male,[35-40)",
        "Professional,Male,[35-40)",
        "Professional,Male,[35-40)",
        "Artist,Female,[30-35)",
        "Artist,Female,[30-35)",
        "Artist,Female,[30-35)",
        "Artist,Female,[30-35)",
    ];
    let disease =
        Sensitive::new("disease", &["Hepatitis", "Hepatitis", "HIV", "Flu", "HIV", "HIV", "HIV"]);
    Table::new(&["job", "sex", "age"], &rows, vec![disease])
}

#[test]
fn patients_raw_and_generalized() {
    let raw = Table::new(
        &["job", "sex", "age"],
        &[
            "Engineer,Male,35",
            "Engineer,Male,38",
            "Lawyer,Male,38",
            "Writer,Female,30",
            "Writer,Female,30",
            "Dancer,Female,30",
            "Dancer,Female,30",
        ],
        vec![],
    );
    // Doug, the only lawyer, is unique.
    let guarantee = &raw.ask("k-anonymity(k=2)")[0];
    assert_eq!((guarantee.achieved, guarantee.holds, guarantee.violations), (1.0, false, 3));
    let table = patients();
    assert_eq!(table.achieved("k-anonymity(k=3)", "k"), 3.0);
    assert!(table.holds("k-anonymity(k=3)") && !table.holds("k-anonymity(k=4)"));
    assert_eq!(table.ask("k-anonymity(k=4)")[0].violations, 1);
}

#[test]
fn external_table_generalized_alike_is_4_anonymous() {
    // Table 2.5: five artists, four professionals.
    let rows: Vec<&str> = std::iter::repeat_n("Artist,Female,[30-35)", 5)
        .chain(std::iter::repeat_n("Professional,Male,[35-40)", 4))
        .collect();
    let table = Table::new(&["job", "sex", "age"], &rows, vec![]);
    assert!(table.holds("k-anonymity(k=4)") && !table.holds("k-anonymity(k=5)"));
}

#[test]
fn emily_has_hiv_with_confidence_three_quarters() {
    // Example 2.6.
    let table = patients();
    assert_eq!(table.achieved("confidence-bounding(h=0.1, on=disease, values=[HIV])", "h"), 0.75);
    assert!(!table.holds("confidence-bounding(h=0.1, on=disease, values=[HIV])"));
    assert!(table.holds("confidence-bounding(h=0.75, on=disease)"));
    assert!(!table.holds("confidence-bounding(h=0.7499, on=disease)"));
    assert!(
        table.holds("alpha-k-anonymity(alpha=0.75, k=3)")
            && !table.holds("alpha-k-anonymity(alpha=0.75, k=4)")
    );
    // Guarding Flu alone leaves the class of professionals, where nobody has it, at 0.
    assert_eq!(table.achieved("confidence-bounding(h=1, values=Flu)", "h"), 0.25);
}

#[test]
fn three_records_of_each_patient_are_a_third_as_many_patients() {
    // Examples 2.4 and 2.5: nine records that agree on X, of three patients.
    let rows = ["engineer,male,35"; 9];
    let patients = ["p1", "p1", "p1", "p2", "p2", "p2", "p3", "p3", "p3"];
    let table = Table::new(&["job", "sex", "age"], &rows, vec![Sensitive::new("pid", &patients)]);
    assert!(table.holds("k-anonymity(k=9)"));
    assert!(table.holds("xy-anonymity(x=[job, sex, age], k=3, on=pid)"));
    assert!(!table.holds("xy-anonymity(x=[job, sex, age], k=4, on=pid)"));
    assert!(!table.holds("xy-anonymity(x=[job], k=4, on=pid)"));
    assert_eq!(table.achieved("xy-linkability(x=[job], h=0.5, on=pid)", "h"), 1.0 / 3.0);
    assert!(table.holds("xy-privacy(x=[sex], k=9, h=0.34, on=pid)"));
    assert!(!table.holds("xy-privacy(x=[sex], k=10, h=0.34, on=pid)"));
}

#[test]
fn patients_are_1_75_diverse_by_entropy_and_2_diverse_by_count() {
    // Example 2.7 rounds to 1.9 and 1.8.
    let table = patients();
    let achieved = table.achieved("l-diversity-entropy(l=1.75)", "l");
    assert!((achieved - 1.75477).abs() < 5e-6, "{achieved}");
    assert!(
        table.holds("l-diversity-entropy(l=1.75)") && !table.holds("l-diversity-entropy(l=1.76)")
    );
    assert_eq!(table.ask("l-diversity-entropy(l=1.8)")[0].violations, 1);
    let mut first = patients();
    first.rows.truncate(3);
    first.sensitive[0].codes.truncate(3);
    assert!((first.achieved("l-diversity-entropy(l=1)", "l") - 1.88988).abs() < 5e-6);
    assert_eq!(table.achieved("l-diversity-distinct(l=2)", "l"), 2.0);
    assert!(table.holds("l-diversity-distinct(l=2)") && !table.holds("l-diversity-distinct(l=3)"));
    assert!(table.holds("p-sensitive-k-anonymity(p=2, k=3)"));
    assert!(
        !table.holds("p-sensitive-k-anonymity(p=2, k=4)")
            && !table.holds("p-sensitive-k-anonymity(p=3, k=3)")
    );
    // The counts are 2, 1 and 3, 1.
    assert_eq!(table.achieved("l-diversity-recursive(c=4, l=2)", "c"), 3.0);
    assert!(
        table.holds("l-diversity-recursive(c=3.0001, l=2)")
            && !table.holds("l-diversity-recursive(c=3, l=2)")
    );
    assert!(table.holds("l-diversity-recursive(c=3, l=2, strict=false)"));
    // No class has three values; and (c,1) always holds.
    assert!(!table.holds("l-diversity-recursive(c=1000, l=3)"));
    assert!(!table.holds("l-diversity-recursive(c=1000, l=3, strict=false)"));
    assert!(table.holds("l-diversity-recursive(c=0.001, l=1)"));
}

#[test]
fn several_quasi_identifiers_say_nothing_about_their_union() {
    // Example 2.3: two values each, in all combinations.
    let table = Table::new(&["a", "b"], &["0,0", "0,1", "1,0", "1,1"], vec![]);
    assert!(table.holds("multi-k-anonymity(qids=[a, b], k=2)") && !table.holds("k-anonymity(k=2)"));
}

/// Table 7.1: education, gender, age and how many.
const WORKERS: [(&str, &str, &str, usize); 9] = [
    ("9th", "M", "30", 3),
    ("10th", "M", "32", 4),
    ("11th", "M", "35", 5),
    ("12th", "F", "37", 4),
    ("Bachelors", "F", "42", 6),
    ("Bachelors", "F", "44", 4),
    ("Masters", "M", "44", 4),
    ("Masters", "F", "44", 3),
    ("Doctorate", "F", "44", 1),
];

fn workers(recode: impl Fn(&'static str, &'static str, &'static str) -> String) -> Table {
    let rows: Vec<String> =
        WORKERS.iter().flat_map(|(e, g, a, n)| std::iter::repeat_n(recode(e, g, a), *n)).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    Table::new(&["education", "gender", "age"], &rows, vec![])
}

#[test]
fn workers_violate_their_requirement_until_masters_and_doctorates_merge() {
    // Example 7.1: {<{Education, Gender}, 4>, <{Gender}, 4>}, the second covered by the first.
    let ask = "multi-k-anonymity(qids=[education+gender, gender], k=[4, 4])";
    let raw = workers(|e, g, a| format!("{e},{g},{a}"));
    let guarantees = raw.ask(ask);
    assert_eq!(guarantees.len(), 1, "the covered entry is dropped");
    assert_eq!(guarantees[0].requirement, "multi-k-anonymity(k=[4], qids=[education+gender])");
    // <9th, M> has 3, <Masters, F> 3 and <Doctorate, F> 1.
    assert_eq!(
        (guarantees[0].achieved, guarantees[0].violations, guarantees[0].scope),
        (1.0, 3, "projection")
    );
    let graduates = |e| if e == "Masters" || e == "Doctorate" { "Grad School" } else { e };
    let merged = workers(|e, g, a| format!("{},{g},{a}", graduates(e)));
    assert_eq!((merged.ask(ask)[0].achieved, merged.ask(ask)[0].violations), (3.0, 1));
    let junior = |e| if e == "9th" || e == "10th" { "Junior Sec." } else { graduates(e) };
    assert!(workers(|e, g, a| format!("{},{g},{a}", junior(e))).holds(ask));
}

#[test]
fn workers_generalized_by_top_down_refinement() {
    // Example 7.3 and Table 7.2.
    let recoded = |e: &'static str, age: &str| {
        let e = match e {
            "9th" | "10th" => "Junior Sec.",
            "Masters" | "Doctorate" => "Grad School",
            e => e,
        };
        format!("{e},ANY,{}", if age < "37" { "[1-37)" } else { "[37-99)" })
    };
    let table = workers(|e, _, a| recoded(e, a));
    let guarantees = table.ask("multi-k-anonymity(qids=[education+gender, gender+age], k=[4, 11])");
    assert!(guarantees.iter().all(|g| g.holds));
    assert_eq!(guarantees.iter().map(|g| g.achieved).collect::<Vec<_>>(), [4.0, 12.0]);
}

#[test]
fn three_records_of_one_patient_are_one_person() {
    // Examples 2.4 and 2.5: six records of two patients.
    let disease = Sensitive::new("disease", &["Flu", "HIV", "Flu", "Flu", "Hepatitis", "Flu"]);
    let mut table = Table::new(&["job"], &["Artist"; 6], vec![disease]);
    assert!(table.holds("k-anonymity(k=6)"));
    table.subject = Some(vec![1, 1, 1, 2, 2, 2]);
    assert_eq!(table.achieved("k-anonymity(k=3)", "k"), 2.0);
    assert!(!table.holds("k-anonymity(k=3)") && table.holds("k-anonymity(k=2)"));
    // Both have Flu, so it is certain, though it is four of six records.
    assert_eq!(table.achieved("confidence-bounding(h=0.9)", "h"), 1.0);
    assert_eq!(table.achieved("confidence-bounding(h=0.5, values=[HIV])", "h"), 0.5);
    // Three values, but two people.
    assert!(!table.holds("l-diversity-distinct(l=3)") && table.holds("l-diversity-distinct(l=2)"));
    assert!(!table.holds("l-diversity-recursive(c=9, l=3)"));
    // Pairs of person and value: Flu 2, HIV 1, Hepatitis 1.
    assert!(near(table.achieved("l-diversity-recursive(c=2, l=2)", "c"), 1.0));
    assert!(
        near(table.achieved("l-diversity-entropy(l=1)", "l"), 2.0),
        "2.83 by values, but two people"
    );
}

#[test]
fn salaries_of_the_proximity_attack() {
    // Table 2.6.
    let salary =
        Sensitive::new("salary", &["30", "31", "30", "32", "35", "34", "33", "32", "35", "80"]);
    let table = Table::new(&["job", "sex"], &["Artist,Female"; 10], vec![salary]);
    assert!(table.holds("k-e-anonymity(k=7, e=50)"));
    assert!(
        !table.holds("k-e-anonymity(k=8, e=50)") && !table.holds("k-e-anonymity(k=7, e=50.01)")
    );
    let share = |eps: &str| 1.0 / table.achieved(&format!("eps-m-anonymity(eps={eps}, m=1)"), "m");
    assert!(
        near(share("1"), 0.5)
            && near(share("2"), 0.7)
            && near(share("5"), 0.9)
            && near(share("50"), 1.0)
    );
    assert!(near(share("0"), 0.2) && near(share("0.999"), 0.2));
    assert!(
        table.holds("eps-m-anonymity(eps=1, m=2)") && !table.holds("eps-m-anonymity(eps=1, m=3)")
    );
}

#[test]
fn proximity_is_not_monotone() {
    let class = |texts: &[&str]| {
        let rows: Vec<&str> = vec!["x"; texts.len()];
        Table::new(&["q"], &rows, vec![Sensitive::new("salary", texts)])
    };
    let call = "eps-m-anonymity(eps=5, m=2)";
    assert!(class(&["5", "100"]).holds(call) && class(&["0", "10"]).holds(call));
    assert!(!class(&["0", "5", "10", "100"]).holds(call));
    assert!(near(class(&["0", "5", "10", "100"]).achieved(call, "m"), 4.0 / 3.0));
}

#[test]
fn half_hiv_against_one_in_twenty() {
    // The skewness attack: 95 Flu and 5 HIV in all, 5 and 5 in one class.
    let rows: Vec<&str> =
        std::iter::repeat_n("a", 10).chain(std::iter::repeat_n("b", 90)).collect();
    let texts: Vec<&str> =
        std::iter::repeat_n("HIV", 5).chain(std::iter::repeat_n("Flu", 95)).collect();
    let table = Table::new(&["q"], &rows, vec![Sensitive::new("disease", &texts)]);
    assert!(near(table.achieved("t-closeness(t=0.45)", "t"), 0.45));
    assert!(table.holds("t-closeness(t=0.45)") && !table.holds("t-closeness(t=0.449)"));
    assert_eq!(table.achieved("confidence-bounding(h=1, values=HIV)", "h"), 0.5);
    // From 5% to 50% is a gain of 9.
    assert!(near(table.achieved("beta-likeness-basic(beta=9)", "beta"), 9.0));
    assert!(
        table.holds("beta-likeness-basic(beta=9)")
            && !table.holds("beta-likeness-basic(beta=8.999)")
    );
    // -ln 0.05 is 3.0: no beta allows a gain of 9.
    assert!(!table.holds("beta-likeness-enhanced(beta=9)"));
    assert_eq!(table.achieved("beta-likeness-enhanced(beta=9)", "beta"), f64::INFINITY);
    // The second class has no HIV at all.
    assert_eq!(table.achieved("delta-disclosure(delta=100)", "delta"), f64::INFINITY);
}

#[test]
fn shares_of_90_5_3_and_2_percent() {
    // Recursive diversity with c = 9 cannot bound a confidence as bounding does.
    let texts: Vec<&str> = [("a", 90), ("b", 5), ("c", 3), ("d", 2)]
        .iter()
        .flat_map(|(text, n)| std::iter::repeat_n(*text, *n))
        .collect();
    let table = Table::new(&["q"], &["x"; 100], vec![Sensitive::new("s", &texts)]);
    assert!(near(table.achieved("l-diversity-recursive(c=10, l=2)", "c"), 9.0));
    assert!(near(table.achieved("l-diversity-recursive(c=10, l=3)", "c"), 18.0));
    assert_eq!(table.achieved("confidence-bounding(h=0.9)", "h"), 0.9);
    assert!(
        table.holds("confidence-bounding(h=0.9)") && !table.holds("confidence-bounding(h=0.89)")
    );
}

/// Table 6.1: job, sex, age; and the surgery.
const SURGERIES: [(&str, &str); 11] = [
    ("Janitor,M,34", "Transgender"),
    ("Doctor,M,58", "Plastic"),
    ("Mover,M,34", "Transgender"),
    ("Lawyer,M,24", "Vascular"),
    ("Mover,M,58", "Urology"),
    ("Janitor,M,44", "Plastic"),
    ("Doctor,M,24", "Urology"),
    ("Lawyer,F,58", "Plastic"),
    ("Doctor,F,44", "Vascular"),
    ("Carpenter,F,63", "Vascular"),
    ("Technician,F,63", "Plastic"),
];

fn surgeries(generalized: bool) -> Table {
    let (nt, p, t) = ("Non-Technical,M,[30-60)", "Professional", "Technical,F,[60-99)");
    let recoded = [
        nt.to_string(),
        format!("{p},M,[30-60)"),
        nt.to_string(),
        format!("{p},M,[1-30)"),
        nt.to_string(),
        nt.to_string(),
        format!("{p},M,[1-30)"),
        format!("{p},F,[30-60)"),
        format!("{p},F,[30-60)"),
        t.to_string(),
        t.to_string(),
    ];
    let raw = SURGERIES.map(|(row, _)| row);
    let rows: Vec<&str> =
        if generalized { recoded.iter().map(String::as_str).collect() } else { raw.to_vec() };
    let surgery = Sensitive::new("surgery", &SURGERIES.map(|(_, surgery)| surgery));
    Table::new(&["job", "sex", "age"], &rows, vec![surgery])
}

#[test]
fn surgeries_are_lkc_private_but_not_2_anonymous() {
    // Tables 6.1 and 6.2.
    let call = "lkc-privacy(l=2, k=2, c=0.5, on=surgery, values=[Transgender])";
    let table = surgeries(true);
    let guarantees = table.ask(call);
    assert!(guarantees.iter().all(|g| g.holds && g.violations == 0 && g.scope == "projection"));
    assert_eq!(guarantees.iter().map(|g| g.achieved).collect::<Vec<_>>(), [2.0, 0.5]);
    assert!(!table.holds("k-anonymity(k=2)") && !table.holds(&call.replace("l=2", "l=3")));
    assert!(
        !table.holds(&call.replace("0.5", "0.49")) && !table.holds(&call.replace("k=2", "k=3"))
    );
    let raw = surgeries(false);
    assert!(!raw.holds(call));
    assert_eq!(raw.achieved(call, "k"), 1.0, "<Mover, 34> is one record");
    assert_eq!(raw.achieved(call, "c"), 1.0, "<M, 34> is all Transgender");

    // Every group of two columns: how many people, how many of them Transgender.
    let code =
        table.sensitive[0].domain.labels().position(|label| label == "Transgender").unwrap() as u32;
    let classes = table.classes();
    let groups = |columns: &[usize]| {
        let mut groups: Vec<(u64, u64)> = classes
            .project(columns)
            .iter()
            .map(|g| (g.people, g.histograms[0].count(code)))
            .collect();
        groups.sort_unstable();
        groups
    };
    assert_eq!(groups(&[0, 1]), [(2, 0), (2, 0), (3, 0), (4, 2)]);
    assert_eq!(groups(&[0, 2]), [(2, 0), (2, 0), (3, 0), (4, 2)]);
    assert_eq!(groups(&[1, 2]), [(2, 0), (2, 0), (2, 0), (5, 2)]);
}

#[test]
fn lkc_has_the_other_models_as_special_cases() {
    for generalized in [false, true] {
        let table = surgeries(generalized);
        for k in 1..4 {
            assert_eq!(
                table.holds(&format!("lkc-privacy(l=9, k={k}, c=1)")),
                table.holds(&format!("k-anonymity(k={k})"))
            );
            let smaller = |l: usize| table.holds(&format!("lkc-privacy(l={l}, k={k}, c=0.5)"));
            assert!(smaller(1) || !smaller(2), "knowing less finds no more");
        }
        for h in ["0.2", "0.5", "1"] {
            let bounded = table.holds(&format!("confidence-bounding(h={h}, values=[Transgender])"));
            // Smaller sets of columns are mixtures, so they can't break it with one record per
            // person.
            assert_eq!(
                table.holds(&format!("lkc-privacy(l=3, k=1, c={h}, values=[Transgender])")),
                bounded
            );
        }
    }
}

#[test]
fn salaries_and_diseases_of_the_t_closeness_paper() {
    // Nine salaries in three classes; from 3k to 11k, the least earners together.
    let salary = ["3", "4", "5", "6", "8", "11", "7", "9", "10"];
    let disease = [
        "gastric ulcer",
        "gastritis",
        "stomach cancer",
        "gastritis",
        "flu",
        "bronchitis",
        "bronchitis",
        "pneumonia",
        "stomach cancer",
    ];
    let tree = [
        "flu;respiratory;any",
        "pneumonia;respiratory;any",
        "bronchitis;respiratory;any",
        "gastric ulcer;digestive;any",
        "gastritis;digestive;any",
        "stomach cancer;digestive;any",
    ];
    let rows = ["a", "a", "a", "b", "b", "b", "c", "c", "c"];
    let table = Table::new(
        &["q"],
        &rows,
        vec![Sensitive::new("salary", &salary), Sensitive::with_tree("disease", &disease, &tree)],
    );
    // Printed in the paper: {3k, 4k, 5k} is 0.375 from the whole and {6k, 8k, 11k} 0.167.
    assert!(near(table.achieved("t-closeness(t=1, on=salary)", "t"), 0.375));
    for (t, violations) in [("0.374", 1), ("0.23", 2), ("0.167", 2), ("0.166", 3)] {
        assert_eq!(
            table.ask(&format!("t-closeness(t={t}, on=salary)"))[0].violations,
            violations,
            "{t}"
        );
    }
    let guarantee = &table.ask("t-closeness(t=0.5, on=salary)")[0];
    assert_eq!(guarantee.requirement, "t-closeness(distance=ordered, on=salary, t=0.5)");
    // By hand, in ninths: all of the first class is digestive where the release has 5, so 4 cross
    // the top at 1 each. In both others 2 cross the top, and 1 changes place below each of its two
    // children, at 1/2.
    let hierarchical = |t: &str| {
        table.ask(&format!("t-closeness(t={t}, on=disease, distance=hierarchical)")).remove(0)
    };
    assert!(near(hierarchical("1").achieved, 4.0 / 9.0));
    assert_eq!(["0.444", "0.334", "0.333"].map(|t| hierarchical(t).violations), [1, 1, 3]);
    // Where all diseases are equally far apart, 4 move in every class.
    let equal = |t: &str| table.ask(&format!("t-closeness(t={t}, on=disease)")).remove(0);
    assert!(near(equal("1").achieved, 4.0 / 9.0));
    assert_eq!(["0.445", "0.444"].map(|t| equal(t).violations), [0, 3]);
}

#[test]
fn a_missing_value_is_a_value() {
    let table = Table::new(&["q"], &["x"; 4], vec![Sensitive::new("s", &["", "", "a", "b"])]);
    assert_eq!(table.achieved("l-diversity-distinct(l=1)", "l"), 3.0);
    assert_eq!(table.achieved("confidence-bounding(h=1)", "h"), 0.5);
    assert_eq!(table.achieved("confidence-bounding(h=1, values=[a, b])", "h"), 0.25);
    let numbers = Table::new(&["q"], &["x"; 4], vec![Sensitive::new("s", &["", "", "1", "5"])]);
    assert_eq!(numbers.achieved("k-e-anonymity(k=1, e=0)", "k"), 2.0);
    assert_eq!(numbers.achieved("variance-diversity(v=0)", "v"), 4.0);
    assert_eq!(
        numbers.achieved("eps-m-anonymity(eps=0, m=1)", "m"),
        2.0,
        "missing is alike to missing"
    );
    let none = Table::new(&["q"], &["x", "y", "y"], vec![Sensitive::new("s", &["", "1", "2"])]);
    assert_eq!(none.ask("variance-diversity(v=0.25)")[0].violations, 1);
    assert!(none.holds("variance-diversity(v=0)") && !none.holds("k-e-anonymity(k=1, e=0)"));
}

#[test]
fn variance_is_exact_in_decimals_dates_and_huge_numbers() {
    let table = |texts: &[&str]| {
        let rows: Vec<&str> = vec!["x"; texts.len()];
        Table::new(&["q"], &rows, vec![Sensitive::new("s", texts)])
    };
    // 0.1 and 0.3: variance 0.01, which floating point misses.
    let decimals = table(&["0.1", "0.3"]);
    assert_eq!(decimals.sensitive[0].domain.kind, ValueKind::Decimal { scale: 1 });
    assert!(decimals.holds("variance-diversity(v=0.01)"));
    assert!(!decimals.holds("variance-diversity(v=0.010000000000000000000000001)"));
    let thirds = table(&["1", "2", "3"]);
    assert!(thirds.holds("variance-diversity(v=0.66666666666666666666)"));
    assert!(!thirds.holds("variance-diversity(v=0.66666666666666666667)"));
    assert!(near(thirds.achieved("variance-diversity(v=0)", "v"), 2.0 / 3.0));
    let days = table(&["2024-02-28", "2024-03-01"]);
    assert!(days.holds("variance-diversity(v=1)") && !days.holds("variance-diversity(v=1.0001)"));
    // The longest decimals: n * sum(x^2) needs more than 128 bits.
    let huge = table(&["-9.223372036854775807", "9.223372036854775807"]);
    assert!(huge.holds("variance-diversity(v=85.0705917302346158473969077842)"));
    assert!(!huge.holds("variance-diversity(v=85.0705917302346158473969077843)"));
    let floats = table(&["1e300", "-1e300"]);
    assert_eq!(floats.sensitive[0].domain.kind, ValueKind::Float);
    assert!(floats.holds("variance-diversity(v=1e20)"));
    let same = table(&["1e308", "1e308", "1e308"]);
    assert!(!same.holds("variance-diversity(v=0.001)"), "equal numbers don't vary, however large");
    assert_eq!(same.achieved("variance-diversity(v=0)", "v"), 0.0);
    let close = table(&["1000000000.1e0", "1000000000.3e0"]);
    assert!((close.achieved("variance-diversity(v=0)", "v") - 0.01).abs() < 1e-7);
    // 3e-1 - 1e-1 is a hair below 0.2 in floating point.
    assert!(table(&["1e-1", "3e-1"]).holds("k-e-anonymity(k=2, e=0.2)"));
    assert!(table(&["1e-1", "3e-1"]).holds("variance-diversity(v=0.01)"));
}

#[test]
fn bounds_are_exact_at_equality() {
    // In floating point 0.29 * 100 is 28.999999999999996, and 29 of 100 would fail.
    for n in (1..=60usize).chain([100]) {
        for count in 1..=n {
            let texts: Vec<&str> = std::iter::repeat_n("a", count)
                .chain(std::iter::repeat_n("b", n - count))
                .collect();
            let rows = vec!["x"; n];
            let table = Table::new(&["q"], &rows, vec![Sensitive::new("s", &texts)]);
            if (1000 * count) % n == 0 {
                let h = 1000 * count / n;
                let call = |h: usize| {
                    format!("confidence-bounding(h={}.{:03}, values=a)", h / 1000, h % 1000)
                };
                assert!(table.holds(&call(h)), "{count} of {n}");
                assert!(h == 1 || !table.holds(&call(h - 1)), "{count} of {n}");
            }
        }
    }
}

#[test]
fn errors_say_what_is_wrong_and_what_to_do() {
    let table = Table::new(
        &["a", "b"],
        &["0,0", "0,1"],
        vec![Sensitive::new("disease", &["Flu", "HIV"]), Sensitive::new("salary", &["1", "2"])],
    );
    assert_eq!(
        table.error("variance-diversity(v=1, on=disease)"),
        "variance-diversity needs numbers; column 'disease' holds text"
    );
    assert_eq!(
        table.error("k-e-anonymity(k=2, e=1)"),
        "k-e-anonymity needs numbers; column 'disease' holds text"
    );
    assert_eq!(
        table.error("eps-m-anonymity(eps=2, m=1, on=age)"),
        "eps-m-anonymity: 'age' is not a sensitive column"
    );
    assert_eq!(
        table.error("confidence-bounding(h=0.5, on=disease, values=[Measles])"),
        "confidence-bounding: 'Measles' is not a value of column 'disease'"
    );
    assert_eq!(
        table.error("alpha-k-anonymity(alpha=0.5, k=2, values=[HIV])"),
        "alpha-k-anonymity: values needs to know of which column"
    );
    assert_eq!(
        table.error("confidence-bounding(h=0.5, on=disease, values=[])"),
        "confidence-bounding: values names no value"
    );
    assert_eq!(
        table.error("t-closeness(t=0.1, on=disease, distance=hierarchical)"),
        "t-closeness: distance=hierarchical needs a hierarchy for column 'disease'"
    );
    assert_eq!(
        table.error("t-closeness(t=0.1, on=disease, distance=ordered)"),
        "t-closeness: distance=ordered needs an order; column 'disease' holds text and has no \
            hierarchy"
    );
    assert_eq!(
        table.error("confidence-bounding(h=1e-200)"),
        "confidence-bounding: h='1e-200' is too long to be compared exactly"
    );
    assert_eq!(
        table.error("l-diversity-entropy(l=0.5)"),
        "l-diversity-entropy: l must be a number of at least 1, not '0.5'"
    );
    let bare = Table::new(&["a"], &["0"], vec![]);
    assert_eq!(
        bare.error("l-diversity-distinct(l=2)"),
        "l-diversity-distinct needs a sensitive column"
    );
    let names: Vec<&'static str> =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO".split("").filter(|s| !s.is_empty()).collect();
    let wide = Table::new(&names, &[], vec![Sensitive::new("s", &["x"])]);
    assert_eq!(
        wide.error("lkc-privacy(l=6, k=2, c=0.5)"),
        "lkc-privacy: 41 quasi columns have more than 200000 subsets of up to 6 columns"
    );
    assert!(wide.requirements("lkc-privacy(l=4, k=2, c=0.5)").is_ok());
    let error =
        table.requirements("t-closeness(t=0.1, on=disease, distance=hierarchical)").err().unwrap();
    assert_eq!(
        error.hint.as_deref(),
        Some("give one with --hierarchy disease=FILE, or take distance=equal")
    );
    assert_eq!(
        sfumato_table::models::find("k-anonimity").err().unwrap().hint.as_deref(),
        Some("did you mean k-anonymity? 'sfumato list models' shows all")
    );
}

#[test]
fn without_on_every_sensitive_column_is_asked() {
    let table = Table::new(
        &["a"],
        &["0", "0", "0"],
        vec![
            Sensitive::new("disease", &["Flu", "HIV", "HIV"]),
            Sensitive::new("salary", &["1", "2", "3"]),
        ],
    );
    let guarantees = table.ask("l-diversity-distinct(l=3)");
    let told: Vec<(&str, f64, bool)> =
        guarantees.iter().map(|g| (g.requirement.as_str(), g.achieved, g.holds)).collect();
    assert_eq!(
        told,
        [
            ("l-diversity-distinct(l=3, on=disease)", 2.0, false),
            ("l-diversity-distinct(l=3, on=salary)", 3.0, true)
        ]
    );
    let distances: Vec<String> =
        table.ask("t-closeness(t=1)").into_iter().map(|g| g.requirement).collect();
    assert_eq!(
        distances,
        [
            "t-closeness(distance=equal, on=disease, t=1)",
            "t-closeness(distance=ordered, on=salary, t=1)"
        ]
    );
}
