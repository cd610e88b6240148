//! `GET /api/v1/catalogue`: models by what they stop, algorithms, attacks and builders, in the
//! words of their own pages.

use serde_json::{Value, json};
use sfumato_core::registry::Info;
use sfumato_kinds::RELEASES;

use super::answer::{self, Answer};

/// `GET /api/v1/catalogue`
pub(crate) async fn catalogue() -> Answer {
    let mut kinds: Vec<Value> = Vec::new();
    for entry in RELEASES.all() {
        if kinds.iter().all(|kind| kind["kind"] != entry.kind()) {
            let models: Vec<Value> = entry.models().into_iter().map(model).collect();
            kinds.push(json!({
                "kind": entry.kind(), "plural": entry.plural(), "section": entry.section(),
                "models": models, "forms": [],
            }));
        }
        let form = json!({
            "form": entry.form(),
            "algorithms": infos(entry.algorithms()),
            "attacks": infos(entry.attacks()),
            "metrics": infos(entry.metrics()),
        });
        let forms = kinds.last_mut().and_then(|kind| kind["forms"].as_array_mut());
        if let Some(forms) = forms {
            forms.push(form);
        }
    }
    let builders = sfumato_hierarchy::ALL.iter().map(|entry| entry.info()).collect();
    answer::json(&json!({ "kinds": kinds, "hierarchies": infos(builders) }))
}

fn infos(list: Vec<&'static Info>) -> Vec<Value> {
    list.into_iter().map(plain).collect()
}

fn plain(info: &'static Info) -> Value {
    let params: Vec<Value> = info
        .params
        .iter()
        .map(|param| {
            json!({
                "name": param.name, "type": param.kind.range(), "default": param.default,
                "required": param.default.is_none() && !param.optional, "help": param.help,
            })
        })
        .collect();
    json!({ "name": info.name, "summary": info.summary, "params": params })
}

fn model(info: &'static Info) -> Value {
    let stops: Vec<&str> = info.about.limits.iter().map(|limit| limit.name()).collect();
    let mut model = plain(info);
    model["stops"] = stops.into();
    model["promises"] = part(info.doc, "What it promises", 0).into();
    model["misses"] = part(info.doc, "What it does not stop", 1).into();
    model["needs_original"] = info.about.needs_original().into();
    let paper = info.papers.first();
    model["paper"] = paper.map(|paper| format!("{}, {}", paper.authors, paper.year)).into();
    model
}

/// A part of a page, as one line. A short page has no titles: its first paragraph says what is
/// promised, and its second what isn't.
fn part(page: &str, title: &str, place: usize) -> String {
    let text = match page.contains("## ") {
        true => page.split("## ").find_map(|part| part.strip_prefix(title)),
        false => page.split("\n\n").nth(place),
    };
    let plain = text.unwrap_or_default().replace("**", "").replace('`', "");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_says_what_it_stops() {
        for entry in RELEASES.all() {
            for info in entry.models() {
                let told = model(info);
                assert!(!told["stops"].as_array().unwrap().is_empty(), "{}", info.name);
                assert!(told["promises"].as_str().unwrap().len() > 20, "{}", info.name);
            }
        }
    }

    #[test]
    fn a_part_ends_where_the_next_begins() {
        assert_eq!(part("## A\n\nx\n`y`\n\n## B\n\nz\n", "A", 0), "x y");
        assert_eq!(part("## A\n\nx\n", "B", 1), "");
        assert_eq!(part("**x** y\n\nz", "A", 0), "x y");
        assert_eq!(part("x\n\nz", "B", 1), "z");
    }
}
