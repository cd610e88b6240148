//! The binary `sfumato`.

use std::process::ExitCode;

fn main() -> ExitCode {
    sfumato_cli::main()
}
