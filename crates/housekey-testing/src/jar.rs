use std::collections::BTreeMap;

use cookie::Cookie;
use time::OffsetDateTime;

/// The cookies of one visitor. Like a browser it forgets what expired and sends what fits the path; unlike one it
/// sends `Secure` cookies too, for nothing ever leaves the process.
#[derive(Debug, Default)]
pub(crate) struct Jar {
    cookies: BTreeMap<(String, String), StoredCookie>,
}

#[derive(Debug)]
struct StoredCookie {
    /// The value as it travelled, percent-encoding and signature included.
    value: String,
    expires: Option<OffsetDateTime>,
}

impl Jar {
    pub(crate) fn store(&mut self, cookie: &Cookie<'_>, now: OffsetDateTime) {
        let expires = match (cookie.max_age(), cookie.expires_datetime()) {
            (Some(age), _) => Some(now.saturating_add(age)),
            (None, until) => until,
        };
        let key = (cookie.name().to_owned(), cookie.path().unwrap_or("/").to_owned());
        if expires.is_some_and(|until| until <= now) {
            self.cookies.remove(&key);
        } else {
            self.cookies.insert(key, StoredCookie { value: cookie.value().to_owned(), expires });
        }
    }

    /// The `cookie` header for a path; `None` when there is nothing to send.
    pub(crate) fn header(&self, path: &str, now: OffsetDateTime) -> Option<String> {
        let alive = |kept: &StoredCookie| kept.expires.is_none_or(|until| until > now);
        let pairs: Vec<String> = self
            .cookies
            .iter()
            .filter(|((_, scope), kept)| alive(kept) && within(path, scope))
            .map(|((name, _), kept)| format!("{name}={}", kept.value))
            .collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }

    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.cookies.iter().find(|((key, _), _)| key == name).map(|(_, kept)| kept.value.as_str())
    }

    pub(crate) fn clear(&mut self) {
        self.cookies.clear();
    }
}

/// RFC 6265, 5.1.4: equal, or below the folder that the scope names.
fn within(path: &str, scope: &str) -> bool {
    path == scope
        || path.strip_prefix(scope).is_some_and(|rest| scope.ends_with('/') || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> OffsetDateTime {
        OffsetDateTime::UNIX_EPOCH + time::Duration::seconds(second)
    }

    fn stored(text: &str, second: i64) -> Jar {
        let mut jar = Jar::default();
        jar.store(&Cookie::parse(text.to_owned()).unwrap(), at(second));
        jar
    }

    #[test]
    fn a_cookie_lives_as_long_as_it_says() {
        let jar = stored("a=1; Max-Age=60; Path=/", 0);
        assert_eq!(jar.header("/", at(59)).as_deref(), Some("a=1"));
        assert_eq!(jar.header("/", at(60)), None);
    }

    #[test]
    fn a_cookie_is_removed_by_an_expired_one() {
        let mut jar = stored("a=1; Path=/", 0);
        jar.store(&Cookie::parse("a=; Path=/; Max-Age=0").unwrap(), at(1));
        assert_eq!(jar.value("a"), None);
    }

    #[test]
    fn a_path_keeps_a_cookie_to_its_folder() {
        let jar = stored("a=1; Path=/admin", 0);
        assert!(jar.header("/admin", at(1)).is_some() && jar.header("/admin/users", at(1)).is_some());
        assert!(jar.header("/", at(1)).is_none() && jar.header("/administrator", at(1)).is_none());
    }
}
