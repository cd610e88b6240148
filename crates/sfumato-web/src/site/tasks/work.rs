//! What the tasks do: each is a call of the library, with its progress told and its wish to stop
//! heard.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use serde_json::{Value, json};
use sfumato::{Explore, Report, Run};

use super::left::{Kept, Left};
use super::{Outcome, Page, Task};
use crate::site::Site;
use crate::site::body::text;
use crate::site::errors::Failure;
use crate::site::jobs::Asked;
use crate::site::preview::{Deadline, input_of, must_have};
use crate::site::sample::{self, Head};

/// How many rows a choice is tried on, and how many at most.
const SAMPLE: u64 = 5000;
pub(super) const LARGEST_SAMPLE: u64 = 200_000;

/// Begin what a request asks for.
pub(super) fn begin(site: &Arc<Site>, what: &str, said: &Value) -> Result<Arc<Task>, Failure> {
    let asked = Asked::of(said, &site.folder)?;
    match what {
        "jobs" => begin_run(site, asked, said, None),
        "explain" => begin_explain(site, asked),
        "explore" => begin_explore(site, asked, said),
        "audit" => begin_audit(site, asked, said),
        "attack" => begin_attack(site, asked, said),
        "clusters" => super::clusters::begin(site, asked, said),
        "compare" => begin_compare(site, asked, said),
        _ => Err(Failure::missing("there is no such task")),
    }
}

/// The place of a file that a request names beside its job.
pub(super) fn place(site: &Site, name: &str) -> Result<PathBuf, Failure> {
    site.folder.below(name).map_err(|error| Failure::of_core(error, &site.folder))
}

pub(super) fn parsed(text: &str) -> Result<Value, Failure> {
    serde_json::from_str(text).map_err(|_| Failure::bug("a result can't be read"))
}

/// Go on with a run that broke off with an earlier server.
pub(super) fn resume(site: &Arc<Site>, left: &Left) -> Result<Arc<Task>, Failure> {
    let asked = Asked::of(&left.request, &site.folder)?;
    let task = begin_run(site, asked, &left.request, Some(left))?;
    site.tasks.forget(&site.folder, &left.id);
    Ok(task)
}

fn begin_run(
    site: &Arc<Site>,
    mut asked: Asked,
    said: &Value,
    left: Option<&Left>,
) -> Result<Arc<Task>, Failure> {
    must_have(&asked, "input", "path")?;
    let output = must_have(&asked, "output", "path")?.to_string();
    let found = place(site, &output)?;
    let is_there = found.is_file() || sfumato::Manifest::find(&found).is_ok_and(|m| m.is_some());
    let is_forced = said.get("force").and_then(Value::as_bool) == Some(true);
    if is_there && !is_forced {
        let message = "there is already something where the release should go";
        let hint = "replace it, or name another place";
        return Err(Failure::new(StatusCode::CONFLICT, "parameters", 2, message, hint));
    }
    let says_memory = asked.sections.get("run").and_then(|run| run.get("memory")).is_some();
    if let Some(memory) = site.settings.memory.as_ref().filter(|_| !says_memory) {
        asked.job = asked.job.memory(memory);
    }
    let is_on_disk = says_memory || site.settings.memory.is_some();
    if left.is_some() && is_on_disk {
        asked.job = asked.job.resume();
    }
    let request = json!({
        "toml": asked.job.to_toml(), "force": is_forced, "on_disk": is_on_disk,
    });
    let inner = Arc::clone(site);
    // Kept until both the run has ended and its job was written down, whichever comes last.
    let kept = Arc::new(Mutex::new(None));
    let until_the_end = Arc::clone(&kept);
    let task = site.tasks.begin("run", output.clone(), move |task| {
        let _kept = until_the_end;
        let watched = Run::new(&asked.job).progress(|p| task.tell(p)).cancel(&task.cancel);
        let report = watched.files().map_err(|error| Failure::of(&error, &inner.folder))?;
        outcome_of_run(&inner, &asked, &report)
    })?;
    let told = Left::told(&task.title, task.began(), &request);
    *kept.lock().unwrap_or_else(PoisonError::into_inner) = Kept::new(&site.folder, &task.id, &told);
    Ok(task)
}

