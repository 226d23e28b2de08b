use crate::asked::Asked;
use crate::folder::Found;

/// What a request's conditions make of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Send,
    NotModified,
    PreconditionFailed,
}

/// In the order of RFC 9110, section 13.2.2.
pub(crate) fn verdict(asked: &Asked, found: &Found) -> Verdict {
    let modified = found.modified;
    let since = |header: &Option<String>| httpdate::parse_http_date(header.as_deref()?).ok();
    match (&asked.if_match, since(&asked.if_unmodified_since)) {
        (Some(list), _) if !matches(list, &found.etag, false) => return Verdict::PreconditionFailed,
        (None, Some(date)) if modified.is_some_and(|modified| modified > date) => {
            return Verdict::PreconditionFailed;
        }
        _ => {}
    }
    match (&asked.if_none_match, since(&asked.if_modified_since)) {
        (Some(list), _) if matches(list, &found.etag, true) => Verdict::NotModified,
        (None, Some(date)) if modified.is_some_and(|modified| modified <= date) => Verdict::NotModified,
        _ => Verdict::Send,
    }
}

/// Whether a range may be cut from these bytes: `If-Range` is absent, or names exactly them.
pub(crate) fn range_applies(asked: &Asked, found: &Found) -> bool {
    asked.if_range.as_deref().is_none_or(|condition| {
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
