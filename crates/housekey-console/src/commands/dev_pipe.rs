//! How a process that `housekey dev` started notices that `housekey dev` is gone.

use std::future::pending;

use housekey_core::Env;

/// Completes when nobody holds the other end of our input any more: `housekey dev` was killed and could stop nobody. Never
/// in a process that it did not start.
pub(super) async fn end(env: &Env) {
    if env.get("HOUSEKEY_DEV_PIPE").is_none_or(|value| value.trim().is_empty()) {
        return pending().await;
    }
    let (ended, end) = tokio::sync::oneshot::channel();
    // A thread of our own: one of the runtime's would be waited for when the process stops, and this read never ends.
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        let _ = ended.send(());
    });
    let _ = end.await;
}
