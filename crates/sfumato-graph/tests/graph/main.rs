//! Tests of graphs over everything that the crate makes public.

#![allow(clippy::unwrap_used)]

mod attacks;
mod forms;
mod layouts;
mod oracles;
mod real;
mod releases;
mod support;
mod vectors;
