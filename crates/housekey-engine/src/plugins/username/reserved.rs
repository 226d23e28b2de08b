/// Names that would let somebody speak for the house, that mail servers and browsers take for somebody in charge (RFC 2142), or that
/// are in the way of paths.
pub(super) const RESERVED: [&str; 86] = [
    "about",
    "abuse",
    "account",
    "accounts",
    "admin",
    "administrator",
    "admins",
    "all",
    "anonymous",
    "api",
    "app",
    "assets",
    "auth",
    "billing",
    "blog",
    "bot",
    "contact",
    "dashboard",
    "delete",
    "deleted",
    "dev",
    "docs",
    "everyone",
    "faq",
    "feedback",
    "ftp",
    "guest",
    "hello",
    "help",
    "helpdesk",
    "hostmaster",
    "http",
    "https",
    "info",
    "invite",
    "legal",
    "localhost",
    "login",
    "logout",
    "mail",
    "mailerdaemon",
    "me",
    "mod",
    "moderator",
    "news",
    "nobody",
    "noreply",
    "null",
    "oauth",
    "official",
    "operator",
    "owner",
    "password",
    "payment",
    "payments",
    "ping",
    "postmaster",
    "privacy",
    "profile",
    "public",
    "register",
    "root",
    "sales",
    "secure",
    "security",
    "service",
    "session",
    "settings",
    "signin",
    "signout",
    "signup",
    "staff",
    "static",
    "status",
    "su",
    "superuser",
    "support",
    "sysadmin",
    "system",
    "team",
    "terms",
    "test",
    "undefined",
    "user",
    "webmaster",
    "www",
];

/// Whether a name, in the form in which it is looked up, is one of those that are nobody's to take.
pub(super) fn is_reserved(reserved: &[String], name: &str) -> bool {
    let name = bare(&name.to_lowercase());
    reserved.iter().any(|reserved| bare(&reserved.to_lowercase()) == name)
}

/// What is left of a name when nothing holds it apart: `a.d_min` is read as `admin`.
fn bare(name: &str) -> String {
    name.chars().filter(|character| !matches!(character, '.' | '_' | '-')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_and_lines_do_not_make_another_name() {
        let usual = RESERVED.map(str::to_owned);
        for name in ["admin", "Admin", "ad.min", "_admin_", "no.reply", "no-reply"] {
            assert!(is_reserved(&usual, name), "{name}");
        }
        for name in ["adminton", "ada", "root_beer", "..."] {
            assert!(!is_reserved(&usual, name), "{name}");
        }
    }

    #[test]
    fn an_app_adds_its_own() {
        assert!(is_reserved(&["Pricing".to_owned()], "pricing"));
    }

    #[test]
    fn the_list_is_in_order_and_has_nothing_twice() {
        assert!(RESERVED.is_sorted() && RESERVED.array_windows::<2>().all(|[one, next]| one != next));
    }
}
