use housekey_cache::Cache;
use housekey_core::Result;

use super::StoredRecord;
use crate::record::RunRecord;

fn key(task: &str) -> String {
    format!("schedule:{task}")
}

pub(super) async fn load(cache: &Cache, task: &str) -> Result<Option<StoredRecord>> {
    let Some(text) = cache.get::<String>(&key(task)).await? else { return Ok(None) };
    Ok(Some(StoredRecord { record: serde_json::from_str(&text)?, text }))
}

pub(super) async fn add(cache: &Cache, task: &str, record: &RunRecord) -> Result<bool> {
    cache.add(&key(task), &serde_json::to_string(record)?, None).await
}

pub(super) async fn swap(cache: &Cache, task: &str, found: &StoredRecord, new: &RunRecord) -> Result<bool> {
    let new = serde_json::to_string(new)?;
    cache.compare_and_swap(&key(task), Some(&found.text), Some(&new), None).await
}
