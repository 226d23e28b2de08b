//! What every store must do, as tests. A store joins with one line:
//!
//! ```ignore
//! suite::store_suite!(redis, |clock| (RedisStore::connect(url(), clock), ()));
//! ```
//!
//! The closure is called once per test and gives an empty store, with whatever has to live as long as the
//! store does: a temporary folder, a database of its own, or `()`.

use std::collections::HashSet;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use housekey_cache::{Cache, Counter, RateLimiter, Store};
use housekey_core::Clock;
use time::OffsetDateTime;
use time::macros::datetime;

pub(crate) const NOON: OffsetDateTime = datetime!(2026-03-01 12:00 UTC);
pub(crate) const MINUTE: Duration = Duration::from_secs(60);

/// A store under test, its clock, and whatever must outlive it.
pub(crate) struct StoreTest {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Clock,
    _held: Box<dyn std::any::Any + Send>,
}

impl StoreTest {
    pub(crate) fn new<S: Store, H: Send + 'static>(make: impl FnOnce(Clock) -> (S, H)) -> Self {
        let clock = Clock::frozen(NOON);
        let (store, held) = make(clock.clone());
        Self { store: Arc::new(store), clock, _held: Box::new(held) }
    }

    fn cache(&self) -> Cache {
        Cache::from_shared(self.store.clone(), self.clock.clone())
    }
}

macro_rules! store_suite {
    ($name:ident, $make:expr) => {
        mod $name {
            $crate::suite::store_suite!(@tests $make;
                a_value_comes_back_until_it_is_forgotten,
                any_bytes_and_any_key_are_kept_apart,
                a_value_ends_when_its_lifetime_is_over,
                a_lifetime_of_zero_ends_the_value_at_once,
                putting_again_replaces_value_and_lifetime,
                add_writes_only_where_nothing_is,
                of_many_that_add_at_once_one_succeeds,
                counters_start_at_zero_and_keep_their_first_end,
                counting_on_something_else_is_an_error_and_changes_nothing,
                concurrent_increments_are_all_counted,
                a_swap_needs_the_expected_value,
                concurrent_swaps_lose_no_change,
                clearing_a_prefix_leaves_the_rest,
                the_cache_keeps_types_and_prefixes,
                remember_makes_a_value_once_and_again_when_the_type_changed,
                a_pulled_value_goes_to_one_caller,
                a_lock_has_one_holder_and_only_the_holder_releases_it,
                a_dropped_guard_gives_the_lock_back,
                the_limiter_allows_exactly_the_limit_per_window,
                concurrent_hits_never_pass_the_limit,
            );
        }
    };
    (@tests $make:expr; $($test:ident,)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                let test = $crate::suite::$test($crate::suite::StoreTest::new($make));
                housekey_test_support::in_time(stringify!($test), test).await;
            }
        )*
    };
}
pub(crate) use store_suite;

pub(crate) async fn a_value_comes_back_until_it_is_forgotten(test: StoreTest) {
    let store = test.store;
    assert_eq!(store.get("k").await.unwrap(), None);
    store.put("k", b"value".to_vec(), None).await.unwrap();
    assert_eq!(store.get("k").await.unwrap().as_deref(), Some(&b"value"[..]));
    assert_eq!(store.entry("k").await.unwrap().unwrap().expires_at, None);
    assert!(store.forget("k").await.unwrap());
    assert!(!store.forget("k").await.unwrap());
    assert_eq!(store.get("k").await.unwrap(), None);
}

pub(crate) async fn any_bytes_and_any_key_are_kept_apart(test: StoreTest) {
    let long = "k".repeat(4000);
    let keys = ["", " ", "a/b", "a\\b", "../../etc/passwd", "a\0b", "ключ", "A", "a", ".lock", ".new", &long];
    for (index, key) in keys.iter().enumerate() {
        test.store.put(key, vec![0, 255, index as u8], None).await.unwrap();
    }
    for (index, key) in keys.iter().enumerate() {
        assert_eq!(test.store.get(key).await.unwrap(), Some(vec![0, 255, index as u8]), "{key:?}");
    }
    test.store.put("empty", Vec::new(), None).await.unwrap();
    assert_eq!(test.store.get("empty").await.unwrap(), Some(Vec::new()));
}

