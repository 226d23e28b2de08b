//! What stands in front of routes. `housekey make:middleware Locale` writes one and adds it here; give it a name in
//! `app()` with `.middleware("locale", middleware::locale)` and routes can ask for it.

mod accounts;

pub use accounts::{accounts, my_accounts};
