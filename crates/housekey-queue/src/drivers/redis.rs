use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use housekey_core::{Clock, Result, random};
use housekey_redis::client::{Script, ScriptInvocation, cmd, pipe};
use housekey_redis::{Redis, script};
use serde::Serialize;
use time::OffsetDateTime;

use crate::driver::{
    BATCH_KEPT, DriverFuture, FailedJob, FailedJobFilter, JobState, NewBatch, NewJob, QueueDriver, QueueSize,
    QueuedJob, ReservedJob, UniqueLock,
};
use crate::{BatchId, BatchStatus, JobId};

/// Keeps jobs in Redis.
///
/// A job is a hash. Its queue is a sorted set of ids by the moment they become available; a job on loan is one that
/// becomes available when the lease ends. Every change is a script, which the server runs without anything in between.
///
/// The server must be one that forgets nothing: `maxmemory-policy noeviction`, and `appendonly yes` if jobs shall
/// survive its own restart.
#[derive(Debug)]
pub struct RedisDriver {
    redis: Redis,
    clock: Clock,
    /// What all our keys start with.
    base: String,
}

/// A hundred years, in milliseconds: more is more than the server can count.
const LONGEST_LOCK: u128 = 100 * 365 * 24 * 60 * 60 * 1000;

impl RedisDriver {
    pub fn new(redis: Redis, clock: Clock) -> Self {
        let base = format!("{}queue:", redis.prefix());
        Self { redis, clock, base }
    }

    fn key(&self, name: &str) -> String {
        format!("{}{name}", self.base)
    }

    fn now(&self) -> i64 {
        self.clock.unix_millis()
    }

    fn after(&self, delay: Duration) -> i64 {
        self.now().saturating_add(i64::try_from(delay.as_millis()).unwrap_or(i64::MAX))
    }

    /// A script with the keys that most of them need: the queue's jobs, those of them on loan, the failed ones, and
    /// the names of all queues; then the start of our keys and the present moment.
    fn on<'a>(&self, script: &'a Script, queue: &str) -> ScriptInvocation<'a> {
        let mut call = script.key(self.key(&format!("jobs:{queue}")));
        call.key(self.key(&format!("loans:{queue}"))).key(self.key("failed")).key(self.key("names"));
        call.arg(&self.base).arg(self.now());
        call
    }

    /// The same for a job on loan: its id and the loan's name follow.
    fn on_loan<'a>(&self, script: &'a Script, job: &ReservedJob) -> ScriptInvocation<'a> {
        let mut call = self.on(script, &job.queue);
        call.arg(job.id.as_str()).arg(&job.lease);
        call
    }

    fn for_script(&self, jobs: &[NewJob]) -> Result<String> {
        let jobs: Vec<JobForScript<'_>> = jobs.iter().map(|job| self.one_for_script(job)).collect();
        Ok(serde_json::to_string(&jobs)?)
    }

    fn one_for_script<'a>(&self, job: &'a NewJob) -> JobForScript<'a> {
        JobForScript {
            id: job.id.as_str(),
            queue: &job.queue,
            name: &job.name,
            payload: &job.payload,
            available: self.after(job.delay).to_string(),
            unique: job.unique.as_ref().map(|lock| lock.key.as_str()),
            lasts: job.unique.as_ref().map(|lock| lock.lasts.as_millis().min(LONGEST_LOCK).to_string()),
            chain: job.chain.as_deref(),
            batch: job.batch.as_ref().map(BatchId::as_str),
        }
    }

    /// Removes a job that has ended, and counts it as `what` in its batch.
    async fn end(&self, job: &ReservedJob, next: &[NewJob], what: &'static str) -> Result<bool> {
        self.redis.invoke(self.on_loan(&COMPLETE, job).arg(self.for_script(next)?).arg(what)).await
    }

    /// How far these batches are, without those that are forgotten.
    async fn statuses(&self, ids: Vec<String>) -> Result<Vec<BatchStatus>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut read = pipe();
        for id in &ids {
            read.cmd("HMGET").arg(self.key(&format!("batch:{id}")));
            for field in
                ["name", "total", "done", "failed", "skipped", "cancelled", "created_at", "finished_at"]
            {
                read.arg(field);
            }
        }
        type Number = Option<u64>;
        type Fields = (Option<String>, Number, Number, Number, Number, Number, Option<i64>, Option<i64>);
        let found: Vec<Fields> = self.redis.pipeline(&read).await?;
        let statuses = ids.into_iter().zip(found).filter_map(|(id, fields)| {
            let (name, total, done, failed, skipped, cancelled, created_at, finished_at) = fields;
            Some(BatchStatus {
                id: id.into(),
                name: name?,
                total: total?,
                done: done?,
                failed: failed?,
                skipped: skipped?,
                is_cancelled: cancelled == Some(1),
                created_at: moment(created_at?),
                finished_at: finished_at.map(moment),
            })
        });
        Ok(statuses.collect())
    }

    async fn chosen(&self, which: &FailedJobFilter) -> Result<Vec<JobId>> {
        match which {
            FailedJobFilter::These(ids) => Ok(ids.clone()),
            FailedJobFilter::All => {
                let ids: Vec<String> =
                    self.redis.command(cmd("ZRANGE").arg(self.key("failed")).arg(0).arg(-1)).await?;
                Ok(ids.into_iter().map(JobId::from).collect())
            }
        }
    }

    async fn each(&self, which: &FailedJobFilter, script: &Script) -> Result<u64> {
        let mut count = 0;
        for id in self.chosen(which).await? {
            count += self.redis.invoke::<u64>(self.on(script, "").arg(id.as_str())).await?;
        }
        Ok(count)
    }
}

