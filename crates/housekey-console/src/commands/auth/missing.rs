use housekey_auth::Auth;
use housekey_core::Services;

/// What to tell about tables of accounts that are not in their database. Nothing of an app without accounts, and nothing
/// when the database cannot be asked: whoever needs it says so in better words.
pub(crate) async fn missing_tables(services: &Services) -> Option<String> {
    let auth = Auth::of(services).ok()?;
    Some(auth.missing_tables().await.ok()??.to_string())
}
