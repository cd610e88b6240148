//! Answers counting queries over randomized baskets by recovering supports.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::query::{Answers, QueryRequest};

use super::audit::{Opened, open_file};
use crate::algorithms::randomization::recovery::{MOST, recover};
use crate::forms::buckets::{Asked, ItemQuery, answer_all};
use crate::job::Job;

/// Answer the queries of a request.
pub fn query(request: &QueryRequest<Job>, observer: &dyn Observer) -> Result<Answers> {
    let asked = Asked::of(request)?;
    let own = request.own_job.is_some();
    let opened = open_file(&request.job, own, request.manifest.as_ref(), observer)?;
    let n_rows = opened.rows.len();
    let count = |query: &ItemQuery| {
        // Nothing is certain: as few as none and as many as all records may be meant.
        Ok((opened.count(query, &request.job.input.path)?, 0, n_rows as u64))
    };
    answer_all(&asked, n_rows, &count, observer)
}

impl Opened {
    /// How many records are expected to have some items and to lack others: those with the first,
    /// minus those that have any of the others as well.
    fn count(&self, query: &ItemQuery, path: &str) -> Result<f64> {
        let codes: FastMap<&str, u32> = self.names.iter().map(String::as_str).zip(0..).collect();
        let (mut present, mut absent) = (Vec::new(), Vec::new());
        for condition in &query.conditions {
            let code = codes.get(&condition.item[..]).copied().ok_or_else(|| {
                Error::params(format!("no row has the item '{}'", condition.item)).in_file(path)
            })?;
            let list = if condition.present { &mut present } else { &mut absent };
            if !list.contains(&code) {
                list.push(code);
            }
        }
        if absent.iter().any(|item| present.contains(item)) {
            return Ok(0.0);
        }
        if present.len() + absent.len() > MOST {
            return Err(Error::unsupported(format!(
                "at most {MOST} items can be asked about together: more leave nothing but noise"
            )));
        }
        let mut expected = 0.0;
        for bits in 0..1u32 << absent.len() {
            let more = (0..absent.len()).filter(|at| bits >> at & 1 == 1).map(|at| absent[at]);
            let items: Vec<u32> = present.iter().copied().chain(more).collect();
            let found = recover(&self.operator, &self.rows, &self.sizes, &items)?.count;
            expected += if bits.count_ones() % 2 == 0 { found } else { -found };
        }
        Ok(expected)
    }
}
