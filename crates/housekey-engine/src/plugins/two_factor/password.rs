use super::{TwoFactorOptions, options};
use crate::{Api, Field, Result, Secret, User, codes};

/// Asks for the password again: whoever found an open browser must not be able to change this.
pub(super) async fn check_password(api: &Api, user: &User, password: Option<&Secret>) -> Result<()> {
    if api.is_presence_confirmed() {
        return Ok(());
    }
    if options(api)?.allow_passwordless && !api.has_password(user).await? {
        return Ok(());
    }
    match password {
        Some(password) => api.verify_password(user, password).await,
        None => Err(codes::INVALID_PASSWORD.bad_request()),
    }
}

/// The password in the body of the endpoints that ask for nothing else.
pub(super) fn read_password(api: &Api) -> Result<Option<Secret>> {
    let passwordless = options(api)?.allow_passwordless || api.is_presence_confirmed();
    let mut body = api.request().read_body();
    let password = if passwordless { body.optional_text("password") } else { Some(body.text("password")) };
    body.finish()?;
    Ok(password.map(Into::into))
}

/// The same as it is described.
pub(super) fn field(options: &TwoFactorOptions) -> Field {
    let field = Field::secret("password");
    match options.allow_passwordless {
        true => field.optional().about("Of an account that has one."),
        false => field,
    }
}
