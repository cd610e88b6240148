//! Graphs as they are read, held and written, and what their structure tells of nodes.

mod adjacency;
mod edge_list;
mod gml;
mod graph;
mod graphml;
mod knowledge;
mod labels;
mod layout;
mod matrix_market;
mod names;
pub mod read;
mod supernodes;
mod table;
mod tokens;
pub mod write;

pub use graph::{Edge, Graph, LeftOut, edge};
pub use knowledge::{
    Alike, AutomorphismCheck, Neighbourhoods, are_isomorphic, refined, refined_all, shifts,
};
pub use labels::Labels;
pub use layout::Layout;
pub use names::{Names, Numbering};
pub use read::Loaded;
pub use supernodes::Supernodes;
