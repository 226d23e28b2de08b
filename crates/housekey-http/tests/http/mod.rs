//! The framework's HTTP behaviour, through its front door: the kernel in process, the server over real sockets.

mod boot;
mod client_address;
mod errors;
mod guards;
mod layers;
mod limits;
mod requests;
mod resources;
mod routing;
mod server;
mod support;
mod uploads;
mod views;
mod websocket;
