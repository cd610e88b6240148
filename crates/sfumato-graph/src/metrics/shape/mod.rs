//! What is measured of one graph: triangles, components, paths, eigenvalues, communities.

mod communities;
mod components;
mod labels;
mod paths;
mod spectrum;
mod triangles;

pub use communities::{communities, modularity};
pub use components::{components, infectiousness, largest_component, resilience};
pub use labels::label_distances;
pub use paths::path_length;
pub use spectrum::{eigenvalues, principal};
pub use triangles::{clustering, triangles};
