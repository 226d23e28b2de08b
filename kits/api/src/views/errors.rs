use housekey::prelude::*;

/// Errors are JSON everywhere: this app has one page, and that is `/`. `None` leaves one to the framework, which shows a
/// developer's browser what went wrong on our side.
pub fn page(error: &Error, context: &ErrorContext<'_>) -> Option<Response> {
    if context.is_debug() && error.status().is_server_error() {
        return None;
    }
    Some(Json(error.to_json(Some(context.request_id()))).into_response())
}
