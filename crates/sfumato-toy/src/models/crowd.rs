//! A crowd: every published number stands for at least k records.

use sfumato_core::Result;
use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::registry::{About, Disclosure, Info, ParamKind, ParamSpec, Params};

use super::{NumberModel, NumberRequirement};

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

impl NumberModel for Crowd {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<NumberRequirement> {
        let (k, text) = (params.count("k"), params.describe());
        Ok(NumberRequirement { model: INFO.name, text, k })
    }
}
