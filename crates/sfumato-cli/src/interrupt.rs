//! What Ctrl-C does: it ends the run at once and leaves nothing behind, unless the run holds
//! interrupts. Then the first one asks for what there is, and the second ends the run.

use std::sync::atomic::{AtomicBool, Ordering};

use sfumato_core::ErrorKind;

static IS_HELD: AtomicBool = AtomicBool::new(false);
static WAS_ASKED: AtomicBool = AtomicBool::new(false);

/// Listen to Ctrl-C from now on.
pub fn listen() {
    // Where there is no way to listen, Ctrl-C ends the process, and the next run cleans up.
    let _ = ctrlc::set_handler(|| {
        if IS_HELD.load(Ordering::SeqCst) && !WAS_ASKED.swap(true, Ordering::SeqCst) {
            eprintln!("publishing what there is; Ctrl-C again stops at once");
            return;
        }
        sfumato_io::remove_temporaries();
        eprintln!("stopped; nothing was written");
        std::process::exit(i32::from(ErrorKind::Cancelled.exit_code()));
    });
}

/// From now on, or no longer, the first interrupt asks for what there is.
pub fn hold(holds: bool) {
    IS_HELD.store(holds, Ordering::SeqCst);
}

/// Whether the user asked for what there is.
pub fn was_asked() -> bool {
    WAS_ASKED.load(Ordering::SeqCst)
}
