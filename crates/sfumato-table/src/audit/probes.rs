//! Finds the strongest parameters with which each model holds, whether it was required or not.

use sfumato_core::Result;
use sfumato_core::dataset::Table;
use sfumato_core::group::Guarantee;
use sfumato_core::registry::Call;
use sfumato_core::traits::Requirements;
use sfumato_report as shown;

use super::Achieved;
use crate::forms::generalized::make_plan::{bind_models, bind_table};

/// Models bound with parameters that anything satisfies, to read off what is achieved. `%` stands
/// for the column.
const PROBES: [(&str, Need); 9] = [
    ("k-anonymity(k=1)", Need::Nothing),
    ("l-diversity-distinct(l=1, on=%)", Need::Column),
    ("l-diversity-entropy(l=1, on=%)", Need::Column),
    ("l-diversity-recursive(c=1, l=2, on=%)", Need::Column),
    ("l-diversity-recursive(c=1, l=3, on=%)", Need::Column),
    ("t-closeness(t=1, distance=equal, on=%)", Need::Column),
    ("t-closeness(t=1, distance=ordered, on=%)", Need::Order),
    ("t-closeness(t=1, distance=hierarchical, on=%)", Need::Tree),
    ("alpha-k-anonymity(alpha=1, k=1, on=%)", Need::Column),
];

/// What a probe needs of a sensitive column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    Nothing,
    Column,
    Order,
    Tree,
}

/// A model bound to one column.
pub struct Probe {
    call: Call,
    column: Option<String>,
    need: Need,
    /// The bound requirements.
    pub requirements: Requirements,
}

/// All probes that a table allows.
pub fn probes(table: &Table) -> Result<Vec<Probe>> {
    let bind = bind_table(table);
    let mut all = Vec::new();
    for (probe, need) in PROBES {
        let columns: Vec<Option<&str>> = match need {
            Need::Nothing => vec![None],
            _ => table
                .sensitive()
                .iter()
                .filter(|column| match need {
                    Need::Order => column.domain.kind.is_ordered() || column.hierarchy.is_some(),
                    Need::Tree => column.hierarchy.is_some(),
                    _ => true,
                })
                .map(|column| Some(column.name.as_str()))
                .collect(),
        };
        for column in columns {
            let mut call: Call = probe.parse()?;
            if let Some(name) = column {
                call.args.insert("on".into(), sfumato_core::registry::Argument::Word(name.into()));
            }
            let requirements = bind_models(&[call.to_string()], &bind)?;
            all.push(Probe { call, column: column.map(str::to_string), need, requirements });
        }
    }
    Ok(all)
}

impl Probe {
    /// Whether it is about sensitive values, and not about the number of equal records.
    pub fn is_about_values(&self) -> bool {
        self.need != Need::Nothing
    }

    /// The achieved values, for the report.
    pub fn achieved(&self, found: Vec<Guarantee>) -> Vec<Achieved> {
        let Probe { call, column, need, .. } = self;
        let variant = match (call.args.get("distance"), call.name.as_str(), call.args.get("l")) {
            (Some(distance), _, _) => format!(" ({distance})"),
            (_, "l-diversity-recursive", Some(l)) => format!(" (l={l})"),
            _ => String::new(),
        };
        let achieved = |found: Guarantee| Achieved {
            model: format!("{}{variant}", call.name),
            column: column.clone(),
            measure: found.measure.name.into(),
            value: shown::figure(found.achieved),
        };
        found
            .into_iter()
            .filter(|found| *need == Need::Nothing || found.measure.name != "k")
            .map(achieved)
            .collect()
    }
}
