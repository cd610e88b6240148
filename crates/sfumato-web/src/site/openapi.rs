//! The API, and its description by OpenAPI, from one list: a route that isn't described isn't
//! there.

use std::sync::Arc;

use axum::routing::{MethodRouter, delete, get, post, put};
use serde_json::{Value, json};

use super::answer::{self, Answer};
use super::{
    Site, catalogue, files, guards, hierarchy, jobs, ledger, look, preview, rows, shape, tasks,
};

/// A route of the API.
pub(crate) struct Route {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    summary: &'static str,
    /// The keys of the body: their names, types and what they mean. `file` is a file itself.
    body: &'static [Key],
    /// What is answered.
    answers: &'static [(&'static str, &'static str)],
    pub(crate) handler: MethodRouter<Arc<Site>>,
}

/// A key of a body: name, type, whether it must be there, meaning.
type Key = (&'static str, &'static str, bool, &'static str);

const JOB: Key = ("job", "object", false, "the sections of a release.toml");
const TOML: Key = ("toml", "string", false, "the text of a release.toml, in place of job");
const RELEASE: Key = ("release", "string", true, "the release, below the folder");
const ORIGINAL: Key = ("original", "string", true, "the data that it was made from");
const DONE: &[(&str, &str)] = &[("200", "what was asked for"), ("422", "an error")];
/// What may be answered to any request.
const ALWAYS: &[(&str, &str)] = &[
    ("401", "nobody was let in who asks"),
    ("403", "a page of another origin asks, or the second secret is missing"),
    ("404", "there is no such thing"),
    ("408", "the request came in too slowly"),
    ("409", "this can't be met, or would replace something"),
    ("413", "the request is too large"),
    ("421", "another machine was asked for"),
    ("422", "the request is wrong, or the data is"),
    ("429", "too much at once"),
    ("507", "out of memory, disk or time"),
];
const STARTED: &[(&str, &str)] = &[
    ("202", "the task that was started"),
    ("409", "there is a release already"),
    ("422", "an error"),
];

/// All routes.
pub(crate) fn routes() -> Vec<Route> {
    let route = |method, path, summary, body, answers, handler| Route {
        method,
        path,
        summary,
        body,
        answers,
        handler,
    };
    vec![
        route("get", "/api/v1/openapi.json", "This description.", &[], DONE, get(described)),
        route(
            "get",
            "/api/v1/session",
            "What a page needs to begin: the token that changes need \
            in the header x-sfumato-csrf, and limits.",
            &[],
            DONE,
            get(look::session),
        ),
        route("get", "/api/v1/files", "The files below the folder.", &[], DONE, get(files::list)),
        route(
            "get",
            "/api/v1/files/{*name}",
            "The bytes of a file.",
            &[],
            DONE,
            get(files::download),
        ),
        route(
            "put",
            "/api/v1/files/{*name}",
            "Make a file of the body. The header x-replace \
            allows to replace one.",
            &[("file", "binary", true, "the bytes")],
            &[
                ("201", "its name and size"),
                ("409", "there is one"),
                ("413", "it is too large"),
                ("422", "an error"),
            ],
            put(files::upload),
        ),
        route(
            "post",
            "/api/v1/look",
            "How a file begins.",
            &[("path", "string", true, "the file")],
            DONE,
            post(look::look),
        ),
        route(
            "post",
            "/api/v1/preview",
            "What the columns of a table are: types, distinct counts, \
            and guessed roles with reasons, as 'sfumato init' guesses them.",
            &[JOB, TOML],
            DONE,
            post(preview::preview),
        ),
        route(
            "post",
            "/api/v1/rows",
            "The first rows of a table; how often two columns have which \
            values together.",
            &[JOB, TOML, ("pair", "array", false, "the names of two columns")],
            DONE,
            post(rows::rows),
        ),
        route(
            "post",
            "/api/v1/shape",
            "What data that are no table look like: a map, a graph, baskets, marked documents.",
            &[
                JOB,
                TOML,
                ("release", "string", false, "a release to look at in place of the input"),
            ],
            DONE,
            post(shape::shape),
        ),
        route(
            "get",
            "/api/v1/ledgers",
            "The ledgers below the folder.",
            &[],
            DONE,
            get(ledger::list),
        ),
        route(
            "post",
            "/api/v1/ledgers",
            "Begin a ledger.",
            &[
                ("path", "string", true, "its name"),
                ("models", "array", false, "what each release must hold beside those before"),
            ],
            &[("201", "its name"), ("409", "there is a file"), ("422", "an error")],
            post(ledger::begin),
        ),
        route(
            "post",
            "/api/v1/ledger",
            "The chain of a ledger, and whether its releases hold together.",
            &[
                ("path", "string", true, "the ledger"),
                ("models", "array", false, "models to judge beside those that were recorded"),
            ],
            DONE,
            post(ledger::look),
        ),
        route(
            "post",
            "/api/v1/guards",
            "Write down the guarding node of one person: what must not be learnt about them.",
            &[
                JOB,
                TOML,
                ("key", "string", true, "the column that says who somebody is"),
                ("who", "string", true, "the person"),
                ("column", "string", true, "the sensitive column"),
                ("how", "string", true, "its tree, as for /api/v1/hierarchy"),
                ("node", "string", true, "a label of the tree; empty where nothing is guarded"),
            ],
            DONE,
            post(guards::choose),
        ),
        route(
            "post",
            "/api/v1/guards/join",
            "Make a copy of the data with a column of everybody's guarding node.",
            &[JOB, TOML, ("key", "string", true, "the column that says who somebody is")],
            DONE,
            post(guards::join),
        ),
        route(
            "post",
            "/api/v1/hierarchy",
            "A tree for a column, built or loaded.",
            &[
                JOB,
                TOML,
                ("column", "string", true, "the column"),
                ("how", "string", true, "a builder such as interval(width=5, levels=3), or a file"),
            ],
            DONE,
            post(hierarchy::build),
        ),
        route(
            "get",
            "/api/v1/catalogue",
            "Models by what they stop, algorithms, attacks, \
            builders of hierarchies.",
            &[],
            DONE,
            get(catalogue::catalogue),
        ),
        route(
            "post",
            "/api/v1/job",
            "A job as JSON and as a release.toml.",
            &[JOB, TOML],
            DONE,
            post(jobs::convert),
        ),
        route(
            "post",
            "/api/v1/jobs",
            "Run a job: read, anonymize, verify, measure, write, report.",
            &[JOB, TOML, ("force", "boolean", false, "replace a release that is there")],
            STARTED,
            post(tasks::start),
        ),
        route(
            "post",
            "/api/v1/explain",
            "What a job would run.",
            &[JOB, TOML],
            STARTED,
            post(tasks::start),
        ),
        route(
            "post",
            "/api/v1/explore",
            "What k costs, on a sample of rows or on all.",
            &[
                JOB,
                TOML,
                ("ks", "array", false, "the values of k"),
                ("algorithms", "array", false, "the algorithms"),
                ("sample", "integer", false, "how many rows"),
                ("whole", "boolean", false, "take all rows"),
                ("lattice", "boolean", false, "draw the lattice of whole columns, if it is small"),
            ],
            STARTED,
            post(tasks::start),
        ),
        route(
            "post",
            "/api/v1/audit",
            "What a release really promises.",
            &[JOB, TOML, RELEASE, ("original", "string", false, "the data that it was made from")],
            STARTED,
            post(tasks::start),
        ),
        route(
            "post",
            "/api/v1/attack",
            "Play the adversaries against a release.",
            &[
                JOB,
                TOML,
                RELEASE,
                ORIGINAL,
                ("attacks", "array", false, "which; all without it"),
                ("population", "string", false, "people of whom some are in the data"),
                ("control", "string", false, "people who aren't in the data"),
                ("other", "string", false, "another release of the same people"),
            ],
            STARTED,
            post(tasks::start),
        ),
        route(
            "post",
            "/api/v1/clusters",
            "Whether clusters survive: before and after, by several algorithms.",
            &[
                JOB,
                TOML,
                ("clusters", "integer", false, "how many"),
                ("algorithms", "array", false, "the algorithms"),
                ("sample", "integer", false, "how many rows"),
                ("whole", "boolean", false, "take all rows"),
            ],
            STARTED,
            post(tasks::start),
        ),
        route(
            "post",
            "/api/v1/compare",
            "What releases of the same data keep of it.",
            &[JOB, TOML, ("releases", "array", true, "the releases"), ORIGINAL],
            STARTED,
            post(tasks::start),
        ),
        route("get", "/api/v1/jobs", "All tasks, the newest first.", &[], DONE, get(tasks::list)),
        route(
            "get",
            "/api/v1/jobs/{id}",
            "How far a task is, and what it gave.",
            &[],
            DONE,
            get(tasks::state),
        ),
        route(
            "delete",
            "/api/v1/jobs/{id}",
            "Stop a task, or dismiss one that broke off. It leaves nothing behind.",
            &[],
            &[("202", "it was told"), ("404", "there is none")],
            delete(tasks::cancel),
        ),
        route(
            "post",
            "/api/v1/jobs/{id}/resume",
            "Go on with a run that broke off with an earlier server.",
            &[],
            &[("202", "the task that goes on"), ("404", "there is none"), ("422", "an error")],
            post(tasks::resume),
        ),
        route(
            "get",
            "/api/v1/jobs/{id}/events",
            "How far a task is, as server-sent events.",
            &[],
            DONE,
            get(tasks::events),
        ),
        route(
            "get",
            "/api/v1/jobs/{id}/pages/{name}",
            "A report that a task made, or its job.",
            &[],
            DONE,
            get(tasks::page),
        ),
    ]
}

async fn described() -> Answer {
    answer::json(&description())
}

/// The description by OpenAPI 3.1.
pub(crate) fn description() -> Value {
    let mut paths = json!({});
    for route in routes() {
        let path = route.path.replace("{*", "{");
        paths[&path][route.method] = operation(&route, &path);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Sfumato", "version": env!("CARGO_PKG_VERSION"),
            "description": "Publish personal data so that nobody in it can be singled out. Work \
                that takes long is a task: it is started by POST, watched and stopped by its id. \
                An error has the exit code of the command line.",
        },
        "paths": paths,
        "components": {
            "schemas": { "Error": error_schema() },
            "securitySchemes": {
                "visit": { "type": "apiKey", "in": "cookie", "name": "sfumato-PORT" },
                "change": { "type": "apiKey", "in": "header", "name": "x-sfumato-csrf" },
            },
        },
        "security": [{ "visit": [], "change": [] }],
    })
}