pub(crate) async fn a_value_ends_when_its_lifetime_is_over(test: StoreTest) {
    let StoreTest { store, clock, .. } = &test;
    store.put("k", b"v".to_vec(), Some(MINUTE)).await.unwrap();
    assert_eq!(store.entry("k").await.unwrap().unwrap().expires_at, Some(NOON + MINUTE));
    clock.advance(MINUTE - Duration::from_millis(1));
    assert!(store.get("k").await.unwrap().is_some());
    clock.advance(Duration::from_millis(1));
    assert_eq!(store.get("k").await.unwrap(), None);
    assert!(!store.forget("k").await.unwrap(), "what is over cannot be forgotten");
    assert!(store.add("k", b"new".to_vec(), None).await.unwrap(), "its place is free");
}

pub(crate) async fn a_lifetime_of_zero_ends_the_value_at_once(test: StoreTest) {
    test.store.put("k", b"old".to_vec(), None).await.unwrap();
    test.store.put("k", b"new".to_vec(), Some(Duration::ZERO)).await.unwrap();
    assert_eq!(test.store.get("k").await.unwrap(), None);
    test.store.put("long", b"v".to_vec(), Some(Duration::MAX)).await.unwrap();
    assert!(test.store.get("long").await.unwrap().is_some(), "the longest lifetime does not overflow");
}

pub(crate) async fn putting_again_replaces_value_and_lifetime(test: StoreTest) {
    let StoreTest { store, clock, .. } = &test;
    store.put("k", b"a".to_vec(), Some(MINUTE)).await.unwrap();
    store.put("k", b"b".to_vec(), None).await.unwrap();
    clock.advance(MINUTE * 2);
    assert_eq!(store.get("k").await.unwrap().as_deref(), Some(&b"b"[..]));
}

pub(crate) async fn add_writes_only_where_nothing_is(test: StoreTest) {
    assert!(test.store.add("k", b"first".to_vec(), None).await.unwrap());
    assert!(!test.store.add("k", b"second".to_vec(), None).await.unwrap());
    assert_eq!(test.store.get("k").await.unwrap().as_deref(), Some(&b"first"[..]));
}

pub(crate) async fn of_many_that_add_at_once_one_succeeds(test: StoreTest) {
    let winners = together(20, |index| {
        let store = test.store.clone();
        async move { store.add("seat", vec![index as u8], None).await.unwrap() }
    })
    .await;
    assert_eq!(winners.into_iter().filter(|won| *won).count(), 1);
}

pub(crate) async fn counters_start_at_zero_and_keep_their_first_end(test: StoreTest) {
    let StoreTest { store, clock, .. } = &test;
    let end = Some(NOON + MINUTE);
    assert_eq!(store.increment("n", 2, Some(MINUTE)).await.unwrap(), Counter { value: 2, expires_at: end });
    clock.advance(MINUTE / 2);
    assert_eq!(store.increment("n", -5, Some(MINUTE)).await.unwrap(), Counter { value: -3, expires_at: end });
    assert_eq!(store.get("n").await.unwrap().as_deref(), Some(&b"-3"[..]));
    clock.advance(MINUTE / 2);
    assert_eq!(store.increment("n", 1, None).await.unwrap(), Counter { value: 1, expires_at: None });
}

pub(crate) async fn counting_on_something_else_is_an_error_and_changes_nothing(test: StoreTest) {
    let store = test.store;
    store.put("word", b"seven".to_vec(), None).await.unwrap();
    assert!(store.increment("word", 1, None).await.unwrap_err().to_string().contains("word"));
    assert_eq!(store.get("word").await.unwrap().as_deref(), Some(&b"seven"[..]));

    store.increment("full", i64::MAX, None).await.unwrap();
    assert!(store.increment("full", 1, None).await.is_err());
    assert_eq!(store.increment("full", 0, None).await.unwrap().value, i64::MAX);
}

pub(crate) async fn concurrent_increments_are_all_counted(test: StoreTest) {
    let sums = together(40, |_| {
        let store = test.store.clone();
        async move {
            let mut sums = Vec::new();
            for _ in 0..10 {
                sums.push(store.increment("n", 1, Some(MINUTE)).await.unwrap().value);
            }
            sums
        }
    })
    .await;
    let seen: HashSet<i64> = sums.into_iter().flatten().collect();
    assert_eq!(seen, (1..=400).collect(), "every sum is answered exactly once");
}