/// What the scripts share.
const SHARED: &str = r"
local jobs, loans, failed, names = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local base, now = ARGV[1], tonumber(ARGV[2])

local function key(id) return base .. 'job:' .. id end

local function is_on_loan()
  return redis.call('HGET', key(ARGV[3]), 'lease') == ARGV[4]
end

-- Takes the lock of a unique job, or answers with the job that holds it.
local function lock(id, unique, lasts)
  local at = base .. 'unique:' .. unique
  local held = redis.call('HMGET', at, 'id', 'until')
  if held[1] and tonumber(held[2]) > now then return held[1] end
  redis.call('HSET', at, 'id', id, 'until', string.format('%.0f', now + tonumber(lasts)))
  redis.call('PEXPIRE', at, lasts)
  return id
end

local function unlock(id)
  local unique = redis.call('HGET', key(id), 'unique')
  if not unique then return end
  local at = base .. 'unique:' .. unique
  if redis.call('HGET', at, 'id') == id then redis.call('DEL', at) end
end

local function push(job)
  if job.unique then
    local holder = lock(job.id, job.unique, job.lasts)
    if holder ~= job.id then return holder end
    redis.call('HSET', key(job.id), 'unique', job.unique, 'lasts', job.lasts)
  end
  if job.batch then redis.call('HSET', key(job.id), 'batch', job.batch) end
  if job.chain then redis.call('HSET', key(job.id), 'chain', job.chain) end
  redis.call('HSET', key(job.id), 'queue', job.queue, 'name', job.name, 'payload', job.payload, 'attempts', 0)
  redis.call('ZADD', base .. 'jobs:' .. job.queue, job.available, job.id)
  redis.call('SADD', names, job.queue)
  return job.id
end

-- Takes in a job that a batch has kept until now.
local function tell(text)
  local job = cjson.decode(text)
  job.available = string.format('%.0f', now)
  push(job)
end

-- Counts a job that has ended in its batch, and takes in what the batch has to tell.
local function count(batch, what, by)
  local at = base .. 'batch:' .. batch
  if redis.call('EXISTS', at) == 0 then return end
  redis.call('HINCRBY', at, what, by)
  if what == 'failed' then
    local catch = redis.call('HGET', at, 'catch')
    if catch then
      redis.call('HDEL', at, 'catch')
      tell(catch)
    end
    if redis.call('HGET', at, 'allows_failures') == '0' then redis.call('HSET', at, 'cancelled', 1) end
  end
  local found = redis.call('HMGET', at, 'total', 'done', 'failed', 'skipped', 'finished_at', 'then', 'finally')
  local ended = tonumber(found[2]) + tonumber(found[3]) + tonumber(found[4])
  if found[5] or ended < tonumber(found[1]) then return end
  redis.call('HSET', at, 'finished_at', ARGV[2])
  redis.call('HDEL', at, 'then', 'finally')
  redis.call('PEXPIRE', at, redis.call('HGET', at, 'kept'))
  if found[6] and tonumber(found[2]) == tonumber(found[1]) then tell(found[6]) end
  if found[7] then tell(found[7]) end
end

