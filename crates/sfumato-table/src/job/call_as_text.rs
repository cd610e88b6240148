//! Serializes a call as its text: `as = "pseudonym(method=random)"`.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serializer};
use sfumato_core::registry::Call;

pub(super) fn serialize<S: Serializer>(call: &Option<Call>, to: S) -> Result<S::Ok, S::Error> {
    match call {
        Some(call) => to.serialize_str(&call.to_string()),
        None => to.serialize_none(),
    }
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Call>, D::Error> {
    let text = String::deserialize(from)?;
    text.parse().map(Some).map_err(|error: sfumato_core::Error| D::Error::custom(error.message))
}
