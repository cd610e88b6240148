//! Runs jobs in parallel and consumes their results in order, with a bounded number of jobs in
//! flight.
//!
//! Reading and writing both depend on it. It must neither deadlock in a pool of one thread (the
//! waiting thread runs jobs itself) nor let results overtake each other.

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use rayon::Yield;
use sfumato_core::{Error, Result};

enum Event<T, R> {
    Job(T),
    NoMoreJobs,
    Done(usize, R),
    Lost,
}

/// Accepts jobs from any thread. Dropping it means that there are no more.
pub(crate) struct Feed<T, R>(Sender<Event<T, R>>);

impl<T, R> Feed<T, R> {
    /// Add a job. Returns false when no more jobs are wanted.
    pub(crate) fn job(&self, job: T) -> bool {
        self.0.send(Event::Job(job)).is_ok()
    }
}

impl<T, R> Drop for Feed<T, R> {
    fn drop(&mut self) {
        // An error means that the pipeline has already gone.
        let _ = self.0.send(Event::NoMoreJobs);
    }
}

/// Reports that a job panicked, so that the pipeline doesn't wait for its result.
struct Watch<T, R>(Option<(usize, Sender<Event<T, R>>)>);

impl<T, R> Watch<T, R> {
    fn done(mut self, result: R) {
        if let Some((number, sender)) = self.0.take() {
            let _ = sender.send(Event::Done(number, result));
        }
    }
}

impl<T, R> Drop for Watch<T, R> {
    fn drop(&mut self) {
        if let Some((_, sender)) = self.0.take() {
            let _ = sender.send(Event::Lost);
        }
    }
}

/// How many blocks may be in flight in the current pool.
pub(crate) fn blocks_in_flight() -> usize {
    2 * rayon::current_num_threads() + 2
}

/// Run `work` on every job in the current pool and `consume` on the results in the order of the
/// jobs. At most `in_flight` jobs are started and not yet consumed. Stops at the first error of
/// `consume`.
pub(crate) fn ordered<T: Send, R: Send>(
    in_flight: usize,
    start: impl FnOnce(Feed<T, R>),
    work: &(dyn Fn(T) -> R + Sync),
    consume: &mut dyn FnMut(R) -> Result<()>,
) -> Result<()> {
    let (sender, events) = channel();
    start(Feed(sender.clone()));
    rayon::in_place_scope(|scope| {
        let mut waiting = VecDeque::new();
        let mut finished = BTreeMap::new();
        let (mut started, mut consumed) = (0, 0);
        let mut more = true;
        loop {
            while started - consumed < in_flight {
                let Some(job) = waiting.pop_front() else { break };
                let watch = Watch(Some((started, sender.clone())));
                scope.spawn(move |_| watch.done(work(job)));
                started += 1;
            }
            if let Some(result) = finished.remove(&consumed) {
                consume(result)?;
                consumed += 1;
                continue;
            }
            if !more && consumed == started && waiting.is_empty() {
                return Ok(());
            }
            match next_event(&events)? {
                None => {}
                Some(Event::Job(job)) => waiting.push_back(job),
                Some(Event::NoMoreJobs) => more = false,
                Some(Event::Done(number, result)) => {
                    finished.insert(number, result);
                }
                // The scope passes the panic on as soon as it ends.
                Some(Event::Lost) => return Err(Error::internal("a worker stopped")),
            }
        }
    })
}

/// The next event. `None` after this thread ran a piece of work itself or waited for a moment.
fn next_event<T, R>(events: &Receiver<Event<T, R>>) -> Result<Option<Event<T, R>>> {
    if let Ok(event) = events.try_recv() {
        return Ok(Some(event));
    }
    match rayon::yield_now() {
        Some(Yield::Executed) => Ok(None),
        // In a pool the job waited for may still be queued here: never sleep for long.
        Some(Yield::Idle) => Ok(events.recv_timeout(Duration::from_millis(2)).ok()),
        None => match events.recv() {
            Ok(event) => Ok(Some(event)),
            Err(_) => Err(Error::internal("the pipeline lost its own sender")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(n: u64, stop_at: u64) -> (Result<()>, Vec<u64>) {
        let mut seen = Vec::new();
        let result = ordered(
            3,
            |feed| (0..n).for_each(|i| assert!(feed.job(i))),
            &|i: u64| {
                std::thread::sleep(Duration::from_micros(i * 7 % 50));
                i * i
            },
            &mut |square| {
                if square == stop_at {
                    return Err(Error::input("stop"));
                }
                seen.push(square);
                Ok(())
            },
        );
        (result, seen)
    }

    #[test]
    fn results_come_in_order_in_any_pool() {
        let expected: Vec<u64> = (0..100).map(|i| i * i).collect();
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (result, seen) = pool.install(|| squares(100, u64::MAX));
            assert!(result.is_ok());
            assert_eq!(seen, expected);
        }
        let (result, seen) = squares(100, u64::MAX);
        assert!(result.is_ok());
        assert_eq!(seen, expected);
    }

    #[test]
    fn the_first_error_stops() {
        let (result, seen) = squares(100, 25);
        assert_eq!(result.unwrap_err().message, "stop");
        assert_eq!(seen, [0, 1, 4, 9, 16]);
    }

    #[test]
    #[should_panic(expected = "boom")]
    fn a_panic_passes_through() {
        let _ = ordered(2, |feed| assert!(feed.job(1)), &|_: u64| panic!("boom"), &mut |()| Ok(()));
    }
}
