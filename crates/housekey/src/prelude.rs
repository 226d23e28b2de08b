//! What a controller, a view or a route file imports: `use housekey::prelude::*;`.

pub use axum::Json;
pub use axum::extract::Path;
pub use axum::http::StatusCode;
pub use axum::response::IntoResponse;

pub use crate::cache::{CacheConfig, cache};
pub use crate::console::{AppCommands, Command, CommandContext};
pub use crate::cookies::cookies;
pub use crate::session::session;
pub use crate::translation::{locale, t, t_plural};
pub use crate::validation::{Rules, Valid, ValidQuery, Validated};
pub use crate::view::ViewConfig;
pub use crate::view::prelude::*;
pub use crate::{
    App, AppConfig, AssetsConfig, Clock, ConfigFiles, Environment, Error, ErrorContext, FieldErrors, Next,
    Redirect, Request, RequestContext, Response, Result, Routes, Scope, Secret, back, client_ip, env,
    env_list, redirect, redirect_to_route, request_id, route_url, service, wants_json,
};
