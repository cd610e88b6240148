//! The two pages. Each is one file that works from a mail attachment: style and pictures inside, no
//! script, nothing fetched. A content policy in the head says so to the browser too, should an
//! escape ever be missed.

mod blocks;
mod classes;
mod loss;
mod page;
mod private;
mod public;
mod risks;
mod run;

pub use private::render_private;
pub use public::render_public;

#[cfg(test)]
mod tests;