fn outcome_of_run(site: &Site, asked: &Asked, report: &Report) -> Result<Outcome, Failure> {
    let written: Vec<&str> = ["path", "report", "public_report", "recoding"]
        .iter()
        .filter_map(|key| asked.text("output", key))
        .filter(|path| site.folder.below(path).is_ok_and(|path| path.exists()))
        .collect();
    let result = json!({
        "report": parsed(&site.folder.shorten(&report.to_json()))?,
        "release": asked.text("output", "path"),
        "original": asked.text("input", "path"),
        "written": written,
        "is_folder": asked.text("output", "path").is_some_and(|path| {
            site.folder.below(path).is_ok_and(|path| path.is_dir())
        }),
    });
    let page = |name, kind, text| Page { name, kind, text };
    let html = "text/html; charset=utf-8";
    let pages = vec![
        page("report.html", html, report.to_html()),
        page("public-report.html", html, report.public_html()),
        page("report.json", "application/json", report.to_json()),
        page("public-report.json", "application/json", report.public_json()),
        page("release.toml", "application/toml", asked.toml.clone()),
    ];
    Ok(Outcome { result, pages })
}

fn begin_explain(site: &Arc<Site>, asked: Asked) -> Result<Arc<Task>, Failure> {
    let title = must_have(&asked, "input", "path")?.to_string();
    let inner = Arc::clone(site);
    site.tasks.begin("explain", title, move |task| {
        let watched = Run::new(&asked.job).progress(|p| task.tell(p)).cancel(&task.cancel);
        let failed = |error: sfumato::Error| Failure::of(&error, &inner.folder);
        let plan = watched.explain().map_err(failed)?;
        let json = parsed(&plan.to_json().map_err(failed)?)?;
        let words = inner.folder.shorten(&plan.to_string());
        let result = json!({ "plan": json, "words": words, "toml": asked.toml });
        Ok(Outcome { result, pages: Vec::new() })
    })
}

/// What k costs, on a sample of a table unless all is asked for. Other kinds have no sample: they
/// are explored whole.
fn begin_explore(site: &Arc<Site>, asked: Asked, said: &Value) -> Result<Arc<Task>, Failure> {
    let title = must_have(&asked, "input", "path")?.to_string();
    let is_whole = said.get("whole").and_then(Value::as_bool) == Some(true);
    let rows = said.get("sample").and_then(Value::as_u64).unwrap_or(SAMPLE).min(LARGEST_SAMPLE);
    let list = |key: &str| said.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let ks: Vec<u64> = list("ks").iter().filter_map(Value::as_u64).filter(|k| *k > 0).collect();
    let algorithms: Vec<String> =
        list("algorithms").iter().filter_map(|name| Some(name.as_str()?.to_string())).collect();
    let with_lattice = said.get("lattice").and_then(Value::as_bool) == Some(true);
    let inner = Arc::clone(site);
    site.tasks.begin("explore", title, move |task| {
        let failed = |error: sfumato::Error| Failure::of(&error, &inner.folder);
        let is_sample = !is_whole && asked.is_table();
        let asked = if is_sample { without_format(asked, &inner)? } else { asked };
        let mut explore = Explore::new(&asked.job).progress(|p| task.tell(p)).cancel(&task.cancel);
        if with_lattice && asked.is_table() {
            explore = explore.lattice();
        }
        if !ks.is_empty() {
            explore = explore.ks(ks);
        }
        if !algorithms.is_empty() {
            explore = explore.algorithms(algorithms);
        }
        let (found, of) = match is_sample {
            true => {
                let (batch, of) = sampled(&inner, &asked, rows as usize)?;
                let found = explore.data(batch).map_err(failed)?;
                (found, of)
            }
            false => {
                let path = place(&inner, asked.text("input", "path").unwrap_or_default())?;
                (explore.data(path).map_err(failed)?, None)
            }
        };
        let mut pages = Vec::new();
        if let Some(text) = found.lattice_svg() {
            pages.push(Page { name: "lattice.svg", kind: "image/svg+xml", text });
        }
        let csv = Page { name: "explore.csv", kind: "text/csv", text: found.to_csv() };
        let svg = Page { name: "explore.svg", kind: "image/svg+xml", text: found.to_svg() };
        let mut result = parsed(&found.to_json())?;
        result["input"] = asked.text("input", "path").into();
        result["is_sample"] = is_sample.into();
        result["sampled_from"] = of.into();
        result["is_feasible"] = found.is_feasible().into();
        pages.extend([csv, svg]);
        Ok(Outcome { result, pages })
    })
}

/// The job of rows in memory: how their file is written says nothing of them.
pub(super) fn without_format(asked: Asked, site: &Site) -> Result<Asked, Failure> {
    let mut sections = asked.sections.clone();
    if let Some(input) = sections.get_mut("input").and_then(toml::Value::as_table_mut) {
        ["format", "delimiter", "header", "encoding"].iter().for_each(|key| {
            input.remove(*key);
        });
    }
    let plain = Asked::of_sections(sections, &site.folder)?;
    Ok(Asked { sections: asked.sections, ..plain })
}

