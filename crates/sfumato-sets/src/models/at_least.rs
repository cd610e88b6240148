//! A requirement that some counts are at least k. Models about hiding differ only in which counts.

use sfumato_core::facts::Hiding;
use sfumato_core::registry::{ParamKind, ParamSpec, Params};

use crate::traits::SetRequirement;

/// The parameter k.
pub const K: ParamSpec = ParamSpec::required(
    "k",
    ParamKind::Integer { min: 1, max: i64::MAX },
    "the least number of people",
);

/// The requirement that each of some counts is at least k.
pub struct AtLeast {
    model: &'static str,
    what: &'static [Hiding],
    k: u64,
    text: String,
}

impl AtLeast {
    /// The requirement with the parameter `k` of a model.
    pub fn boxed(
        model: &'static str,
        what: &'static [Hiding],
        params: &Params,
    ) -> Box<dyn SetRequirement> {
        Self::boxed_by("k", model, what, params)
    }
    /// The requirement with another parameter of a model.
    pub fn boxed_by(
        parameter: &'static str,
        model: &'static str,
        what: &'static [Hiding],
        params: &Params,
    ) -> Box<dyn SetRequirement> {
        Box::new(AtLeast { model, what, k: params.count(parameter), text: params.describe() })
    }
}

impl SetRequirement for AtLeast {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        self.model
    }
    fn asks(&self) -> Vec<(Hiding, u64)> {
        self.what.iter().map(|what| (*what, self.k)).collect()
    }
}