pub(crate) async fn a_swap_needs_the_expected_value(test: StoreTest) {
    let StoreTest { store, clock, .. } = &test;
    let (a, b) = (b"a".to_vec(), b"b".to_vec());
    assert!(!store.compare_and_swap("k", Some(&a), Some(b.clone()), None).await.unwrap());
    assert!(store.compare_and_swap("k", None, Some(a.clone()), Some(MINUTE)).await.unwrap());
    assert!(!store.compare_and_swap("k", None, Some(b.clone()), None).await.unwrap());
    assert!(!store.compare_and_swap("k", Some(&b), None, None).await.unwrap());
    assert!(store.compare_and_swap("k", Some(&a), Some(b.clone()), Some(MINUTE)).await.unwrap());
    clock.advance(MINUTE);
    assert!(!store.compare_and_swap("k", Some(&b), Some(a), None).await.unwrap(), "what is over is absent");
    assert!(store.compare_and_swap("k", None, Some(b.clone()), None).await.unwrap());
    assert!(store.compare_and_swap("k", Some(&b), None, None).await.unwrap());
    assert_eq!(store.get("k").await.unwrap(), None);
}

pub(crate) async fn concurrent_swaps_lose_no_change(test: StoreTest) {
    together(8, |index| {
        let store = test.store.clone();
        async move {
            let mark = [b'a' + index as u8];
            loop {
                let before = store.get("log").await.unwrap();
                let after = [before.as_deref().unwrap_or_default(), &mark].concat();
                if store.compare_and_swap("log", before.as_deref(), Some(after), None).await.unwrap() {
                    break;
                }
            }
        }
    })
    .await;
    let mut log = test.store.get("log").await.unwrap().unwrap();
    log.sort_unstable();
    assert_eq!(log, b"abcdefgh");
}

pub(crate) async fn clearing_a_prefix_leaves_the_rest(test: StoreTest) {
    let store = test.store;
    for key in ["shop:a", "shop:b", "blog:a", "shop"] {
        store.put(key, b"v".to_vec(), None).await.unwrap();
    }
    store.clear("shop:").await.unwrap();
    assert_eq!(store.get("shop:a").await.unwrap(), None);
    assert_eq!(store.get("shop:b").await.unwrap(), None);
    assert!(store.get("blog:a").await.unwrap().is_some());
    assert!(store.get("shop").await.unwrap().is_some());
    store.clear("").await.unwrap();
    assert_eq!(store.get("blog:a").await.unwrap(), None);
    assert_eq!(store.increment("n", 1, None).await.unwrap().value, 1, "a cleared store goes on working");
}

pub(crate) async fn the_cache_keeps_types_and_prefixes(test: StoreTest) {
    let one = test.cache().with_prefix("one:");
    let two = test.cache().with_prefix("two:");
    one.put("pair", &(7, "seven"), Some(MINUTE)).await.unwrap();
    assert_eq!(one.get::<(u8, String)>("pair").await.unwrap(), Some((7, "seven".into())));
    assert!(!two.has("pair").await.unwrap());
    assert_eq!(one.expires_at("pair").await.unwrap(), Some(Some(NOON + MINUTE)));
    let error = one.get::<bool>("pair").await.unwrap_err().to_string();
    assert!(error.contains("`pair` is not a bool"), "{error}");

    assert_eq!(two.increment("n", 5, None).await.unwrap(), 5);
    assert_eq!(two.decrement("n", 6, None).await.unwrap(), -1);
    assert_eq!(two.get::<i64>("n").await.unwrap(), Some(-1), "a counter reads as a number");
    two.clear().await.unwrap();
    assert!(!two.has("n").await.unwrap());
    assert!(one.has("pair").await.unwrap());
}

pub(crate) async fn remember_makes_a_value_once_and_again_when_the_type_changed(test: StoreTest) {
    let cache = test.cache();
    assert_eq!(cache.remember("k", None, async || Ok("made".to_owned())).await.unwrap(), "made");
    let kept: String = cache.remember("k", None, async || panic!("it is there already")).await.unwrap();
    assert_eq!(kept, "made");
    assert_eq!(cache.remember("k", None, async || Ok(7_u8)).await.unwrap(), 7);
    assert_eq!(cache.get::<u8>("k").await.unwrap(), Some(7));

    let failed = cache.remember("f", None, async || Err::<u8, _>(housekey_core::Error::not_found())).await;
    assert_eq!(failed.unwrap_err().status().as_u16(), 404);
    assert!(!cache.has("f").await.unwrap(), "a failure is not kept");
}

