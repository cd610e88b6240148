//! The lattice.
