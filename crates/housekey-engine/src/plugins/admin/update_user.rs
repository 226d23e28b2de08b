use super::permission::{caller_who_may, require};
use super::{
    NO_DATA_TO_UPDATE, PASSWORD_CANNOT_BE_UPDATED_VIA_UPDATE_USER, USER_ID_CANNOT_BE_UPDATED,
    YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE, YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS, YOU_CANNOT_BAN_YOURSELF,
    target, user_data,
};
use crate::{Api, Endpoint, Field, FieldsOrigin, Reply, Result, Shape, UserFields, Value};
use http::StatusCode;

/// `POST /admin/update-user`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/admin/update-user", |api| Box::pin(answer(api)))
        .about("Changes columns of a user.")
        .takes([
            Field::text("userId"),
            Field::new("data", Shape::map(Shape::any())).about("The columns and their new values."),
        ])
        .answers(Shape::row("user"))
        .needs_session()
        .refuses(StatusCode::FORBIDDEN, [YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let id = target::read_user_id(&mut body);
    let data = body.record("data");
    body.finish()?;
    let caller = caller_who_may(api, "user", "update", YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS).await?;
    if data.is_empty() {
        return Err(NO_DATA_TO_UPDATE.bad_request());
    }
    if data.contains_key("password") {
        return Err(PASSWORD_CANNOT_BE_UPDATED_VIA_UPDATE_USER.bad_request());
    }
    if data.contains_key("id") {
        return Err(USER_ID_CANNOT_BE_UPDATED.bad_request());
    }
    let options = super::options(api)?;
    let role = match data.get("role") {
        Some(role) => {
            let denied = YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE;
            require(&options, &caller.user, "user", "set-role", denied)?;
            let role = options.read_roles(role)?;
            options.check_grant(&caller.user, &role)?;
            Some(role)
        }
        None => None,
    };
    let mut record = user_data::read(api, &options, &caller.user, &data)?;
    let bans = record.get("banned").and_then(Value::as_bool) == Some(true);
    if bans && id == caller.user.id {
        return Err(YOU_CANNOT_BAN_YOURSELF.bad_request());
    }
    if let Some(role) = role {
        record.set("role", role);
    }
    let user = target::find(api, &id).await?;
    options.check_target(&caller.user, &user)?;
    let email = user.email.clone();
    let asked = UserFields { user: Some(user), email, fields: record, origin: FieldsOrigin::Person };
    let record = api.check_user_fields(asked).await?;
    let user = target::change(api, &id, &record, bans).await?;
    target::refresh_copy(api, &caller, &user).await;
    let fields: Vec<_> = record.iter().map(|(field, _)| field).collect();
    // Names of columns, which are ours; what stands in them is the person's.
    api.emit(target::event(api, "user-updated", &id, &caller).with("fields", fields.join(","))).await;
    Reply::json(&api.user_view(&user)?)
}