fn operation(route: &Route, path: &str) -> Value {
    let names = path.split('{').skip(1).filter_map(|part| part.split('}').next());
    let parameters: Vec<Value> = names
        .map(|name| {
            json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } })
        })
        .collect();
    let mut answers = json!({});
    let is_new = |status: &&(&str, &str)| route.answers.iter().all(|own| own.0 != status.0);
    for (status, meaning) in route.answers.iter().chain(ALWAYS.iter().filter(is_new)) {
        answers[*status] = json!({ "description": meaning });
        if status.starts_with(['4', '5']) {
            answers[*status]["content"]["application/json"]["schema"]["$ref"] =
                "#/components/schemas/Error".into();
        }
    }
    let mut operation =
        json!({ "summary": route.summary, "parameters": parameters, "responses": answers });
    if let [("file", ..)] = route.body {
        operation["requestBody"]["content"]["application/octet-stream"] = json!({});
    } else if !route.body.is_empty() {
        operation["requestBody"]["required"] = true.into();
        operation["requestBody"]["content"]["application/json"]["schema"] = schema(route.body);
    }
    operation
}

fn schema(keys: &[Key]) -> Value {
    let mut properties = json!({});
    for (name, kind, _, meaning) in keys {
        properties[*name] = json!({ "type": kind, "description": meaning });
    }
    let required: Vec<&str> =
        keys.iter().filter(|(_, _, is_required, _)| *is_required).map(|(name, ..)| *name).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

fn error_schema() -> Value {
    schema(&[(
        "error",
        "object",
        true,
        "kind, exit_code, message, and file, line, column and hint \
        where they are known",
    )])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_is_described() {
        let description = description();
        let all = routes();
        for route in &all {
            let path = route.path.replace("{*", "{");
            let operation = &description["paths"][&path][route.method];
            assert!(
                operation["summary"].as_str().is_some_and(|text| text.ends_with('.')),
                "{path}"
            );
            let parameters = operation["parameters"].as_array().unwrap().len();
            assert_eq!(parameters, path.matches('{').count(), "{path}");
            assert!(operation["responses"].as_object().unwrap().len() > 1, "{path}");
        }
        let described: usize = description["paths"]
            .as_object()
            .unwrap()
            .values()
            .map(|methods| methods.as_object().unwrap().len())
            .sum();
        assert_eq!(described, all.len());
    }
}
