use housekey::prelude::*;

/// `GET /admin/report`
pub async fn index() -> Result<impl IntoResponse> {
    Ok("Report")
}
