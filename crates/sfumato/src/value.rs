//! A value of a job, for keys that the builder has no method for.

/// What a key of a job may hold.
///
/// ```
/// use sfumato::Value;
///
/// assert_eq!(Value::from(3), Value::Integer(3));
/// assert_eq!(Value::from("high"), Value::Text("high".into()));
/// let column = Value::table([("role", Value::from("quasi")), ("weight", Value::from(2.0))]);
/// assert!(matches!(column, Value::Table(keys) if keys.len() == 2));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A number.
    Float(f64),
    /// A text.
    Text(String),
    /// Several values.
    List(Vec<Value>),
    /// Values by key, in their order.
    Table(Vec<(String, Value)>),
}

impl Value {
    /// Values by key.
    pub fn table<K: Into<String>>(keys: impl IntoIterator<Item = (K, Value)>) -> Value {
        Value::Table(keys.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }

    pub(crate) fn into_toml(self) -> toml::Value {
        match self {
            Value::Bool(value) => value.into(),
            Value::Integer(value) => value.into(),
            Value::Float(value) => value.into(),
            Value::Text(value) => value.into(),
            Value::List(values) => {
                toml::Value::Array(values.into_iter().map(Value::into_toml).collect())
            }
            Value::Table(keys) => {
                let entries = keys.into_iter().map(|(key, value)| (key, value.into_toml()));
                toml::Value::Table(entries.collect())
            }
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Integer(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Value::Integer(value.into())
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Value::Integer(value.into())
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value::Float(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::Text(value.into())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Value::Text(value)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Self {
        Value::List(values.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(values: [T; N]) -> Self {
        Value::List(values.into_iter().map(Into::into).collect())
    }
}
