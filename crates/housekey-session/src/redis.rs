use std::sync::LazyLock;

use housekey_core::Clock;
use housekey_redis::client::{Script, cmd};
use housekey_redis::{Redis, script};

use crate::store::{SessionId, SessionRecord, SessionStore, StoreFuture};

/// Keeps sessions in Redis, each as a hash of its version, its end and its contents. The server itself removes what has
/// ended, so there is no garbage to collect.
#[derive(Clone, Debug)]
pub struct RedisSessions {
    redis: Redis,
    clock: Clock,
}

/// How many seconds longer than its life the server keeps a record: more than clocks on two machines differ.
const SLACK: u64 = 300;

/// `ARGV[1]` is the version that must be there, empty for none.
static SWAP: LazyLock<Script> = LazyLock::new(|| {
    script(
        r"
local found = redis.call('HGET', KEYS[1], 'v')
if (found or '') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'v', ARGV[2], 'e', ARGV[3], 'p', ARGV[4])
redis.call('EXPIRE', KEYS[1], ARGV[5])
return 1",
    )
});

impl RedisSessions {
    pub fn new(redis: Redis, clock: Clock) -> Self {
        Self { redis, clock }
    }

    fn key(&self, id: &SessionId) -> String {
        format!("{}session:{}", self.redis.prefix(), id.to_hex())
    }
}

impl SessionStore for RedisSessions {
    fn name(&self) -> &'static str {
        "redis"
    }

    fn read<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, Option<SessionRecord>> {
        Box::pin(async move {
            let mut read = cmd("HMGET");
            read.arg(self.key(id)).arg("v").arg("e").arg("p");
            let found: (Option<u64>, Option<u64>, Option<Vec<u8>>) = self.redis.command(&read).await?;
            Ok(match found {
                (Some(version), Some(expires_at), Some(payload)) => {
                    Some(SessionRecord { version, expires_at, payload })
                }
                _ => None,
            })
        })
    }

    fn swap<'a>(
        &'a self,
        id: &'a SessionId,
        expected: Option<u64>,
        record: SessionRecord,
    ) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            let life = record.expires_at.saturating_sub(self.clock.unix()).saturating_add(SLACK);
            let mut swap = SWAP.key(self.key(id));
            swap.arg(expected.map_or_else(String::new, |version| version.to_string()));
            swap.arg(record.version).arg(record.expires_at).arg(record.payload).arg(life);
            self.redis.invoke(&swap).await
        })
    }

    fn remove<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, ()> {
        Box::pin(async move { self.redis.command(cmd("DEL").arg(self.key(id))).await })
    }

    fn collect_garbage(&self, _: u64) -> StoreFuture<'_, u64> {
        Box::pin(async { Ok(0) })
    }
}
