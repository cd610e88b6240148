//! `sfumato hierarchy build|check|show`

use std::path::Path;

use clap::{Args, Subcommand};
use sfumato_core::dataset::Hierarchy as Tree;
use sfumato_core::{Error, Result};
use sfumato_engine::flags::values::delimiter;
use sfumato_hierarchy as hierarchies;
use sfumato_table::flags::hierarchy;
use sfumato_table::job::InputSpec;
use sfumato_table::recoding_file;

use super::{Context, print, set_threads};

/// The width of a drawing in characters.
const WIDTH: usize = 100;

#[derive(Args)]
pub struct Hierarchy {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Build a hierarchy for a column of a file and write it as leaf;level;...;*
    Build {
        /// The data.
        #[arg(value_name = "DATA")]
        input: String,
        /// The column.
        #[arg(long, value_name = "COLUMN")]
        column: String,
        /// The builder: 'interval(width=5, levels=3)', 'mask', 'date', ...
        #[arg(value_name = "HOW")]
        how: String,
        /// Where to write the hierarchy; standard output without it.
        #[arg(short, long, value_name = "FILE")]
        output: Option<String>,
        /// The delimiter of the data, if it shouldn't be guessed.
        #[arg(long, value_name = "C")]
        delimiter: Option<String>,
        /// Texts that mean a missing value, besides the empty text.
        #[arg(long, value_name = "TEXT")]
        missing: Vec<String>,
    },
    /// Check a hierarchy file, and whether it covers a column of a file
    Check {
        /// The hierarchy.
        #[arg(value_name = "FILE")]
        file: String,
        /// The data that the hierarchy must cover.
        #[arg(long, value_name = "DATA", requires = "column")]
        data: Option<String>,
        /// The column of the data.
        #[arg(long, value_name = "COLUMN", requires = "data")]
        column: Option<String>,
        /// The delimiter of the data, if it shouldn't be guessed.
        #[arg(long, value_name = "C")]
        delimiter: Option<String>,
        /// Texts that mean a missing value, besides the empty text.
        #[arg(long, value_name = "TEXT")]
        missing: Vec<String>,
    },
    /// Draw a hierarchy file as a tree, or the trees of a saved recoding with the published nodes
    /// marked
    Show {
        /// The hierarchy.
        #[arg(value_name = "FILE", required_unless_present = "recoding")]
        file: Option<String>,
        /// A recoding, as saved by --save-recoding: published nodes are marked with a dot.
        #[arg(long, value_name = "FILE", conflicts_with = "file")]
        recoding: Option<String>,
        /// Only this column of the recoding.
        #[arg(long, value_name = "COLUMN", requires = "recoding", conflicts_with = "file")]
        column: Option<String>,
        /// At most this many lines for a tree.
        #[arg(long, value_name = "N", default_value_t = 60)]
        lines: usize,
    },
}

impl Hierarchy {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        match self.what {
            What::Build { input, column, how, output, delimiter: given, missing } => {
                let input = spec(input, given.as_deref(), missing)?;
                let levels = sfumato_table::hierarchy::build(
                    &input,
                    &column,
                    &hierarchy(&how)?,
                    &context.progress,
                )?;
                let text = hierarchies::to_csv(&levels, ';');
                match output.filter(|path| path != "-") {
                    None => print(&text)?,
                    Some(path) => {
                        sfumato_io::write_text_atomically(Path::new(&path), &text, false)?;
                        context.say(&format!(
                            "wrote {path}: {} values, {} levels",
                            levels.n_leaves(),
                            levels.levels.len()
                        ));
                    }
                }
            }
            What::Check { file, data, column, delimiter: given, missing } => {
                let levels = sfumato_table::hierarchy::load(&file)?;
                let (tree, _) = Tree::from_levels(&levels).map_err(|error| error.in_file(&file))?;
                for finding in hierarchies::check(&levels) {
                    context.say(&format!("note: {finding}"));
                }
                if let (Some(data), Some(column)) = (data, column) {
                    let input = spec(data, given.as_deref(), missing)?;
                    sfumato_table::hierarchy::check_covers(
                        &levels,
                        &file,
                        &input,
                        &column,
                        &context.progress,
                    )?;
                    context.say(&format!("every value of column '{column}' is covered"));
                }
                context.say(&format!(
                    "{file}: {} values, {} levels, {} nodes: fine",
                    tree.n_leaves(),
                    tree.n_levels(),
                    tree.n_nodes()
                ));
            }
            What::Show { lines: 0, .. } => return Err(Error::params("--lines must be at least 1")),
            What::Show { file: Some(file), lines, .. } => {
                let levels = sfumato_table::hierarchy::load(&file)?;
                let (tree, _) = Tree::from_levels(&levels).map_err(|error| error.in_file(&file))?;
                print(&hierarchies::draw(&tree, lines, WIDTH))?;
            }
            What::Show { recoding: Some(path), column, lines, .. } => {
                let file = recoding_file::load(&path)?;
                let drawn = recoding_file::draw_recoding(&file, column.as_deref(), lines, WIDTH);
                print(&drawn.map_err(|error| error.in_file(&path))?)?;
            }
            What::Show { .. } => {
                return Err(Error::params("show needs a hierarchy file or --recoding FILE"));
            }
        }
        Ok(0)
    }
}

fn spec(path: String, given: Option<&str>, missing: Vec<String>) -> Result<InputSpec> {
    Ok(InputSpec {
        path,
        delimiter: given.map(delimiter).transpose()?,
        missing,
        ..InputSpec::default()
    })
}
