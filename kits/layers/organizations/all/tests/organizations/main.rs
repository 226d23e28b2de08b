//! Organisations, through the front door: what people send, what they are answered, and what holds afterwards. Nothing here
//! looks at a page, so these tests stay as they are when the pages change.

mod invitations;
mod invited;
mod life;
mod members;
mod support;
mod tenants;
mod windows;
