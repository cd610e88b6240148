//! Progress bars on a terminal for steps that take more than a second. Elsewhere nothing is shown.

use std::io::IsTerminal as _;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use sfumato_core::observer::{Observer, Unit};

/// Steps shorter than this show no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shows how far a run is.
pub struct Progress {
    enabled: bool,
    bar: Mutex<Option<(ProgressBar, Instant, bool)>>,
}

impl Progress {
    /// Make a progress bar. It stays silent if asked to be, or if standard error is no terminal.
    pub fn new(quiet: bool) -> Self {
        Progress { enabled: !quiet && std::io::stderr().is_terminal(), bar: Mutex::new(None) }
    }

    fn style(step: &str, total: u64, unit: Unit) -> ProgressStyle {
        let (done, rate) = match unit {
            Unit::Bytes => ("{bytes}/{total_bytes}", "{bytes_per_sec}"),
            Unit::Rows | Unit::Steps => ("{human_pos}/{human_len}", "{rate}"),
        };
        let template = match total {
            0 => {
                format!(
                    "{step:<10} {{spinner}} {} {rate} {{elapsed}}",
                    done.split('/').next().unwrap_or("")
                )
            }
            _ => format!("{step:<10} [{{bar:32}}] {done} {rate} {{eta}} left"),
        };
        let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            // A bar that can't be drawn is no reason to stop a run.
            let _ = write!(out, "{:.0}/s", state.per_sec());
        };
        let style = ProgressStyle::with_template(&template)
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        style.with_key("rate", rate)
    }
}

impl Observer for Progress {
    fn begin(&self, step: &str, total: u64, unit: Unit) {
        if !self.enabled {
            return;
        }
        let bar = ProgressBar::with_draw_target(
            (total > 0).then_some(total),
            ProgressDrawTarget::hidden(),
        );
        bar.set_style(Self::style(step, total, unit));
        if let Ok(mut slot) = self.bar.lock() {
            *slot = Some((bar, Instant::now(), false));
        }
    }

    fn advance(&self, n: u64) {
        if !self.enabled {
            return;
        }
        if let Ok(mut slot) = self.bar.lock()
            && let Some((bar, since, shown)) = slot.as_mut()
        {
            bar.inc(n);
            if !*shown && since.elapsed() > PATIENCE {
                bar.set_draw_target(ProgressDrawTarget::stderr());
                *shown = true;
            }
        }
    }

    fn end(&self) {
        if let Ok(mut slot) = self.bar.lock()
            && let Some((bar, _, _)) = slot.take()
        {
            bar.finish_and_clear();
        }
    }

    fn interrupted(&self) -> bool {
        crate::interrupt::was_asked()
    }

    fn holds_interrupts(&self, holds: bool) {
        crate::interrupt::hold(holds);
    }
}