-- A batch that is forgotten by now leaves the list of them.
local function forget_if_gone(batch)
  if redis.call('EXISTS', base .. 'batch:' .. batch) == 0 then redis.call('ZREM', base .. 'batches', batch) end
end

local function count_job(id, what)
  local batch = redis.call('HGET', key(id), 'batch')
  if batch then count(batch, what, 1) end
end
";

fn with_shared(text: &str) -> Script {
    script(&format!("{SHARED}{text}"))
}

/// Values that only exist sometimes are left out, not null: Lua takes the null of JSON for true.
#[derive(Serialize)]
struct JobForScript<'a> {
    id: &'a str,
    queue: &'a str,
    name: &'a str,
    payload: &'a str,
    // As text: Lua would write so large a number with an exponent.
    available: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lasts: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chain: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<&'a str>,
}

static PUSH: LazyLock<Script> = LazyLock::new(|| {
    with_shared(
        r"
local ids = {}
for number, job in ipairs(cjson.decode(ARGV[3])) do ids[number] = push(job) end
return ids",
    )
});

static START_BATCH: LazyLock<Script> = LazyLock::new(|| {
    with_shared(
        r"
-- A few of the oldest each time: nobody else may ever look at the list.
for _, id in ipairs(redis.call('ZRANGE', base .. 'batches', 0, 9)) do forget_if_gone(id) end
local batch = cjson.decode(ARGV[3])
local at = base .. 'batch:' .. batch.id
redis.call('HSET', at, 'name', batch.name, 'total', batch.total, 'done', 0, 'failed', 0, 'skipped', 0,
  'allows_failures', batch.allows_failures, 'cancelled', 0, 'created_at', ARGV[2], 'kept', batch.kept)
for field, job in pairs(batch.told) do redis.call('HSET', at, field, job) end
redis.call('ZADD', base .. 'batches', now, batch.id)
for _, job in ipairs(cjson.decode(ARGV[4])) do push(job) end
count(batch.id, 'done', 0)
return 1",
    )
});

static CANCEL_BATCH: LazyLock<Script> = LazyLock::new(|| {
    with_shared(
        r"
local at = base .. 'batch:' .. ARGV[3]
if redis.call('HGET', at, 'cancelled') ~= '0' or redis.call('HEXISTS', at, 'finished_at') == 1 then return 0 end
redis.call('HSET', at, 'cancelled', 1)
return 1",
    )
});

static FORGET_BATCHES: LazyLock<Script> = LazyLock::new(|| {
    with_shared(
        r"
for number = 3, #ARGV do forget_if_gone(ARGV[number]) end
return 1",
    )
});

#[derive(Serialize)]
struct BatchForScript<'a> {
    id: &'a str,
    name: &'a str,
    total: String,
    allows_failures: &'static str,
    kept: String,
    /// The jobs it tells of its end, as text.
    told: BTreeMap<&'static str, String>,
}

/// A job whose hash is gone (a server that evicts, or a hand) is answered by its id alone.
static RESERVE: LazyLock<Script> = LazyLock::new(|| {
    with_shared(
        r"
local id = redis.call('ZRANGEBYSCORE', jobs, '-inf', now, 'LIMIT', 0, 1)[1]
if not id then return false end
if redis.call('EXISTS', key(id)) == 0 then
  redis.call('ZREM', jobs, id)
  redis.call('ZREM', loans, id)
  return {id}
end
redis.call('ZADD', jobs, ARGV[3], id)
redis.call('ZADD', loans, ARGV[3], id)
redis.call('HSET', key(id), 'lease', ARGV[4])
local attempts = redis.call('HINCRBY', key(id), 'attempts', 1)
local found = redis.call('HMGET', key(id), 'name', 'payload', 'unique', 'lasts', 'chain', 'batch')
return {
  id, found[1], found[2], tostring(attempts), found[3] or '', found[4] or '', found[5] or '', found[6] or ''
}",
    )
});

static EXTEND: LazyLock<Script> = LazyLock::new(|| {
    with_shared(
        r"
if not is_on_loan() then return 0 end
redis.call('ZADD', jobs, ARGV[5], ARGV[3])
redis.call('ZADD', loans, ARGV[5], ARGV[3])
return 1",
    )
});

static COMPLETE: LazyLock<Script> = LazyLock::new(|| {
    with_shared(
        r"
if not is_on_loan() then return 0 end
unlock(ARGV[3])
count_job(ARGV[3], ARGV[6])
redis.call('DEL', key(ARGV[3]))
redis.call('ZREM', jobs, ARGV[3])
redis.call('ZREM', loans, ARGV[3])
for _, job in ipairs(cjson.decode(ARGV[5])) do push(job) end
return 1",
    )
});

