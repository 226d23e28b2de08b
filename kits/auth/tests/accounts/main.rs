//! Accounts, through the front door: what people send, what they are answered, and what holds afterwards. Nothing here
//! looks at a page, so these tests stay as they are when the pages change.

mod at_rest;
mod auth;
mod bad_input;
mod doors;
mod email_verification;
mod events;
mod more_ways;
mod no_password;
mod notices;
mod offers;
mod passkeys;
mod passwords;
mod proof_first;
mod sessions;
mod settings;
mod social;
mod support;
mod twice;
mod two_factor;
mod ways_in;
mod weak_passwords;
