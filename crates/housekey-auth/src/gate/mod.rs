//! Who may do what.
//!
//! - A [`Gate`] holds an app's abilities: functions with a name that take the user, and often the thing it is about.
//!   [`AppGate::gate`] is where an app writes them down.
//! - A [`Policy`] collects the abilities that are about one model.
//! - [`gate()`] asks for the present user: [`allows`](UserGate::allows), [`denies`](UserGate::denies),
//!   [`inspect`](UserGate::inspect), [`authorize`](UserGate::authorize). [`can`] asks without waiting, for views;
//!   the guard `can:<ability>` asks in front of a route.
//! - [`permission`] is an ability that goes by the roles in the active organisation.
//! - A [`Decision`] is the answer, with a reason when it is no.
//!
//! What is not defined is denied, to everybody.
//!
//! ```
//! use housekey_auth::gate::{AppGate, Decision, Policy, PolicyBuilder, authorize};
//! use housekey_auth::User;
//! use housekey_core::{ConfigFiles, Result};
//! use housekey_http::App;
//!
//! struct Post {
//!     author_id: String,
//!     is_draft: bool,
//! }
//!
//! struct PostPolicy;
//!
//! impl Policy for PostPolicy {
//!     type Model = Post;
//!
//!     fn abilities(self, post: &mut PolicyBuilder<Post>) {
//!         post.define("view", |user: Option<&User>, post: &Post| user.is_some() || !post.is_draft);
//!         post.define("update", Self::update);
//!     }
//! }
//!
//! impl PostPolicy {
//!     fn update(user: &User, post: &Post) -> Decision {
//!         match user.id == post.author_id {
//!             true => Decision::allow(),
//!             false => Decision::deny("You do not own this post."),
//!         }
//!     }
//! }
//!
//! async fn edit() -> Result<String> {
//!     let post = Post { author_id: "1".into(), is_draft: true };
//!     authorize("update", &post).await?;
//!     Ok("the form".into())
//! }
//!
//! let app = App::new(ConfigFiles::new())
//!     .gate(|gate| {
//!         gate.before(|user: &User, _ability: &str| (user.email == "boss@example.com").then(Decision::allow));
//!         gate.define("edit-settings", |user: &User| user.email_verified);
//!     })
//!     .policy(PostPolicy);
//! # drop(app);
//! ```

mod ability;
mod ambient;
mod app;
mod decision;
mod definitions;
mod hook;
mod permission;
mod policy;
mod resource;
mod subject;
mod user_gate;

pub use ability::IntoAbility;
pub use ambient::{authorize, can, gate};
pub use app::AppGate;
pub use decision::{Decision, IntoDecision, IntoOpinion};
pub use definitions::Gate;
pub use hook::IntoHook;
pub use permission::permission;
pub use policy::{Policy, PolicyAbility, PolicyBuilder};
pub use resource::ResourcePolicy;
pub use subject::{ModelKind, Subject, model};
pub use user_gate::UserGate;

pub(crate) use subject::{About, Target};
