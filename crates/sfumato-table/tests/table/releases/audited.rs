//! Audits of tests: whether all models of a request hold.

use sfumato_core::facts::Promises as _;
use sfumato_core::observer::Unobserved;
use sfumato_table::audit::{TableAuditRequest, buckets, open};
use sfumato_table::forms::generalized::make_plan::bind_models;

/// Whether the models of a request hold in generalized cells.
pub fn holds(request: TableAuditRequest) -> bool {
    let models = request.models.clone();
    let opened = open(request, &Unobserved).unwrap();
    let promises = bind_models(&models, &opened.bind()).unwrap();
    let found = promises.judge(&opened).unwrap();
    assert!(found.len() >= models.len(), "every model is judged");
    found.iter().all(|guarantee| guarantee.holds)
}

/// Whether they hold in buckets.
pub fn hold_in_buckets(request: TableAuditRequest) -> bool {
    let models = request.models.clone();
    let opened = buckets::open(request, &Unobserved).unwrap();
    let promises = bind_models(&models, &opened.bind()).unwrap();
    let found = promises.judge(&opened).unwrap();
    assert!(found.len() >= models.len(), "every model is judged");
    found.iter().all(|guarantee| guarantee.holds)
}
