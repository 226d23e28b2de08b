//! Letting a device in, through the front door: what the device and the person send, what they are answered, and what holds
//! afterwards. Nothing here looks at a page, so these tests stay as they are when the pages change.

mod codes;
mod decisions;
mod people;
mod support;