static RELEASE: LazyLock<Script> = LazyLock::new(|| {
    with_shared(
        r"
if not is_on_loan() then return 0 end
redis.call('HDEL', key(ARGV[3]), 'lease')
redis.call('HSET', key(ARGV[3]), 'attempts', ARGV[6])
redis.call('ZADD', jobs, ARGV[5], ARGV[3])
redis.call('ZREM', loans, ARGV[3])
return 1",
    )
});

static FAIL: LazyLock<Script> = LazyLock::new(|| {
    with_shared(
        r"
if not is_on_loan() then return 0 end
unlock(ARGV[3])
count_job(ARGV[3], 'failed')
redis.call('HDEL', key(ARGV[3]), 'lease', 'batch')
redis.call('HSET', key(ARGV[3]), 'error', ARGV[5], 'failed_at', ARGV[2])
redis.call('ZREM', jobs, ARGV[3])
redis.call('ZREM', loans, ARGV[3])
redis.call('ZADD', failed, now, ARGV[3])
for _, job in ipairs(cjson.decode(ARGV[6])) do push(job) end
return 1",
    )
});

static SIZE: LazyLock<Script> = LazyLock::new(|| {
    with_shared(
        r"
return {
  redis.call('ZCOUNT', jobs, '-inf', now),
  redis.call('ZCOUNT', loans, '(' .. ARGV[2], '+inf'),
  redis.call('ZCARD', jobs)
}",
    )
});

