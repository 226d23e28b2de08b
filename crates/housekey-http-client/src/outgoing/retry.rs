//! When a request is sent once more, and how long is waited until then.

use std::time::Duration;

use housekey_base::random;
use http::header::RETRY_AFTER;
use http::{HeaderMap, Method};

use super::hop::Answer;
use crate::HttpError;

const FIRST_WAIT: Duration = Duration::from_millis(200);
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// The longest wait that a host may ask for: somebody waits for our own answer.
const LONGEST_WISH: Duration = Duration::from_secs(60);

/// Whether the same request twice is no more than the request once.
pub(super) fn may_repeat(method: &Method, headers: &HeaderMap) -> bool {
    method.is_idempotent() || headers.contains_key("idempotency-key")
}

/// How long to wait before asking again; `None` if that would not help. `attempt` counts from 0.
pub(super) fn wait(outcome: &Result<Answer, HttpError>, attempt: u32) -> Option<Duration> {
    match outcome {
        Err(error) if error.is_unreachable() => Some(backoff(attempt)),
        Err(_) => None,
        Ok(answer) if !matches!(answer.status.as_u16(), 408 | 425 | 429 | 500 | 502 | 503 | 504) => None,
        Ok(answer) => match wish(&answer.headers) {
            Some(wish) => (wish <= LONGEST_WISH).then_some(wish),
            None => Some(backoff(attempt)),
        },
    }
}

/// Twice as long each time, and never the same for everybody: a host that comes back is not asked by all at once.
fn backoff(attempt: u32) -> Duration {
    let whole = FIRST_WAIT.saturating_mul(2_u32.saturating_pow(attempt)).min(LONGEST_WAIT);
    let [byte] = random::bytes::<1>();
    whole.mul_f32(0.5 + f32::from(byte) / 512.0)
}

/// What the host asks for, in seconds. A date is not understood: it asks for our clock to be right.
fn wish(headers: &HeaderMap) -> Option<Duration> {
    headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{HeaderValue, StatusCode};

    use super::*;
    use crate::outgoing::hop::AnswerBody;

    fn answer(status: u16, retry_after: Option<&'static str>) -> Result<Answer, HttpError> {
        let mut headers = HeaderMap::new();
        if let Some(seconds) = retry_after {
            headers.insert(RETRY_AFTER, HeaderValue::from_static(seconds));
        }
        let status = StatusCode::from_u16(status).unwrap();
        Ok(Answer { status, headers, body: AnswerBody::Whole(Bytes::new()) })
    }

    #[test]
    fn it_waits_longer_each_time_and_not_for_ever() {
        for (attempt, most) in [(0, 200), (1, 400), (4, 3200), (40, 20_000)] {
            let wait = wait(&answer(503, None), attempt).unwrap().as_millis();
            assert!(wait >= most / 2 && wait <= most, "{attempt}: {wait}");
        }
    }

    #[test]
    fn a_host_that_names_a_time_is_asked_then() {
        assert_eq!(wait(&answer(429, Some("7")), 0), Some(Duration::from_secs(7)));
        assert_eq!(wait(&answer(429, Some("86400")), 0), None);
        assert!(wait(&answer(503, Some("Fri, 31 Dec 1999 23:59:59 GMT")), 0).is_some());
    }

    #[test]
    fn what_would_fail_again_is_not_asked_again() {
        for status in [200, 302, 400, 401, 404, 409, 422, 501] {
            assert_eq!(wait(&answer(status, None), 0), None, "{status}");
        }
        assert_eq!(wait(&Err(HttpError::refused("")), 0), None);
        assert_eq!(wait(&Err(HttpError::answer("")), 0), None);
        assert!(wait(&Err(HttpError::timeout("")), 0).is_some());
    }
}
