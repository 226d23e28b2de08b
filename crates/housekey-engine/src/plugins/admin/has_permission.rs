use http::StatusCode;
use serde_json::{Value as Json, json};

use super::permission::caller;
use crate::access::Permission;
use crate::{Api, ApiError, Endpoint, Field, Reply, Result, Shape};

/// `POST /admin/has-permission`: whether whoever asks may do something.
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/admin/has-permission", |api| Box::pin(answer(api)))
        .about("Tells whether whoever is signed in may do something.")
        .takes([
            Field::new("permissions", Shape::map(Shape::list(Shape::text())))
                .about("Actions by resource.")
                .example(json!({ "user": ["list"] })),
            Field::text("role").optional(),
        ])
        .answers(Shape::object([Field::new("error", Shape::null()), Field::boolean("success")]))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let fields = body.all();
    let asked = ["permissions", "permission"].map(|name| fields.get(name).map(|value| (name, value)));
    let mut permission = None;
    match asked {
        [Some((name, value)), None] | [None, Some((name, value))] => {
            match value.as_object().map(Permission::from_json) {
                Some(Ok(read)) => permission = (name == "permissions").then_some(read),
                Some(Err(resource)) => {
                    let what = "Invalid input: expected array of strings";
                    body.add_error(&format!("{name}.{resource}"), what);
                }
                None => body.add_error(name, "Invalid input: expected record"),
            }
        }
        _ => body.add_error("permissions", "Invalid input"),
    }
    body.optional_text("role");
    body.finish()?;
    let Some(permission) = permission else {
        let message = "invalid permission check. no permission(s) were passed.";
        return Err(ApiError::message_only(StatusCode::BAD_REQUEST, message));
    };
    let caller = caller(api).await?;
    let success = super::options(api)?.allows(&caller.user, &permission);
    Reply::json(&json!({ "error": Json::Null, "success": success }))
}
