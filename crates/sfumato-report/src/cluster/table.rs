//! Writes the comparison as tables of words for a terminal.

use std::fmt::Write as _;

use super::{ClusterStudy, Clusters};
use crate::evaluate::push_aligned;
use crate::numbers::{count, quantity};
use crate::words::tame;

/// The tables, each line ending with a newline.
pub fn words(study: &ClusterStudy) -> String {
    let mut text = String::new();
    let mut say = |label: &str, words: &str| {
        let _ = writeln!(text, "{label:<10} {}", tame(words));
    };
    say("data", &format!("{} ({} records)", study.input, count(study.rows)));
    say("quasi", &study.quasi.join(", "));
    say(
        "require",
        &format!("{}; at most {} suppressed", study.models.join(" and "), study.max_suppression),
    );
    let recipient = match &study.recipient {
        Some(other) => format!(", {other} on the releases"),
        None => String::new(),
    };
    let (clusterer, seed) = (&study.clusterer, study.seed);
    say("cluster", &format!("{clusterer} on the quasi columns{recipient}, seed {seed}"));
    for note in &study.notes {
        say("note", note);
    }
    for clusters in &study.numbers {
        push_clusters(&mut text, clusters);
    }
    text
}

fn push_clusters(text: &mut String, clusters: &Clusters) {
    let sizes: Vec<String> = clusters.sizes.iter().take(12).map(|n| count(*n)).collect();
    let more = if clusters.sizes.len() > 12 { ", ..." } else { "" };
    let _ = writeln!(
        text,
        "\n{} clusters of {}{more} records; how alike those of the releases are (1 is the same):",
        clusters.sizes.len(),
        sizes.join(", ")
    );
    let heading = ["", "told", "F", "match point", "clusters", "classes", "suppressed", "ncp"];
    let mut lines = vec![heading.map(String::from).to_vec()];
    let again = &clusters.again;
    let figure = |x: f64| format!("{x:.3}");
    lines.push(vec![
        "original, another seed".into(),
        String::new(),
        figure(again.f_measure),
        figure(again.match_point),
    ]);
    for (place, arm) in clusters.arms.iter().enumerate() {
        let Some(figures) = &arm.figures else { continue };
        let mark = if clusters.best == Some(place) { "*" } else { " " };
        lines.push(vec![
            tame(&arm.name()).to_string(),
            arm.told().into(),
            format!("{}{mark}", figure(figures.alike.f_measure)),
            figure(figures.alike.match_point),
            count(figures.clusters),
            count(figures.classes),
            count(figures.suppressed),
            figures.ncp.map_or("-".into(), quantity),
        ]);
    }
    push_aligned(text, &lines);
    if clusters.best.is_some() {
        let _ = writeln!(text, "*: the highest F");
    }
    for arm in &clusters.arms {
        if let Some(reason) = &arm.infeasible {
            let words = format!("{} ({}): {reason}", arm.name(), arm.told());
            let _ = writeln!(text, "infeasible {}", tame(&words));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::fixture::study;

    #[test]
    fn the_tables_say_everything() {
        let text = words(&study());
        for expected in [
            "data       folder/people & <more>.csv (1,000 records)\n",
            "require    k-anonymity(k=5); at most 1% suppressed\n",
            "cluster    k-means on the quasi columns, seed 7\n",
            "note       a note\n",
            "\n3 clusters of 600, 300, 100 records; how alike",
            "original, another seed           1.000        1.000\n",
            "auto: mondrian          labels  0.875*        0.925         3       80          10  \
                0.2\n",
            "auto: mondrian           blind  0.625         0.675         3       80          10  \
                0.2\n",
            "infeasible full-domain (labels): it can't, \"really\" <so>\n",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        assert!(!words(&ClusterStudy::default()).is_empty());
    }
}
