//! `rothko-sample` as an algorithm over a table in memory: the same steps as over files, for
//! comparison and for tests.

use std::sync::LazyLock;

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::{
    Capabilities, Info, OutOfCore, ParamKind, ParamSpec, Params, PerEffort,
};
use sfumato_core::traits::{Algorithm, Task};

use super::sample;
use crate::algorithms::local::mondrian;
use crate::algorithms::local::rothko::Limits;
use crate::algorithms::local::rothko::algorithm::{GROUP_BYTES, MAX_PARTS, in_memory};

/// The algorithm `rothko-sample`, an entry of the registry.
pub struct RothkoSample;

static INFO: LazyLock<Info> = LazyLock::new(|| {
    let mut params = mondrian::INFO.params.to_vec();
    params.push(ParamSpec::with_default(
        "sample",
        ParamKind::Integer { min: 1, max: u32::MAX as i64 - 1 },
        "100000",
        "records that are drawn from a part to decide how it is divided",
    ));
    params.push(ParamSpec::with_default(
        "partition_rows",
        ParamKind::Integer { min: 1, max: u32::MAX as i64 },
        "1000000",
        "records that are finished in memory; larger parts are divided by samples",
    ));
    params.push(ParamSpec::with_default(
        "alpha",
        ParamKind::Number { min: 0.0, above: true, max: 0.5 },
        "0.05",
        "how often a split may be taken for allowed that isn't, and will be undone",
    ));
    params.push(ParamSpec::with_default(
        "tests",
        ParamKind::Flag,
        "true",
        "test what samples say of parts; else take them at their word",
    ));
    params.push(ParamSpec::with_default(
        "growth",
        ParamKind::Choice(&["memory", "confidence"]),
        "memory",
        "how far a sample grows the tree: until parts surely fit into memory, or, as in the paper, \
            as long as a split is allowed with high confidence",
    ));
    Info {
        name: "rothko-sample",
        summary: "mondrian for data larger than memory: the top of the tree is grown from samples, \
            and pruned by counts of all records",
        papers: &mondrian::INFO.papers[1..],
        params: params.leak(),
        doc: include_str!("rothko_sample.md"),
        capabilities: Capabilities {
            serves: Fact::OF_CLASSES,
            uses_workload: true,
            nanoseconds_per_cell: Some(PerEffort::same(40.0)),
            out_of_core: OutOfCore::BySample,
            needs_all_records: false,
            ..Capabilities::DEFAULT
        },
        ..Info::DEFAULT
    }
});

impl Algorithm for RothkoSample {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        let limits = Limits {
            partition_rows: params.integer("partition_rows").unsigned_abs(),
            group_bytes: GROUP_BYTES,
            max_parts: MAX_PARTS,
            sample_rows: params.integer("sample").unsigned_abs(),
        };
        let alpha = if params.flag("tests") { params.number("alpha") } else { 1.0 };
        in_memory(params, task, |outline, tuples, divide| {
            Ok(sample(outline, &limits, alpha, tuples, divide, None)?.0)
        })
    }
}
