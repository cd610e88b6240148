//! Finds the strongest parameters with which each model holds, whether it was required or not.
//! Which models are asked, and with which parameters, is said by the models themselves.

use sfumato_core::Result;
use sfumato_core::dataset::{Column, Table};
use sfumato_core::group::Guarantee;
use sfumato_core::registry::{Argument, Call, ProbedColumns};
use sfumato_core::traits::Requirements;
use sfumato_report as shown;

use super::Achieved;
use crate::forms::generalized::make_plan::{bind_models, bind_table};
use crate::models;

/// A model bound to one column, with parameters that anything satisfies.
pub struct BoundProbe {
    /// The name of the model, and what tells this probe from its others.
    model: String,
    column: Option<String>,
    /// The bound requirements.
    pub requirements: Requirements,
}

fn suits(column: &Column, on: ProbedColumns) -> bool {
    match on {
        ProbedColumns::None => false,
        ProbedColumns::All => true,
        ProbedColumns::Ordered => column.domain.kind.is_ordered() || column.hierarchy.is_some(),
        ProbedColumns::WithHierarchy => column.hierarchy.is_some(),
    }
}

/// All probes that a table allows.
pub fn probes(table: &Table) -> Result<Vec<BoundProbe>> {
    let bind = bind_table(table);
    let mut all = Vec::new();
    for info in models::ALL.iter().map(|model| model.info()) {
        for probe in info.probes {
            let columns: Vec<Option<&str>> = match probe.on {
                ProbedColumns::None => vec![None],
                on => {
                    let sensitive = table.sensitive();
                    let suiting = sensitive.iter().filter(|column| suits(column, on));
                    suiting.map(|column| Some(column.name.as_str())).collect()
                }
            };
            let model = match probe.variant {
                "" => info.name.to_string(),
                variant => format!("{} ({variant})", info.name),
            };
            for column in columns.into_iter().map(|column| column.map(str::to_string)) {
                let mut call: Call = format!("{}({})", info.name, probe.args).parse()?;
                if let Some(name) = &column {
                    call.args.insert("on".into(), Argument::Word(name.clone()));
                }
                let requirements = bind_models(&[call.to_string()], &bind)?;
                all.push(BoundProbe { model: model.clone(), column, requirements });
            }
        }
    }
    Ok(all)
}

impl BoundProbe {
    /// Whether it is about sensitive values, and not about the number of equal records.
    pub fn is_about_values(&self) -> bool {
        self.column.is_some()
    }

    /// The achieved values, for the report.
    pub fn achieved(&self, found: Vec<Guarantee>) -> Vec<Achieved> {
        let achieved = |found: Guarantee| Achieved {
            model: self.model.clone(),
            column: self.column.clone(),
            measure: found.measure.name.into(),
            value: shown::figure(found.achieved),
        };
        // The number of equal records has a probe of its own.
        found
            .into_iter()
            .filter(|found| !self.is_about_values() || found.measure.name != "k")
            .map(achieved)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use sfumato_core::registry::Params;

    use super::*;

    #[test]
    fn every_probe_is_a_call_that_its_model_allows() {
        let mut n = 0;
        for info in models::ALL.iter().map(|model| model.info()) {
            for probe in info.probes {
                let call: Call = format!("{}({})", info.name, probe.args).parse().unwrap();
                Params::check(info, &call.args).unwrap();
                let takes_column = info.params.iter().any(|spec| spec.name == "on");
                assert!(takes_column || probe.on == ProbedColumns::None, "{}", info.name);
                n += 1;
            }
            let variants: Vec<&str> = info.probes.iter().map(|probe| probe.variant).collect();
            let mut different = variants.clone();
            different.sort_unstable();
            different.dedup();
            assert_eq!(different.len(), variants.len(), "{}: probes look alike", info.name);
        }
        assert!(n >= 9, "an audit shows nothing");
    }
}
