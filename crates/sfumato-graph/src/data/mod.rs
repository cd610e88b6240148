//! Graphs as they are read, held and written, and what their structure tells of nodes.

mod adjacency;
pub mod attributes;
mod edge_list;
pub mod functions;
mod gml;
mod graph;
mod graphml;
mod knowledge;
mod label_tree;
mod labels;
mod layout;
mod matrix_market;
mod names;
pub mod read;
pub mod supernode_files;
mod supernodes;
mod table;
mod tokens;
mod world;
pub mod write;

pub use attributes::Attributes;
pub use graph::{Edge, Graph, LeftOut, edge};
pub use knowledge::{
    Alike, AutomorphismCheck, Neighbourhoods, Rooted, are_isomorphic, class_pairs, links_between,
    near_of_classes, near_pairs, refined, refined_all, shifts, subgraph_least,
};
pub use label_tree::{FLAT, LabelTree, TOP};
pub use labels::Labels;
pub use layout::Layout;
pub use names::{Names, Numbering};
pub use read::Loaded;
pub use supernodes::Supernodes;
