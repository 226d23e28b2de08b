use housekey_core::translation::t;
use housekey_core::{Error, FieldErrors, Result};
use housekey_engine::ApiError;
use http::StatusCode;

/// What the engine refuses, as the framework's errors.
///
/// ```
/// use housekey_auth::OrHttpError;
/// use housekey_auth::engine::ApiError;
/// use http::StatusCode;
///
/// let refused: Result<(), ApiError> =
///     Err(ApiError::new(StatusCode::UNAUTHORIZED, "INVALID_EMAIL_OR_PASSWORD", "Invalid email or password"));
/// let error = refused.or_field_error("email").unwrap_err();
/// assert_eq!(error.status(), 422);
/// assert_eq!(error.field_errors().unwrap().first("email"), Some("Invalid email or password"));
/// ```
pub trait OrHttpError<T> {
    /// With the engine's own status and message.
    fn or_http_error(self) -> Result<T>;

    /// As a message at a field of the form. What is not about the input (too many attempts, a failure of ours) keeps its
    /// own status.
    fn or_field_error(self, field: &str) -> Result<T>;

    /// The same where a new password was sent along: what is wrong with it (too short, too common, too personal) is a message
    /// at its own field, and everything else one at the other.
    ///
    /// ```
    /// # use housekey_auth::OrHttpError;
    /// # use housekey_auth::engine::{ApiError, codes};
    /// let refused: Result<(), ApiError> = Err(codes::PASSWORD_TOO_COMMON.bad_request());
    /// let error = refused.or_new_password_error("password", "email").unwrap_err();
    /// assert_eq!(error.field_errors().unwrap().first("password"), Some("Password too common"));
    /// ```
    fn or_new_password_error(self, password: &str, otherwise: &str) -> Result<T>;
}

impl<T> OrHttpError<T> for std::result::Result<T, ApiError> {
    fn or_http_error(self) -> Result<T> {
        self.map_err(|error| into_error(&error))
    }

    fn or_field_error(self, field: &str) -> Result<T> {
        self.map_err(|error| {
            if error.is_internal() || !is_about_input(error.status()) {
                return into_error(&error);
            }
            let mut errors = FieldErrors::new();
            errors.add(field, t(error.message()));
            Error::invalid(errors)
        })
    }

    fn or_new_password_error(self, password: &str, otherwise: &str) -> Result<T> {
        let about_it = self.as_ref().is_err_and(ApiError::is_about_new_password);
        self.or_field_error(if about_it { password } else { otherwise })
    }
}

fn is_about_input(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::BAD_REQUEST
            | StatusCode::UNAUTHORIZED
            | StatusCode::FORBIDDEN
            | StatusCode::NOT_FOUND
            | StatusCode::CONFLICT
            | StatusCode::UNPROCESSABLE_ENTITY
    )
}

fn into_error(error: &ApiError) -> Error {
    if error.is_internal() {
        return Error::internal(error.to_string());
    }
    let mut refused = match error.status() {
        StatusCode::UNAUTHORIZED => Error::unauthenticated(),
        status => Error::new(status, t(error.message())),
    };
    for (name, value) in error.headers() {
        refused = refused.with_header(name.clone(), value.clone());
    }
    refused
}