/// Rows of the file of a job, and how many there are; none if only a part was looked at.
pub(super) fn sampled(
    site: &Site,
    asked: &Asked,
    rows: usize,
) -> Result<(arrow_array::RecordBatch, Option<u64>), Failure> {
    let take = || {
        let mut input = input_of(site, asked)?;
        let head = Head::spread(std::path::Path::new(&input.path))?;
        input = head.instead(input);
        let table = sample::table(&input, &Deadline::new())?;
        let of = head.part.is_none().then_some(table.n_rows as u64);
        Ok((sample::rows(&table, rows)?, of))
    };
    take().map_err(|error| Failure::of_core(error, &site.folder))
}

fn begin_audit(site: &Arc<Site>, asked: Asked, said: &Value) -> Result<Arc<Task>, Failure> {
    let title = text(said, "release")?.to_string();
    let release = place(site, &title)?;
    let original = said.get("original").and_then(Value::as_str);
    let original = original.map(|name| place(site, name)).transpose()?;
    let inner = Arc::clone(site);
    site.tasks.begin("audit", title, move |task| {
        let failed = |error: sfumato::Error| Failure::of(&error, &inner.folder);
        let mut run = Run::new(&asked.job).progress(|p| task.tell(p)).cancel(&task.cancel);
        if let Some(original) = original {
            run = run.original(original);
        }
        let audit = run.audit(release).map_err(failed)?;
        let json = audit.to_json().map_err(failed)?;
        let mut result = parsed(&inner.folder.shorten(&json))?;
        result["words"] = inner.folder.shorten(audit.words()).into();
        Ok(Outcome { result, pages: Vec::new() })
    })
}

fn begin_attack(site: &Arc<Site>, asked: Asked, said: &Value) -> Result<Arc<Task>, Failure> {
    let title = text(said, "release")?.to_string();
    let (release, original) = (place(site, &title)?, place(site, text(said, "original")?)?);
    let more = |key: &str| {
        let name = said.get(key).and_then(Value::as_str);
        name.map(|name| place(site, name)).transpose()
    };
    let (population, control, other) = (more("population")?, more("control")?, more("other")?);
    let names = said.get("attacks").and_then(Value::as_array).cloned().unwrap_or_default();
    let inner = Arc::clone(site);
    site.tasks.begin("attack", title, move |task| {
        let failed = |error: sfumato::Error| Failure::of(&error, &inner.folder);
        let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
        let mut run = Run::new(&asked.job).progress(|p| task.tell(p)).cancel(&task.cancel);
        run = run.original(original);
        if let Some(population) = population {
            run = run.population(population);
        }
        if let Some(control) = control {
            run = run.control(control);
        }
        if let Some(other) = other {
            run = run.other_release(other);
        }
        let learnt = run.attack(release, &names).map_err(failed)?;
        let mut result = parsed(&inner.folder.shorten(&learnt.to_json().map_err(failed)?))?;
        result["words"] = inner.folder.shorten(&learnt.words()).into();
        Ok(Outcome { result, pages: Vec::new() })
    })
}

fn begin_compare(site: &Arc<Site>, asked: Asked, said: &Value) -> Result<Arc<Task>, Failure> {
    let names = said.get("releases").and_then(Value::as_array).cloned().unwrap_or_default();
    let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    if names.len() < 2 {
        return Err(Failure::wrong("name two releases or more", "'releases' is a list of files"));
    }
    let title = names.join(", ");
    let releases = names.iter().map(|name| place(site, name)).collect::<Result<Vec<_>, _>>()?;
    let original = place(site, text(said, "original")?)?;
    let inner = Arc::clone(site);
    site.tasks.begin("compare", title, move |task| {
        let failed = |error: sfumato::Error| Failure::of(&error, &inner.folder);
        let run = Run::new(&asked.job).progress(|p| task.tell(p)).cancel(&task.cancel);
        let releases = releases.into_iter().map(Into::into).collect();
        let compared = run.original(original).compare(releases).map_err(failed)?;
        let mut result = parsed(&inner.folder.shorten(&compared.to_json().map_err(failed)?))?;
        result["words"] = inner.folder.shorten(&compared.words()).into();
        let html = "text/html; charset=utf-8";
        let page = Page { name: "comparison.html", kind: html, text: compared.to_html() };
        Ok(Outcome { result, pages: vec![page] })
    })
}
