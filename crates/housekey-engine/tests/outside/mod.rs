//! Sign-in methods as somebody outside of this repository would write them: a link by mail, a code by mail, a key for scripts,
//! several accounts in one browser, a riddle before the password. Each is a file that names nothing but `housekey_engine`, and does
//! what the plugin of that kind which comes with the engine has to do: one winner, attempts counted first, the second factor, the
//! first proof of an address, events.
//!
//! What these files cannot do is missing in the public API.
// spec: KEY-2

mod code;
mod key;
mod letter;
mod riddle;
mod seats;

mod support;
