use http::StatusCode;
use serde_json::Value as Json;

use super::permission::{caller_who_may, require};
use super::set_role::user_reply;
use super::{
    YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE, YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS, target, user_data,
};
use crate::{
    Api, Commit, Endpoint, Field, FieldsOrigin, Reply, Result, Secret, Shape, User, UserFields, codes,
};

/// `POST /admin/create-user`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/admin/create-user", |api| Box::pin(answer(api)))
        .about("Makes an account for somebody. Without a password they come by a link or a provider.")
        .takes([
            Field::email("email"),
            Field::text("name").example("Ada"),
            Field::secret("password").optional(),
            Field::new("role", Shape::one_of([Shape::text(), Shape::list(Shape::text())])).optional(),
            Field::new("data", Shape::map(Shape::any())).optional().about("Other columns."),
        ])
        .answers(Shape::object([Field::row("user", "user")]))
        .needs_session()
        .refuses(StatusCode::FORBIDDEN, [YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS])
}

/// Without a password there is no way in by one: the person comes by a link or a provider.
async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let (email, name) = (body.text("email").to_lowercase(), body.text("name"));
    let password: Option<Secret> =
        body.optional_text("password").filter(|text| !text.is_empty()).map(Into::into);
    let mut data = body.optional_record("data").unwrap_or_default();
    let role = body.all().remove("role");
    if role.as_ref().is_some_and(|role| !role.is_string() && !is_texts(role)) {
        body.add_error("role", "Invalid input");
    }
    body.finish()?;
    let caller = caller_who_may(api, "user", "create", YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS).await?;
    let options = super::options(api)?;
    let in_data = data.remove("role");
    let role = match role.or(in_data) {
        Some(role) => {
            let denied = YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE;
            require(&options, &caller.user, "user", "set-role", denied)?;
            let role = options.read_roles(&role)?;
            options.check_grant(&caller.user, &role)?;
            role
        }
        None => options.default_role.clone(),
    };
    data.remove("email");
    data.remove("name");
    let record = user_data::read(api, &options, &caller.user, &data)?;
    api.check_email(&email)?;
    if let Some(password) = &password {
        api.check_new_password(password, &name, &email).await?;
    }
    if api.user_by_email(&email).await?.is_some() {
        return Err(codes::USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL.bad_request());
    }
    let asked = UserFields { user: None, email, fields: record, origin: FieldsOrigin::Person };
    let mut record = api.check_user_fields(asked.clone()).await?;
    record.set("email", &asked.email);
    record.set("name", name);
    record.set("role", role);
    if !record.has("emailVerified") {
        record.set("emailVerified", false);
    }
    let mut changes = api.changes();
    let user = User::from_record(changes.create("user", record).await?)?;
    if let Some(password) = &password {
        api.add_password_in(&mut changes, &user.id, password).await?;
    }
    if changes.commit().await? == Commit::Lost {
        // Somebody else may have been faster to take something else than the address.
        api.check_user_fields(asked).await?;
        return Err(codes::USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL.bad_request());
    }
    let event = target::event(api, "user-created", &user.id, &caller);
    api.emit(event.with("role", options.roles_of(&user))).await;
    user_reply(api, &user)
}

fn is_texts(json: &Json) -> bool {
    json.as_array().is_some_and(|items| items.iter().all(Json::is_string))
}
