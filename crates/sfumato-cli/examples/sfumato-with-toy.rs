//! `sfumato` with one more kind of data, as a program of somebody else's would bring it.

use std::process::ExitCode;

use sfumato_kinds::Kind;

/// What this program has beside the kinds of `sfumato`.
static MORE: [Kind; 1] = [sfumato_toy::RELEASES];

fn main() -> ExitCode {
    sfumato_kinds::add(&MORE);
    sfumato_cli::main()
}
