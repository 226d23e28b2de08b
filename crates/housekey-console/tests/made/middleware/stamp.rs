use housekey::prelude::*;

/// Stands in front of a route: lets the request pass, or answers it.
pub async fn stamp(request: Request, next: Next) -> Result<Response> {
    // Before: look at `request`; `return Err(Error::forbidden("…"))` goes no further.
    let response = next.run(request).await;
    // After: look at `response`, add a header.
    Ok(response)
}
