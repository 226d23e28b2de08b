/// Waits for two things at the same time, such as a form that is sent twice: what must happen once, happens once.
///
/// ```
/// # use housekey_core::ConfigFiles;
/// # use housekey_http::App;
/// # fn app() -> App { App::new(ConfigFiles::new()).routes(|route| { route.get("/", async || "home"); }) }
/// use housekey_testing::{TestApp, both};
///
/// # fn main() {
/// housekey_testing::run(app, async |app: TestApp| {
///     let (first, second) = both(app.get("/"), app.get("/")).await;
///     first.assert_ok();
///     second.assert_ok();
/// });
/// # }
/// ```
pub async fn both<A: IntoFuture, B: IntoFuture>(first: A, second: B) -> (A::Output, B::Output) {
    tokio::join!(first.into_future(), second.into_future())
}
