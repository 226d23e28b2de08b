//! The cache in Redis: [`RedisStore`], over a server of `config/redis.rs`.

use std::sync::LazyLock;
use std::time::Duration;

use housekey_core::Clock;
use housekey_redis::client::{Script, cmd};
use housekey_redis::{Redis, script};
use time::OffsetDateTime;

use crate::millis::{self, Moment};
use crate::store::{Counter, Entry, Store, StoreFuture};

/// A [`Store`] in Redis, shared by everything that reaches the same server.
///
/// An entry is a hash of its value (`v`) and its end (`e`, in milliseconds since 1970). The end is compared with the
/// application's clock, so that every store ends an entry at the same moment; the server's own expiry, a little later,
/// only takes the memory back. Changes are scripts, which the server runs one after the other.
#[derive(Debug)]
pub struct RedisStore {
    redis: Redis,
    clock: Clock,
}

/// How much longer than its life the server keeps an entry: more than clocks on two machines differ.
const SLACK: Duration = Duration::from_secs(60);

/// The server adds a lifetime to its own clock and refuses a sum that does not fit.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

impl RedisStore {
    pub fn new(redis: Redis, clock: Clock) -> Self {
        Self { redis, clock }
    }

    /// The server's name for a key. `cache:` keeps [`Store::clear`] away from sessions and jobs.
    fn full(&self, key: &str) -> String {
        format!("{}cache:{key}", self.redis.prefix())
    }

    fn now(&self) -> i64 {
        millis::of(self.clock.now())
    }

    /// When an entry ends, and how long the server keeps it; both empty for "until forgotten".
    fn life(&self, ttl: Option<Duration>) -> (String, String) {
        let Some(ttl) = ttl else { return (String::new(), String::new()) };
        let end = millis::end(&self.clock, ttl);
        let kept = ttl.min(LONGEST) + SLACK;
        (end.to_string(), kept.as_millis().to_string())
    }
}

/// What the scripts below share. `ARGV[1]` is the present moment.
const SHARED: &str = r"
local now = tonumber(ARGV[1])

local function present()
  local found = redis.call('HMGET', KEYS[1], 'v', 'e')
  if found[1] and not (found[2] and tonumber(found[2]) <= now) then return found end
end

local function write(value, ends, kept)
  redis.call('DEL', KEYS[1])
  if ends ~= '' and tonumber(ends) <= now then return end
  redis.call('HSET', KEYS[1], 'v', value)
  if ends ~= '' then
    redis.call('HSET', KEYS[1], 'e', ends)
    redis.call('PEXPIRE', KEYS[1], kept)
  end
end
";

fn with_shared(text: &str) -> Script {
    script(&format!("{SHARED}{text}"))
}

static PUT: LazyLock<Script> = LazyLock::new(|| with_shared("write(ARGV[2], ARGV[3], ARGV[4])"));

static FORGET: LazyLock<Script> = LazyLock::new(|| {
    with_shared(
        r"
local found = present()
redis.call('DEL', KEYS[1])
return found and 1 or 0",
    )
});

/// The sum is answered as text: Lua's numbers are exact to 53 bits only, HINCRBY to 64.
static INCREMENT: LazyLock<Script> = LazyLock::new(|| {
    with_shared(
        r"
if not present() then
  if ARGV[3] ~= '' and tonumber(ARGV[3]) <= now then
    redis.call('DEL', KEYS[1])
    return {ARGV[2], ARGV[3]}
  end
  write('0', ARGV[3], ARGV[4])
end
local sum = redis.pcall('HINCRBY', KEYS[1], 'v', ARGV[2])
if type(sum) == 'table' then return {false, string.find(sum.err, 'overflow') and 'sum' or 'counter'} end
return redis.call('HMGET', KEYS[1], 'v', 'e')",
    )
});

/// `ARGV[2]`: whether a value is expected, `ARGV[3]`: which; `ARGV[4]`: whether there is a new one, `ARGV[5]`: which.
static SWAP: LazyLock<Script> = LazyLock::new(|| {
    with_shared(
        r"
local found = present()
if ARGV[2] == '1' then
  if not found or found[1] ~= ARGV[3] then return 0 end
elseif found then return 0 end
if ARGV[4] == '1' then write(ARGV[5], ARGV[6], ARGV[7]) else redis.call('DEL', KEYS[1]) end
return 1",
    )
});

impl Store for RedisStore {
    fn name(&self) -> &'static str {
        "redis"
    }

    fn entry<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<Entry>> {
        Box::pin(async move {
            let mut read = cmd("HMGET");
            read.arg(self.full(key)).arg("v").arg("e");
            let (value, end): (Option<Vec<u8>>, Option<Moment>) = self.redis.command(&read).await?;
            let entry = value.map(|value| Entry { value, expires_at: end.and_then(millis::time) });
            Ok(entry.filter(|entry| entry.is_live(self.clock.now())))
        })
    }

    fn put<'a>(&'a self, key: &'a str, value: Vec<u8>, ttl: Option<Duration>) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let (end, kept) = self.life(ttl);
            let mut put = PUT.key(self.full(key));
            self.redis.invoke(put.arg(self.now()).arg(value).arg(end).arg(kept)).await
        })
    }

    fn increment<'a>(&'a self, key: &'a str, by: i64, ttl: Option<Duration>) -> StoreFuture<'a, Counter> {
        Box::pin(async move {
            let (end, kept) = self.life(ttl);
            let mut increment = INCREMENT.key(self.full(key));
            increment.arg(self.now()).arg(by).arg(end).arg(kept);
            // A refusal has no sum, and the reason in the place of the end.
            match self.redis.invoke::<(Option<i64>, Option<String>)>(&increment).await? {
                (Some(value), end) => Ok(Counter { value, expires_at: end.and_then(|end| moment(&end)) }),
                (None, Some(reason)) if reason == "sum" => Err(crate::store::does_not_fit(key)),
                (None, _) => Err(crate::store::not_a_counter(key)),
            }
        })
    }

    fn compare_and_swap<'a>(
        &'a self,
        key: &'a str,
        expected: Option<&'a [u8]>,
        new: Option<Vec<u8>>,
        ttl: Option<Duration>,
    ) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            let (end, kept) = self.life(ttl);
            let mut swap = SWAP.key(self.full(key));
            swap.arg(self.now());
            swap.arg(u8::from(expected.is_some())).arg(expected.unwrap_or_default());
            swap.arg(u8::from(new.is_some())).arg(new.unwrap_or_default());
            self.redis.invoke(swap.arg(end).arg(kept)).await
        })
    }

    fn forget<'a>(&'a self, key: &'a str) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            let mut forget = FORGET.key(self.full(key));
            self.redis.invoke(forget.arg(self.now())).await
        })
    }

    fn clear<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let pattern = format!("{}*", literal(&self.full(prefix)));
            let mut cursor: u64 = 0;
            loop {
                let mut scan = cmd("SCAN");
                scan.arg(cursor).arg("MATCH").arg(&pattern).arg("COUNT").arg(500);
                let (next, keys): (u64, Vec<Vec<u8>>) = self.redis.command(&scan).await?;
                if !keys.is_empty() {
                    self.redis.command::<()>(cmd("UNLINK").arg(keys)).await?;
                }
                if next == 0 {
                    return Ok(());
                }
                cursor = next;
            }
        })
    }
}

/// The moment a script answers as text; empty for "never".
fn moment(text: &str) -> Option<OffsetDateTime> {
    text.parse().ok().and_then(millis::time)
}

/// A text as a pattern that matches nothing else.
fn literal(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '*' | '?' | '[' | ']' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}
