//! Measures how fast data are generated: `generate_speed KIND ROWS FILE`, such as `generate_speed
//! 'longtail(preset=targeting)' 1000000 b.dat`.

use std::path::Path;
use std::time::Instant;

use sfumato_core::observer::Unobserved;
use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, rows, path] = &arguments[..] else {
        return Err(Error::params("usage: generate_speed KIND ROWS FILE"));
    };
    let call: Call = kind.parse()?;
    let generator = sfumato_generate::find(&call.name)?;
    let params = Params::check(generator.info(), &call.args)?;
    let rows = rows.parse().map_err(|_| Error::params("ROWS must be a whole number"))?;
    let start = Instant::now();
    let mut file = std::fs::File::create(path)
        .map_err(|error| Error::io(Path::new(path), "create", &error))?;
    sfumato_generate::generate(generator, &params, rows, 1, &mut file, &Unobserved)?;
    eprintln!("{:.2} s for {rows} rows", start.elapsed().as_secs_f64());
    Ok(())
}
