//! What every driver must do, as tests, and what a worker does on top of it. A driver joins with one line:
//!
//! ```ignore
//! suite::queue_suite!(redis, async |clock| (RedisDriver::new(redis(), clock), ()));
//! ```
//!
//! The closure is called once per test and gives an empty driver, with whatever has to live as long as it does.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

pub(crate) mod batches;
pub(crate) mod chains;
pub(crate) mod contract;
pub(crate) mod jobs;
pub(crate) mod limits;
pub(crate) mod unique;
pub(crate) mod work;

use std::sync::Arc;
use std::time::Duration;

use housekey_cache::{Cache, MemoryStore};
use housekey_core::{AppKey, Clock, Encrypter, Services};
use housekey_queue::{JobRegistry, Queue, QueueDriver, Worker};
use jobs::JobLog;

pub(crate) const MINUTE: Duration = Duration::from_secs(60);

/// A driver under test, its clock, and whatever must outlive it.
pub(crate) struct DriverTest {
    pub(crate) driver: Arc<dyn QueueDriver>,
    pub(crate) clock: Clock,
    pub(crate) log: Arc<JobLog>,
    encrypter: Arc<Encrypter>,
    cache: Cache,
    _held: Box<dyn std::any::Any + Send>,
}

impl DriverTest {
    pub(crate) async fn new<D: QueueDriver, H: Send + 'static>(
        make: impl AsyncFnOnce(Clock) -> (D, H),
    ) -> Self {
        let clock = Clock::frozen_now();
        let (driver, held) = make(clock.clone()).await;
        Self {
            driver: Arc::new(driver),
            cache: Cache::new(MemoryStore::new(clock.clone()), clock.clone()),
            clock,
            log: Arc::default(),
            encrypter: Arc::new(Encrypter::new(AppKey::generate())),
            _held: Box::new(held),
        }
    }

    /// A queue that knows every job of the tests.
    pub(crate) fn queue(&self) -> Queue {
        self.queue_with(jobs::registry())
    }

    pub(crate) fn queue_with(&self, registry: JobRegistry) -> Queue {
        Queue::builder(registry)
            .clock(self.clock.clone())
            .encrypter(self.encrypter.clone())
            .build_shared(self.driver.clone())
    }

    pub(crate) fn services(&self, queue: &Queue) -> Services {
        let mut services = Services::builder();
        services.insert(queue.clone()).insert_shared(self.log.clone()).insert(self.cache.clone());
        services.build()
    }

    /// A worker that does what is due and ends.
    pub(crate) fn worker(&self, queue: &Queue) -> Worker {
        Worker::new(queue.clone(), self.services(queue)).poll(Duration::from_millis(5)).stop_when_empty()
    }
}

macro_rules! queue_suite {
    ($name:ident, $make:expr) => {
        mod $name {
            $crate::suite::queue_suite!(@tests contract $make;
                jobs_are_lent_in_order_and_each_to_one,
                a_delayed_job_waits_for_its_time,
                a_job_whose_worker_is_silent_is_lent_again_and_the_first_has_no_say_any_more,
                a_renewed_loan_lasts,
                a_released_job_comes_back_after_its_delay,
                a_failed_job_is_kept_apart_and_comes_back_when_asked,
                failed_jobs_are_removed_when_asked,
                queues_are_counted_and_cleared_one_by_one,
                of_many_workers_each_job_goes_to_one,
                anything_can_be_carried_under_any_name,
                whoever_looks_sees_what_runs_and_what_waits,
            );
            $crate::suite::queue_suite!(@tests work $make;
                a_worker_does_what_was_dispatched,
                a_job_that_fails_is_tried_again_later_and_later,
                a_job_that_keeps_failing_ends_with_the_failed_ones,
                a_job_can_say_that_trying_again_is_no_use,
                a_panic_is_a_failure_and_the_worker_goes_on,
                a_job_that_takes_too_long_is_stopped,
                what_cannot_be_understood_goes_to_the_failed_jobs_without_being_quoted,
                a_job_that_kills_its_workers_is_given_up,
                the_first_queue_comes_first,
                no_more_jobs_run_at_once_than_asked_for,
                asked_to_stop_a_worker_finishes_what_it_has_and_takes_nothing_new,
                what_is_not_finished_in_time_goes_back_and_the_attempt_does_not_count,
                a_failed_job_that_is_retried_is_done,
                a_job_dispatches_another,
            );
            $crate::suite::queue_suite!(@tests unique $make;
                of_many_unique_jobs_dispatched_at_once_one_is_queued,
                unique_jobs_of_other_keys_and_kinds_do_not_mind_each_other,
                the_lock_of_a_unique_job_ends_when_it_is_done,
                a_unique_job_that_failed_comes_back_only_if_no_other_took_its_place,
                the_lock_of_a_unique_job_ends_when_its_time_is_over,
                a_queue_that_is_cleared_holds_no_locks,
            );
            $crate::suite::queue_suite!(@tests chains $make;
                the_next_job_of_a_chain_is_queued_when_the_one_before_has_succeeded,
                a_failure_stops_a_chain_and_says_so_and_a_retry_goes_on,
                the_next_job_of_a_chain_is_queued_once_whoever_says_it_is_done,
                what_follows_a_job_cannot_be_forged_or_put_behind_another,
                what_cannot_be_a_link_of_a_chain_is_refused_when_it_is_dispatched,
            );
            $crate::suite::queue_suite!(@tests batches $make;
                a_batch_tells_how_far_it_is_and_when_all_have_succeeded,
                a_failure_cancels_a_batch_and_is_told_once,
                a_batch_that_allows_failures_goes_on_and_has_not_succeeded,
                the_first_failure_of_a_batch_is_told_and_no_other,
                what_has_not_begun_of_a_cancelled_batch_is_left_out,
                the_end_of_a_batch_is_told_once_however_many_workers_end_it,
                a_job_of_a_batch_is_counted_once_whoever_says_it_has_ended,
                a_batch_without_jobs_has_succeeded_and_one_that_is_cleared_has_not,
                a_batch_that_is_cleared_as_a_whole_tells_its_end,
                batches_are_forgotten_in_time_and_take_no_unique_jobs,
            );
            $crate::suite::queue_suite!(@tests limits $make;
                no_more_jobs_of_a_kind_begin_than_its_rate_limit_allows_over_all_workers,
                a_job_whose_rate_limit_cannot_be_counted_does_not_begin,
            );
        }
    };
    (@tests $part:ident $make:expr; $($test:ident,)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                let test = $crate::suite::$part::$test($crate::suite::DriverTest::new($make).await);
                housekey_test_support::in_time(stringify!($test), test).await;
            }
        )*
    };
}
pub(crate) use queue_suite;
