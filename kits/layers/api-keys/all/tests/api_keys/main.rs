//! Keys for programs: how people make and end them, and what opens with one.

mod doors;
mod keys;
mod lifetimes;
mod support;
