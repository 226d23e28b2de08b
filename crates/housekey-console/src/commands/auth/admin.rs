use housekey_auth::Auth;
use housekey_auth::engine::plugins::admin::{AdminOptions, appoint_admin, is_admin};
use housekey_core::Result;

use crate::{Command, CommandContext, Problem};

/// `auth:admin`: makes somebody an admin. The first one cannot be made by another admin, and must never be made by a request.
// spec: ADM-2
pub(crate) struct AuthAdmin;

impl Command for AuthAdmin {
    fn name(&self) -> &'static str {
        "auth:admin"
    }

    fn about(&self) -> &'static str {
        "Make somebody with an account an admin"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(clap::arg!(<email> "The address they sign in with"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let auth = Auth::of(context.services()?)?;
        let api = auth.engine().api();
        if api.plugin_state::<AdminOptions>().is_none() {
            return Err(Problem::new("this app has no admins: the plugin `admin` is not in config/auth.rs")
                .remedy("Run `housekey add admin`, or write `admin(AdminOptions::default())` into `plugins` there.")
                .into());
        }
        let email = context.argument("email").unwrap_or_default().to_lowercase();
        let failed = |error: housekey_auth::engine::ApiError| Problem::new(error.to_string());
        let found = api.user_by_email(&email).await.map_err(failed)?;
        let user = found.ok_or_else(|| {
            Problem::new(format!("nobody has the address {email}"))
                .remedy("They sign up first, as everybody does; then run this again.")
        })?;
        if is_admin(&api, &user).map_err(failed)? {
            context.ui().note(format_args!("{email} is an admin already."));
            return Ok(());
        }
        appoint_admin(&api, &user.id, "console").await.map_err(failed)?;
        context.ui().success(format_args!("{email} is an admin now."));
        if !user.email_verified {
            context.ui().note("Nobody has confirmed that address yet: make sure that it is theirs.");
        }
        Ok(())
    }
}
