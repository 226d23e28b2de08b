//! What the tests of this repository share, so that none of them fails by chance and none of them hangs:
//!
//! - [`Program`], a process that ends with its test, whatever becomes of the test; [`run`], one that is waited for;
//!   [`this_test`], the test binary itself as another process;
//! - [`until`] and its async relatives: look again and again, with an end to the patience;
//! - [`ServerPort`] for a server that must be told its port, and `ClosedPort` where nobody answers. Whatever can say
//!   which port it got is started on port 0 instead;
//! - [`fuzz`], a corpus and changes of it.

#[cfg(feature = "fuzz")]
pub mod fuzz;

mod port;
mod program;
mod wait;

pub use port::ServerPort;
pub use program::{Program, run, this_test};
pub use wait::{DEADLINE, until};

#[cfg(feature = "tokio")]
pub use port::ClosedPort;
#[cfg(feature = "tokio")]
pub use wait::{happens, in_time, until_async};
