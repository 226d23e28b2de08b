use housekey_http::App;

use crate::TestApp;

/// Boots the app and runs one test with it, on a runtime of its own. `#[housekey::test]` expands to this.
///
/// ```
/// # use housekey_core::ConfigFiles;
/// # use housekey_http::App;
/// # fn app() -> App { App::new(ConfigFiles::new()) }
/// housekey_testing::run(app, async |app: housekey_testing::TestApp| {
///     app.get("/").await.assert_not_found();
/// });
/// ```
///
/// # Panics
/// When the test does, or when the app does not boot.
#[track_caller]
pub fn run<T>(app: impl Fn() -> App + Send + Sync + 'static, test: impl AsyncFnOnce(TestApp) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    match runtime {
        Ok(runtime) => runtime.block_on(async { test(TestApp::new(app)).await }),
        Err(error) => panic!("no runtime for the test: {error}"),
    }
}
