//! The configuration files this crate reads.

mod assets;
mod http;

pub use assets::AssetsConfig;
pub use http::HttpConfig;
