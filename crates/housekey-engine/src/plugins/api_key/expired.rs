use crate::storage::{Comparison, Filter};
use crate::{Api, Result, Value};

/// Deletes the keys whose time is over, and says how many that were. Server code only; `auth:prune` does it.
pub async fn delete_expired(api: &Api) -> Result<u64> {
    super::options(api)?;
    let over = Filter::all().and("expiresAt", Comparison::NotEqual, Value::Null).and(
        "expiresAt",
        Comparison::Less,
        api.clock().now(),
    );
    Ok(api.storage().delete(api.table("apikey")?, &over).await?)
}
