use crate::file_request::FileRequest;
use crate::folder::OpenedFile;

/// What a request's conditions make of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Send,
    NotModified,
    PreconditionFailed,
}

/// In the order of RFC 9110, section 13.2.2.
pub(crate) fn verdict(request: &FileRequest, found: &OpenedFile) -> Verdict {
    let modified = found.modified;
    let since = |header: &Option<String>| httpdate::parse_http_date(header.as_deref()?).ok();
    match (&request.if_match, since(&request.if_unmodified_since)) {
        (Some(list), _) if !matches(list, &found.etag, false) => return Verdict::PreconditionFailed,
        (None, Some(date)) if modified.is_some_and(|modified| modified > date) => {
            return Verdict::PreconditionFailed;
        }
        _ => {}
    }
    match (&request.if_none_match, since(&request.if_modified_since)) {
        (Some(list), _) if matches(list, &found.etag, true) => Verdict::NotModified,
        (None, Some(date)) if modified.is_some_and(|modified| modified <= date) => Verdict::NotModified,
        _ => Verdict::Send,
    }
}

/// Whether a range may be cut from these bytes: `If-Range` is absent, or names exactly them.
pub(crate) fn range_applies(request: &FileRequest, found: &OpenedFile) -> bool {
    request.if_range.as_deref().is_none_or(|condition| {
        condition == found.etag
            || httpdate::parse_http_date(condition).is_ok_and(|date| found.modified == Some(date))
    })
}

fn matches(list: &str, etag: &str, weakly: bool) -> bool {
    list.split(',').map(str::trim).any(|candidate| {
        let candidate = if weakly { candidate.strip_prefix("W/").unwrap_or(candidate) } else { candidate };
        candidate == "*" || candidate == etag
    })
}
