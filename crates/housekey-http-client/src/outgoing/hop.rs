//! One host that is asked on the way: what is sent to it, and what it answers.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::{HeaderMap, Method, StatusCode};
use url::Url;

use crate::HttpError;
use crate::body::{Pieces, RequestBody, ResponseBody};

/// How much of an answer is waited for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Read {
    Whole,
    Head,
}

pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: AnswerBody,
}

pub(super) enum AnswerBody {
    Whole(Bytes),
    Coming { body: ResponseBody, host: String, time_limit: Duration },
}

impl AnswerBody {
    /// What [`Read::Whole`] has read.
    pub(super) fn whole(self) -> Bytes {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Coming { .. } => Bytes::new(),
        }
    }

    pub(super) fn pieces(self) -> Pieces<HttpError> {
        match self {
            Self::Whole(bytes) => stream::iter([Ok(bytes)]).boxed(),
            Self::Coming { body, host, time_limit } => body.pieces(host, time_limit),
        }
    }
}

/// What is sent to one host, before a redirect leads to the next.
pub(super) struct Hop {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: RequestBody,
    pub(super) allow_private_addresses: bool,
}

/// What a redirect needs to know of the request that was answered.
pub(super) struct Left {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) allow_private_addresses: bool,
}
