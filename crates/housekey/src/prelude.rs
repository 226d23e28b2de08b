//! What a controller, a view or a route file imports: `use housekey::prelude::*;`.

pub use axum::Json;
pub use axum::extract::Path;
pub use axum::http::StatusCode;
pub use axum::response::IntoResponse;

#[cfg(feature = "database")]
pub use crate::Bound;
#[cfg(feature = "auth")]
pub use crate::auth::gate::{AppGate, ResourcePolicy};
#[cfg(feature = "auth")]
pub use crate::auth::guards::{AppConfirm, AppIdentity};
#[cfg(feature = "auth")]
pub use crate::auth::notifications::AppAccountMail;
#[cfg(feature = "auth")]
pub use crate::auth::{CurrentSession, CurrentUser, OrHttpError, require_user, user, when_auth, when_guest};
pub use crate::cache::{CacheConfig, cache};
pub use crate::console::{AppCommands, Command, CommandContext};
pub use crate::cookies::cookies;
#[cfg(feature = "database")]
pub use crate::database::{AppDatabase, BelongsToOrganization, LoadRelations, Model, db, record};
#[cfg(feature = "events")]
pub use crate::events::{AppEvents, Event, Listener, emit, events, listener};
#[cfg(feature = "http-client")]
pub use crate::http_client::http;
#[cfg(feature = "live")]
pub use crate::live::{AppLive, Channels, broadcast, live};
#[cfg(feature = "mail")]
pub use crate::mail::{AppMail, Message, mail};
#[cfg(feature = "notifications")]
pub use crate::notifications::{
    AppNotifications, Notifiable, NotifiableKey, Notification, channels, inbox, notify,
};
#[cfg(feature = "queue")]
pub use crate::queue::{AppJobs, Job, job};
#[cfg(feature = "schedule")]
pub use crate::schedule::{AppSchedule, Schedule};
pub use crate::session::session;
#[cfg(feature = "storage")]
pub use crate::storage::storage;
pub use crate::translation::{locale, t, t_plural};
pub use crate::uploads::Upload;
pub use crate::validation::{Valid, ValidQuery, Validated};
pub use crate::view::ViewConfig;
pub use crate::view::prelude::*;
pub use crate::{
    App, AppConfig, AssetsConfig, Clock, ConfigFiles, Environment, Error, ErrorContext, FieldErrors, Next,
    Redirect, Request, RequestContext, Response, Result, Routes, Scope, Secret, absolute_url, actions, back,
    client_ip, default, env, env_list, redirect, request_id, route, route_url, service, signed_path,
    signed_url, typescript, url_with_query, wants_json,
};
