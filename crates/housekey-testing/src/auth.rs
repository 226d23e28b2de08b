use std::sync::Arc;

use cookie::Cookie;
use housekey_auth::engine::{Secret, SignUpEmail, User};
use housekey_auth::{Account, Auth, Identity};
use http::header::SET_COOKIE;

use crate::TestApp;

/// The password of [`TestApp::user`]s.
pub const PASSWORD: &str = "correct horse battery staple";

impl TestApp {
    /// Signs somebody in for the requests of a closure. It gets a visitor of its own, with a real session; this one is
    /// not touched, whatever happens inside, a failing assertion included.
    ///
    /// ```no_run
    /// # async fn example(app: housekey_testing::TestApp) {
    /// let ada = app.user("ada@example.com").await;
    /// app.acting_as(&ada, async |request| {
    ///     request.get("/dashboard").await.assert_ok();
    /// })
    /// .await;
    /// app.get("/dashboard").await.assert_redirect("/sign-in");
    /// # }
    /// ```
    pub async fn acting_as<T>(&self, account: &impl Account, work: impl AsyncFnOnce(TestApp) -> T) -> T {
        work(self.signed_in(account).await).await
    }

    /// A visitor who is signed in as somebody, for as long as the test wants: by a cookie, or by a bearer token where the app knows
    /// people by that alone.
    ///
    /// # Panics
    /// When there is no such user.
    pub async fn signed_in(&self, account: &impl Account) -> TestApp {
        self.prepare().await;
        let visitor = self.visitor();
        let mut api = self.auth().engine().api();
        let user = match api.user(account.user_id()).await {
            Ok(Some(user)) => user,
            Ok(None) => panic!("there is no user with the id {:?} to act as", account.user_id()),
            Err(error) => panic!("the user to act as could not be read: {error}"),
        };
        if let Err(error) = api.begin_session(user, Some(true)).await {
            panic!("no session could be begun: {error}");
        }
        // Where cookies say nothing, a token does.
        if self.auth().config().identity == Identity::Bearer {
            let Some(token) = api.session_token_to_set() else { panic!("the session has no token") };
            return visitor.with_header("authorization", &format!("Bearer {token}"));
        }
        let now = self.clock().now();
        for value in api.into_headers().get_all(SET_COOKIE) {
            if let Some(cookie) = value.to_str().ok().and_then(|text| Cookie::parse(text.to_owned()).ok()) {
                visitor.lock_jar().store(&cookie, now);
            }
        }
        visitor
    }

    /// A new user with this address, proven, and [`PASSWORD`] as the password.
    ///
    /// # Panics
    /// When the user cannot be made.
    pub async fn user(&self, email: &str) -> User {
        self.prepare().await;
        let name = email.split('@').next().unwrap_or(email).to_owned();
        let input = SignUpEmail {
            name,
            email: email.to_owned(),
            password: Secret::from(PASSWORD),
            ..Default::default()
        };
        let auth = self.auth();
        let made = self.within(async { housekey_auth::create_account(&auth, input, true).await }).await;
        made.unwrap_or_else(|error| panic!("the user {email} could not be made: {error}"))
    }

    fn auth(&self) -> Arc<Auth> {
        Auth::of(self.services()).unwrap_or_else(|error| panic!("{error}"))
    }
}
