use housekey::auth::engine::hooks::{BeforeWrite, DatabaseHooks};
use housekey::auth::engine::options::RateRule;
use housekey::auth::engine::schema::{Column, SchemaContribution, Table};
use housekey::auth::engine::storage::Filter;
use housekey::auth::engine::{
    Api, ApiError, Commit, Endpoint, ErrorCode, Field, Plugin, Record, Reply, Result, SecurityEventKind,
    Shape, SignIn, hash_token, random,
};
use housekey::serde_json::json;

const INVALID: ErrorCode = ErrorCode::new("INVALID_DOOR_PASS", "Invalid secret");
const NOT_MADE: ErrorCode = ErrorCode::new("DOOR_PASS_NOT_MADE", "It could not be made");

/// Signing in with a door pass: a secret that somebody makes while they are signed in, and shows instead of a password.
pub fn door_pass() -> Plugin {
    Plugin::new("door-pass")
        .schema(schema())
        .database_hooks(hooks())
        .endpoint(
            Endpoint::post("/door-pass/create", |api| Box::pin(create(api)))
                .about("Makes a door pass. Its secret is shown this once.")
                .takes([Field::text("name")])
                .answers(Shape::object([Field::text("id"), Field::text("name"), Field::secret("secret")]))
                .needs_session(),
        )
        .endpoint(
            Endpoint::post("/sign-in/door-pass", |api| Box::pin(sign_in(api)))
                .about("Signs in with a door pass.")
                .takes([Field::secret("secret")])
                .answers(Shape::object([Field::row("user", "user")]))
                .may_challenge(),
        )
        .rate_rule("/sign-in/door-pass", RateRule { window: 60, max: 5 })
        // Whoever signed up with somebody else's address keeps no way in when its owner takes the account back.
        .recovery("doorPass", "userId", Record::new())
}

/// `housekey auth:schema --diff` makes a migration of it.
fn schema() -> SchemaContribution {
    let table = Table::new("doorPass")
        .column_with(Column::text("name"))
        // Who reads the database cannot sign in with what stands there.
        .column_with(Column::text("hash").unique().hidden())
        .column_with(Column::date("createdAt").default_now())
        .column_with(Column::reference("userId", "user").indexed());
    SchemaContribution::new().table(table)
}

/// Asked before a row is written, whoever writes it.
fn hooks() -> DatabaseHooks {
    DatabaseHooks::new().before_create("doorPass", |row: Record| async move {
        let name = row.text("name").unwrap_or_default().trim();
        Ok::<_, ApiError>(match name {
            "" => BeforeWrite::Refuse,
            name => BeforeWrite::ProceedWith(Record::new().with("name", name)),
        })
    })
}

/// `POST /door-pass/create`
async fn create(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let name = body.text("name");
    body.finish()?;
    // One more way in is for somebody who signed in lately and whose address is their own.
    let signed_in = api.require_fresh_session().await?;
    api.require_verified_email(&signed_in.user)?;

    let (user, secret) = (&signed_in.user.id, random::alphanumeric(32));
    let row = Record::new().with("name", name).with("hash", hash_token(&secret)).with("userId", user);
    let mut changes = api.changes();
    let row = changes.create("doorPass", row).await?;
    if changes.commit().await? == Commit::Lost {
        return Err(NOT_MADE.unprocessable());
    }
    api.emit(api.event(SecurityEventKind::Custom("door-pass-created"), Some(user))).await;
    // This once the secret is seen.
    Reply::json(&json!({ "id": row.text("id"), "name": row.text("name"), "secret": secret }))
}

/// `POST /sign-in/door-pass`
async fn sign_in(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let secret = body.text("secret");
    body.finish()?;
    api.check_sign_in_origin().await?;

    let row = Filter::by("hash", hash_token(&secret));
    let row = api.storage().find_one(api.table("doorPass")?, &row).await?;
    let user = match row.as_ref().and_then(|row| row.text("userId")) {
        Some(id) => api.user(id).await?,
        None => None,
    };
    let Some(user) = user else {
        let refused = api.event(SecurityEventKind::SignInRefused, None);
        api.emit(refused.with("reason", "wrong-door-pass")).await;
        return Err(INVALID.unauthorized());
    };
    // Every sign-in ends here: somebody with a second factor is asked for it, and the event is told.
    api.set_sign_in_method("door-pass");
    match api.sign_in_user(user, None).await? {
        SignIn::Challenged(challenge) => Reply::json(&challenge.body),
        SignIn::Done(signed_in) => Reply::json(&json!({ "user": api.user_view(&signed_in.user)? })),
    }
}

#[cfg(test)]
mod tests {
    use housekey::auth::engine::testing::{self, Browser};
    use housekey::auth::engine::{Engine, MemoryStorage};
    use housekey::serde_json::{Value, json};

    use super::door_pass;

    const ADA: &str = "ada@example.com";

    fn engine() -> Engine {
        testing::engine([door_pass()]).build(MemoryStorage::new()).unwrap()
    }

    /// A browser in which Ada is signed in, with an address that is hers.
    async fn ada(engine: &Engine) -> Browser {
        let mut browser = Browser::new(engine);
        browser.sign_up(ADA).await;
        testing::prove_email(engine, ADA).await.unwrap();
        browser
    }

    async fn make(browser: &mut Browser, name: &str) -> Value {
        browser.post("/door-pass/create", json!({ "name": name })).await.json()
    }

    #[housekey::test(app = crate::app)]
    async fn somebody_signs_in_with_a_secret_of_theirs() {
        let engine = engine();
        let made = make(&mut ada(&engine).await, " Keyring ").await;
        assert_eq!(made["name"], "Keyring");

        let mut elsewhere = Browser::new(&engine);
        let secret = json!({ "secret": made["secret"] });
        assert_eq!(elsewhere.post("/sign-in/door-pass", secret).await.status(), 200);
        assert_eq!(elsewhere.signed_in_as().await.as_deref(), Some(ADA));
    }

    #[housekey::test(app = crate::app)]
    async fn a_wrong_secret_opens_nothing() {
        let engine = engine();
        make(&mut ada(&engine).await, "Keyring").await;

        let mut stranger = Browser::new(&engine);
        for wrong in ["", "guessed", "doorPass"] {
            let answer = stranger.post("/sign-in/door-pass", json!({ "secret": wrong })).await;
            assert_eq!(answer.status(), 401);
            assert_eq!(answer.code().as_deref(), Some("INVALID_DOOR_PASS"));
        }
        assert_eq!(stranger.signed_in_as().await, None);
    }

    #[housekey::test(app = crate::app)]
    async fn only_somebody_who_is_signed_in_makes_one_and_gives_it_a_name() {
        let engine = engine();
        let (named, nameless) = (json!({ "name": "Keyring" }), json!({ "name": " " }));
        let refused = Browser::new(&engine).post("/door-pass/create", named).await;
        assert_eq!(refused.status(), 401);
        let refused = ada(&engine).await.post("/door-pass/create", nameless).await;
        assert_eq!(refused.status(), 400);
    }
}
