//! `auth:schema` as far as databases see it: every plan is run, on every engine.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod install;
mod made;
mod secure;
mod support;
mod upgrade;

// The migrations in `made/` are files of an app, which names one crate only.
extern crate self as housekey;
pub(crate) mod database {
    pub(crate) use housekey_database::Schema;
}
