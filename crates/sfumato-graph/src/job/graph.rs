//! The `[graph]` section of a job: the layout of the file, and the labels of nodes.

use serde::{Deserialize, Serialize};

use crate::data::Layout;

/// The word for a job that doesn't say the layout.
const AUTO: &str = "auto";
/// The layout if neither the job nor a manifest says one.
const UNSAID: &str = "edges";

/// The section `[graph]`: its presence makes the job one about a graph.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct GraphSpec {
    /// The layout of the file, such as `edges` or `table(from=a, to=b)`. With `auto` it is the
    /// layout in the manifest of a release, or `edges` if there is no manifest.
    pub layout: String,
    /// A file with a label for each node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<String>,
    /// The attribute of nodes that is their label, where the layout has attributes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// A file that says what labels may be published as: in each row a label and what is above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label_hierarchy: Option<String>,
    /// A file of what is known of nodes beside the graph. It isn't published with the graph, but
    /// written beside the candidate sets of nodes in the file of `mapping` in `[output]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attributes: Option<String>,
    /// A file of edges that must not be known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensitive_edges: Option<String>,
    /// A file that says which node became which, or `names` if nodes kept their names: by it
    /// attacks are judged. It is for the steward alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mapping: Option<String>,
    /// The same of another release of the same people, for attacks that put two together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_mapping: Option<String>,
}

impl Default for GraphSpec {
    fn default() -> Self {
        GraphSpec {
            layout: AUTO.into(),
            labels: None,
            label: None,
            label_hierarchy: None,
            attributes: None,
            sensitive_edges: None,
            mapping: None,
            other_mapping: None,
        }
    }
}

impl GraphSpec {
    /// Whether it says the layout of the file.
    pub fn says_layout(&self) -> bool {
        self.layout != AUTO
    }
    /// The layout of the file, if no manifest says it.
    pub fn layout(&self) -> &str {
        if self.says_layout() { &self.layout } else { UNSAID }
    }
    /// Whether it names edges that must not be known.
    pub fn names_sensitive(&self) -> bool {
        let by_layout = || Layout::parse(self.layout()).is_ok_and(|one| one.names_sensitive());
        self.sensitive_edges.is_some() || by_layout()
    }
    /// Whether nodes have labels.
    pub fn has_labels(&self) -> bool {
        self.labels.is_some() || self.label.is_some()
    }
}
