//! Writes the comparison as CSV: one line for each number of clusters and arm.

use super::ClusterStudy;
use crate::csv::push_line;

const HEADING: &str = "clusters,algorithm,told,f_measure,match_point,clusters_found,compared,suppressed,classes,ncp,best,infeasible\n";

/// The table with its heading.
pub fn csv(study: &ClusterStudy) -> String {
    let mut text = HEADING.to_string();
    for clusters in &study.numbers {
        for (place, arm) in clusters.arms.iter().enumerate() {
            let mut fields = vec![clusters.clusters.to_string(), arm.name(), arm.told().into()];
            match &arm.figures {
                None => fields.extend(std::iter::repeat_n(String::new(), 7)),
                Some(f) => fields.extend([
                    f.alike.f_measure.to_string(),
                    f.alike.match_point.to_string(),
                    f.clusters.to_string(),
                    f.compared.to_string(),
                    f.suppressed.to_string(),
                    f.classes.to_string(),
                    f.ncp.map_or(String::new(), |ncp| ncp.to_string()),
                ]),
            }
            fields.push((clusters.best == Some(place)).to_string());
            fields.push(arm.infeasible.clone().unwrap_or_default());
            push_line(&mut text, &fields);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::fixture::study;

    #[test]
    fn every_line_has_every_field() {
        let text = csv(&study());
        assert_eq!(text.lines().count(), 1 + 2 * 3);
        assert!(
            text.contains("\n3,auto: mondrian,labels,0.875,0.925,3,990,10,80,0.2,true,\n"),
            "{text}"
        );
        assert!(
            text.contains(
                "\n4,full-domain,labels,,,,,,,,false,\"it can't, \"\"really\"\" <so>\"\n"
            ),
            "{text}"
        );
    }
}