/// Those on loan and those that wait, of one queue.
static JOBS: LazyLock<Script> = LazyLock::new(|| {
    with_shared(
        r"
local found, most = {}, tonumber(ARGV[3])
local function add(id, score, is_running)
  local fields = redis.call('HMGET', key(id), 'name', 'attempts')
  if fields[1] then found[#found + 1] = {id, fields[1], fields[2], score, is_running} end
end
local running = redis.call('ZRANGEBYSCORE', loans, '(' .. ARGV[2], '+inf', 'WITHSCORES', 'LIMIT', 0, most)
for at = 1, #running, 2 do add(running[at], running[at + 1], 1) end
local waiting = redis.call('ZRANGE', jobs, 0, most + redis.call('ZCARD', loans) - 1, 'WITHSCORES')
for at = 1, #waiting, 2 do
  local ends = redis.call('ZSCORE', loans, waiting[at])
  if not ends or tonumber(ends) <= now then add(waiting[at], waiting[at + 1], 0) end
end
return found",
    )
});

static CLEAR: LazyLock<Script> = LazyLock::new(|| {
    with_shared(
        r"
local count = 0
for _, id in ipairs(redis.call('ZRANGE', jobs, 0, -1)) do
  local ends = redis.call('ZSCORE', loans, id)
  if not ends or tonumber(ends) <= now then
    unlock(id)
    count_job(id, 'skipped')
    redis.call('DEL', key(id))
    redis.call('ZREM', jobs, id)
    redis.call('ZREM', loans, id)
    count = count + 1
  end
end
return count",
    )
});

static RETRY: LazyLock<Script> = LazyLock::new(|| {
    with_shared(
        r"
if not redis.call('ZSCORE', failed, ARGV[3]) then return 0 end
local found = redis.call('HMGET', key(ARGV[3]), 'queue', 'unique', 'lasts')
local queue = found[1]
if queue and found[2] and lock(ARGV[3], found[2], found[3]) ~= ARGV[3] then return 0 end
redis.call('ZREM', failed, ARGV[3])
if not queue then return 0 end
redis.call('HDEL', key(ARGV[3]), 'error', 'failed_at')
redis.call('HSET', key(ARGV[3]), 'attempts', 0)
redis.call('ZADD', base .. 'jobs:' .. queue, now, ARGV[3])
redis.call('SADD', names, queue)
return 1",
    )
});

static FLUSH: LazyLock<Script> = LazyLock::new(|| {
    with_shared(
        r"
if redis.call('ZREM', failed, ARGV[3]) == 0 then return 0 end
redis.call('DEL', key(ARGV[3]))
return 1",
    )
});

impl QueueDriver for RedisDriver {
    fn name(&self) -> &'static str {
        "redis"
    }

    fn push(&self, jobs: Vec<NewJob>) -> DriverFuture<'_, Vec<JobId>> {
        Box::pin(async move {
            let ids: Vec<String> = self.redis.invoke(self.on(&PUSH, "").arg(self.for_script(&jobs)?)).await?;
            Ok(ids.into_iter().map(JobId::from).collect())
        })
    }

    fn reserve<'a>(&'a self, queue: &'a str, lease: Duration) -> DriverFuture<'a, Option<ReservedJob>> {
        Box::pin(async move {
            loop {
                let token = random::token();
                let mut reserve = self.on(&RESERVE, queue);
                reserve.arg(self.after(lease)).arg(&token);
                let Some(found) = self.redis.invoke::<Option<Vec<String>>>(&reserve).await? else {
                    return Ok(None);
                };
                let Ok([id, name, payload, attempts, unique, lasts, chain, batch]) =
                    <[String; 8]>::try_from(found)
                else {
                    tracing::error!(
                        queue,
                        "Redis has lost a job; set its `maxmemory-policy` to `noeviction` for queues"
                    );
                    continue;
                };
                return Ok(Some(ReservedJob {
                    id: id.into(),
                    queue: queue.to_owned(),
                    name,
                    payload,
                    attempt: attempts.parse()?,
                    lease: token,
                    unique: match lasts.parse() {
                        Ok(ms) => Some(UniqueLock { key: unique, lasts: Duration::from_millis(ms) }),
                        Err(_) => None,
                    },
                    chain: Some(chain).filter(|chain| !chain.is_empty()),
                    batch: Some(batch).filter(|batch| !batch.is_empty()).map(BatchId::from),
                }));
            }
        })
    }

    fn extend<'a>(&'a self, job: &'a ReservedJob, lease: Duration) -> DriverFuture<'a, bool> {
        Box::pin(async move { self.redis.invoke(self.on_loan(&EXTEND, job).arg(self.after(lease))).await })
    }

    fn complete<'a>(&'a self, job: &'a ReservedJob, next: &'a [NewJob]) -> DriverFuture<'a, bool> {
        Box::pin(self.end(job, next, "done"))
    }

    fn release<'a>(&'a self, job: &'a ReservedJob, delay: Duration, attempts: u32) -> DriverFuture<'a, bool> {
        Box::pin(async move {
            let mut release = self.on_loan(&RELEASE, job);
            self.redis.invoke(release.arg(self.after(delay)).arg(attempts)).await
        })
    }

    fn fail<'a>(
        &'a self,
        job: &'a ReservedJob,
        error: &'a str,
        next: &'a [NewJob],
    ) -> DriverFuture<'a, bool> {
        Box::pin(async move {
            self.redis.invoke(self.on_loan(&FAIL, job).arg(error).arg(self.for_script(next)?)).await
        })
    }

    fn skip<'a>(&'a self, job: &'a ReservedJob) -> DriverFuture<'a, bool> {
        Box::pin(self.end(job, &[], "skipped"))
    }

    fn start_batch(&self, batch: NewBatch, jobs: Vec<NewJob>) -> DriverFuture<'_, ()> {
        Box::pin(async move {
            let mut told = BTreeMap::new();
            for (field, job) in [("then", &batch.then), ("catch", &batch.catch), ("finally", &batch.finally)]
            {
                if let Some(job) = job {
                    told.insert(field, serde_json::to_string(&self.one_for_script(job))?);
                }
            }
            let batch = BatchForScript {
                id: batch.id.as_str(),
                name: &batch.name,
                total: jobs.len().to_string(),
                allows_failures: if batch.allows_failures { "1" } else { "0" },
                kept: BATCH_KEPT.as_millis().to_string(),
                told,
            };
            let mut start = self.on(&START_BATCH, "");
            start.arg(serde_json::to_string(&batch)?).arg(self.for_script(&jobs)?);
            self.redis.invoke::<u64>(&start).await.map(drop)
        })
    }

    fn batch<'a>(&'a self, id: &'a BatchId) -> DriverFuture<'a, Option<BatchStatus>> {
        Box::pin(async move { Ok(self.statuses(vec![id.as_str().to_owned()]).await?.pop()) })
    }

    fn batches(&self, limit: u64) -> DriverFuture<'_, Vec<BatchStatus>> {
        Box::pin(async move {
            let mut newest = cmd("ZREVRANGE");
            newest.arg(self.key("batches")).arg(0).arg(i64::try_from(limit).unwrap_or(i64::MAX) - 1);
            let ids: Vec<String> = self.redis.command(&newest).await?;
            let found = self.statuses(ids.clone()).await?;
            if found.len() < ids.len() {
                let mut forget = self.on(&FORGET_BATCHES, "");
                for id in &ids {
                    forget.arg(id);
                }
                self.redis.invoke::<u64>(&forget).await?;
            }
            Ok(found)
        })
    }

    fn cancel_batch<'a>(&'a self, id: &'a BatchId) -> DriverFuture<'a, bool> {
        Box::pin(async move { self.redis.invoke(self.on(&CANCEL_BATCH, "").arg(id.as_str())).await })
    }

    fn size<'a>(&'a self, queue: &'a str) -> DriverFuture<'a, QueueSize> {
        Box::pin(async move {
            let (ready, reserved, all): (u64, u64, u64) = self.redis.invoke(&self.on(&SIZE, queue)).await?;
            Ok(QueueSize { ready, reserved, delayed: all.saturating_sub(ready + reserved) })
        })
    }

    fn jobs(&self, limit: u64) -> DriverFuture<'_, Vec<QueuedJob>> {
        Box::pin(async move {
            let (mut running, mut waiting) = (Vec::new(), Vec::new());
            for queue in self.queues().await? {
                let found: Vec<(String, String, u32, f64, bool)> =
                    self.redis.invoke(self.on(&JOBS, &queue).arg(limit)).await?;
                for (id, name, attempts, available_at, is_running) in found {
                    let state = match (is_running, available_at as i64 <= self.now()) {
                        (true, _) => JobState::Running,
                        (false, true) => JobState::Due,
                        (false, false) => JobState::Later,
                    };
                    let available_at = moment(available_at as i64);
                    let (id, queue) = (id.into(), queue.clone());
                    let job = QueuedJob { id, queue, name, attempts, state, available_at };
                    if is_running { running.push(job) } else { waiting.push(job) }
                }
            }
            for jobs in [&mut running, &mut waiting] {
                jobs.sort_by(|one, other| (one.available_at, &one.id).cmp(&(other.available_at, &other.id)));
                jobs.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
            }
            running.extend(waiting);
            Ok(running)
        })
    }

    fn queues(&self) -> DriverFuture<'_, Vec<String>> {
        Box::pin(async move {
            let names: Vec<String> = self.redis.command(cmd("SMEMBERS").arg(self.key("names"))).await?;
            let mut queues = Vec::new();
            for name in names {
                if self.size(&name).await?.total() > 0 {
                    queues.push(name);
                }
            }
            queues.sort();
            Ok(queues)
        })
    }

    fn clear<'a>(&'a self, queue: &'a str) -> DriverFuture<'a, u64> {
        Box::pin(async move { self.redis.invoke(&self.on(&CLEAR, queue)).await })
    }

    fn failed(&self, limit: u64) -> DriverFuture<'_, Vec<FailedJob>> {
        Box::pin(async move {
            let mut newest = cmd("ZREVRANGE");
            newest.arg(self.key("failed")).arg(0).arg(i64::try_from(limit).unwrap_or(i64::MAX) - 1);
            let ids: Vec<String> = self.redis.command(&newest).await?;
            let mut read = pipe();
            for id in &ids {
                read.cmd("HMGET").arg(self.key(&format!("job:{id}")));
                for field in ["queue", "name", "error", "attempts", "failed_at"] {
                    read.arg(field);
                }
            }
            type Fields = (Option<String>, Option<String>, Option<String>, Option<u32>, Option<i64>);
            let found: Vec<Fields> =
                if ids.is_empty() { Vec::new() } else { self.redis.pipeline(&read).await? };
            let failed =
                ids.into_iter().zip(found).map(|(id, (queue, name, error, attempts, at))| FailedJob {
                    id: id.into(),
                    queue: queue.unwrap_or_default(),
                    name: name.unwrap_or_default(),
                    attempts: attempts.unwrap_or_default(),
                    error: error.unwrap_or_default(),
                    failed_at: moment(at.unwrap_or_default()),
                });
            Ok(failed.collect())
        })
    }

    fn retry<'a>(&'a self, which: &'a FailedJobFilter) -> DriverFuture<'a, u64> {
        Box::pin(self.each(which, &RETRY))
    }

    fn flush<'a>(&'a self, which: &'a FailedJobFilter) -> DriverFuture<'a, u64> {
        Box::pin(self.each(which, &FLUSH))
    }
}

fn moment(ms: i64) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(ms) * 1_000_000)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH)
}
