//! The two HTML pages. Each is one file that works as a mail attachment: it contains its style and
//! pictures, has no script and loads nothing. A content policy in the head enforces this in the
//! browser, should an escape ever be missed.

mod audit;
mod blocks;
mod classes;
mod compare;
mod kept;
mod loss;
mod page;
mod private;
mod public;
mod risks;
mod run;

pub use audit::render_audit;
pub use compare::render_comparison;
pub use private::render_private;
pub use public::render_public;

#[cfg(test)]
mod tests;
