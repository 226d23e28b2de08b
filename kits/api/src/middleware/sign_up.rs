use housekey::auth::Auth;
use housekey::prelude::*;

/// `sign-up`: for routes that make accounts. Where that is turned off they do not exist.
pub async fn sign_up(request: Request, next: Next) -> Result<Response> {
    if Auth::current()?.engine().options().email_and_password.disable_sign_up {
        return Err(Error::not_found());
    }
    Ok(next.run(request).await)
}