pub(crate) async fn a_pulled_value_goes_to_one_caller(test: StoreTest) {
    let cache = test.cache();
    cache.put("ticket", &"admit one", None).await.unwrap();
    let pulled = together(12, |_| {
        let cache = cache.clone();
        async move { cache.pull::<String>("ticket").await.unwrap() }
    })
    .await;
    assert_eq!(pulled.into_iter().flatten().collect::<Vec<_>>(), ["admit one"]);
}

pub(crate) async fn a_lock_has_one_holder_and_only_the_holder_releases_it(test: StoreTest) {
    let lock = test.cache().lock("job", MINUTE);
    let first = lock.try_acquire().await.unwrap().unwrap();
    assert!(lock.try_acquire().await.unwrap().is_none());
    let busy = lock.acquire_within(Duration::from_millis(20)).await.unwrap_err();
    assert_eq!(busy.status().as_u16(), 503);
    assert!(first.extend().await.unwrap());

    test.clock.advance(MINUTE);
    let second = lock.try_acquire().await.unwrap().expect("a dead holder's lock frees itself");
    assert!(!first.extend().await.unwrap());
    assert!(!first.release().await.unwrap(), "the first holder learns that it was too slow");
    assert!(lock.try_acquire().await.unwrap().is_none(), "and did not free the second's lock");
    assert!(second.release().await.unwrap());

    let outcome = lock.run(MINUTE, async || Ok(lock.try_acquire().await?.is_none())).await;
    assert!(outcome.unwrap(), "it is held while the work runs");
    assert!(lock.try_acquire().await.unwrap().is_some(), "and free again after");
}

pub(crate) async fn a_dropped_guard_gives_the_lock_back(test: StoreTest) {
    let lock = test.cache().lock("job", MINUTE);
    drop(lock.try_acquire().await.unwrap().unwrap());
    assert!(lock.acquire_within(MINUTE).await.is_ok());
}

pub(crate) async fn the_limiter_allows_exactly_the_limit_per_window(test: StoreTest) {
    let limiter = RateLimiter::new(test.cache());
    for left in [2, 1, 0] {
        let decision = limiter.hit("k", 3, MINUTE).await.unwrap();
        assert!(decision.allowed);
        assert_eq!((decision.remaining, decision.limit), (left, 3));
    }
    test.clock.advance(Duration::from_secs(20));
    for _ in 0..5 {
        let decision = limiter.hit("k", 3, MINUTE).await.unwrap();
        assert!(!decision.allowed);
        assert_eq!(decision.retry_after, Duration::from_secs(40), "knocking does not lengthen the wait");
    }
    assert!(limiter.hit("other", 3, MINUTE).await.unwrap().allowed);
    assert!(!limiter.peek("k", 3).await.unwrap().allowed);

    test.clock.advance(Duration::from_secs(40));
    assert_eq!(limiter.peek("k", 3).await.unwrap().remaining, 3);
    assert!(limiter.hit("k", 1, MINUTE).await.unwrap().allowed);
    assert!(!limiter.hit("k", 1, MINUTE).await.unwrap().allowed);
    limiter.reset("k").await.unwrap();
    assert!(limiter.hit("k", 1, MINUTE).await.unwrap().allowed);
}

pub(crate) async fn concurrent_hits_never_pass_the_limit(test: StoreTest) {
    let limiter = RateLimiter::new(test.cache());
    let allowed = together(50, |_| {
        let limiter = limiter.clone();
        async move { limiter.hit("k", 7, MINUTE).await.unwrap().allowed }
    })
    .await;
    assert_eq!(allowed.into_iter().filter(|allowed| *allowed).count(), 7);
}

async fn together<F, T>(count: usize, start: impl Fn(usize) -> F) -> Vec<T>
where
    F: Future<Output = T> + Send + 'static,
    T: Send + 'static,
{
    let tasks: Vec<_> = (0..count).map(|index| tokio::spawn(start(index))).collect();
    let mut results = Vec::new();
    for task in tasks {
        results.push(task.await.unwrap());
    }
    results
}
