//! The arguments of `sfumato audit` for a table, so that a reader of a report can check it.

use serde_json::Value;
use sfumato_core::dataset::Role;
use sfumato_report::{Audit, Column, Guarantee, name_list};

/// The arguments for a release of generalized cells.
pub(super) fn of_generalized(job: &Value, columns: &[Column], guarantees: &[Guarantee]) -> Audit {
    let mut audit = Audit::default();
    // Beside earlier releases the files are judged by what they say, and by their ledger.
    let ledger = job["ledger"]["path"].as_str();
    match ledger.filter(|_| guarantees.iter().any(|guarantee| guarantee.scope == "earlier")) {
        Some(ledger) => audit.add_private("--ledger", ledger),
        None => audit.add_original(),
    }
    if let Some(encoding) = job["input"]["encoding"].as_str() {
        audit.add_private("--encoding", encoding);
    }
    for column in columns {
        if let Some(written) = job["columns"][&column.name]["written"].as_str() {
            audit.add_private("--written", &format!("{}={written}", column.name));
        }
    }
    let quasi = of_role(columns, Role::Quasi);
    let roles = [("--qi", &quasi), ("--sensitive", &of_role(columns, Role::Sensitive))];
    let roles = roles.iter().filter(|(_, names)| !names.is_empty());
    // What labels cover in the original is said by their trees, and those by columns.
    if guarantees.iter().any(|guarantee| guarantee.scope == "linked") {
        roles.for_each(|(flag, names)| audit.add(flag, &name_list(names)));
        for (flag, value) in of_original(job, &quasi) {
            audit.add_private(flag, &value);
        }
    } else {
        roles.for_each(|(flag, names)| audit.add_public(flag, &name_list(names)));
    }
    audit
}

/// The names of the columns of a role.
pub(crate) fn of_role(columns: &[Column], role: Role) -> Vec<&str> {
    let found = columns.iter().filter(|column| column.role == role.name());
    found.map(|column| column.name.as_str()).collect()
}

/// How to read the original, from the job: which texts mean missing, and the hierarchies of
/// columns, a file by its path, others by their calls.
fn of_original(job: &Value, names: &[&str]) -> Vec<(&'static str, String)> {
    let missing = job["input"]["missing"].as_array().into_iter().flatten();
    let mut options: Vec<(&'static str, String)> =
        missing.filter_map(|token| Some(("--missing", token.as_str()?.to_string()))).collect();
    for name in names {
        let hierarchy = job["columns"][*name]["hierarchy"].as_object();
        let Some((builder, parameters)) = hierarchy.and_then(|call| call.iter().next()) else {
            continue;
        };
        let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), String::from);
        let how = match (builder.as_str(), &parameters["path"]) {
            ("file", Value::String(path)) => path.clone(),
            _ => {
                let parameters = parameters.as_object().into_iter().flatten();
                let parameters: Vec<String> =
                    parameters.map(|(name, value)| format!("{name}={}", plain(value))).collect();
                format!("{builder}({})", parameters.join(", "))
            }
        };
        options.push(("--hierarchy", format!("{name}={how}")));
    }
    options
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use sfumato_report::{Output, Report, summary};

    use super::*;

    #[test]
    fn hierarchies_are_named_as_they_are_typed() {
        let columns = json!({
            "age": { "role": "quasi", "hierarchy": { "interval": { "width": 5, "levels": 4 } } },
            "job": { "role": "quasi", "hierarchy": { "file": { "path": "my job.csv" } } },
            "sex": { "role": "quasi" },
        });
        let job = json!({ "input": { "missing": ["NA"] }, "columns": columns });
        let expected = [
            ("--missing", "NA"),
            ("--hierarchy", "age=interval(width=5, levels=4)"),
            ("--hierarchy", "job=my job.csv"),
        ];
        let found = of_original(&job, &["age", "sex", "job"]);
        assert_eq!(found, expected.map(|(flag, value)| (flag, value.to_string())));
    }

    #[test]
    fn trees_are_named_where_the_original_is_looked_at() {
        let column = |name: &str, role: Role| Column {
            name: name.into(),
            role: role.name().into(),
            ..Column::default()
        };
        let roles = [("age", Role::Quasi), ("id", Role::Identifier), ("ill", Role::Sensitive)];
        let columns = roles.map(|(name, role)| column(name, role));
        let job = json!({ "columns": { "age": { "hierarchy": { "mask": {} } } } });
        let check = |scope: &str| {
            let (model, scope) = ("m".into(), scope.into());
            let model = Guarantee { model, scope, ..Guarantee::default() };
            let audit = of_generalized(&job, &columns, std::slice::from_ref(&model));
            let output = Some(Output { path: "out.csv".into(), ..Output::default() });
            let mut report = Report { audit, output, guarantees: vec![model], ..Report::default() };
            report.input.path = "in.csv".into();
            let text = summary(&report);
            text.lines().last().unwrap().trim_start().to_string()
        };
        let audit = "sfumato audit out.csv --original in.csv";
        assert_eq!(check("class"), format!("check       {audit} --model m"));
        let columns = "--qi age --sensitive ill --hierarchy 'age=mask()'";
        let linked = format!("check       {audit} {columns} --model m");
        assert_eq!(check("linked"), linked);
    }
}
