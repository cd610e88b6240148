//! A crowd: every published number stands for at least k records.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{About, Disclosure, Info, ParamKind, ParamSpec, Params};
use sfumato_core::sets::{Hiding, SetModel, SetRequirement};

/// The model `crowd`, an entry of the registry.
pub struct Crowd;

static INFO: Info = Info {
    name: "crowd",
    summary: "every published number stands for at least k records",
    papers: &[],
    params: &[ParamSpec::required(
        "k",
        ParamKind::Integer { min: 1, max: i64::MAX },
        "the least number of records",
    )],
    doc: "Made up to show what a model must bring.",
    about: About { asks: &[Fact::Hiding(Hiding::Copies)], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

impl SetModel for Crowd {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<Box<dyn SetRequirement>> {
        Ok(Box::new(Bound { k: params.count("k"), text: params.describe() }))
    }
}

struct Bound {
    k: u64,
    text: String,
}

impl SetRequirement for Bound {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn asks(&self) -> Vec<(Hiding, u64)> {
        vec![(Hiding::Copies, self.k)]
    }
}
