use serde_json::{Map, Value as Json};
use time::OffsetDateTime;

use crate::storage::Filter;
use crate::{Api, Fields, Record, Result};

/// A group of users, its members, who have roles in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Organization {
    pub id: String,
    pub name: String,
    /// Its name in addresses; no other organisation has it.
    pub slug: String,
    /// Where a picture of it is.
    pub logo: Option<String>,
    pub created_at: OffsetDateTime,
    /// What an app keeps with it.
    pub metadata: Option<Map<String, Json>>,
    /// The columns of the app's own.
    pub fields: Record,
}

impl Organization {
    pub fn from_record(record: Record) -> Result<Self> {
        let mut fields = Fields("organization", record);
        Ok(Self {
            id: fields.text("id")?,
            name: fields.text("name")?,
            slug: fields.text("slug")?,
            logo: fields.optional_text("logo")?,
            created_at: fields.date("createdAt")?,
            metadata: fields.optional_text("metadata")?.and_then(|text| serde_json::from_str(&text).ok()),
            fields: fields.1,
        })
    }

    pub(in super::super) fn to_record(&self) -> Record {
        let mut record = Record::new()
            .with("id", &self.id)
            .with("name", &self.name)
            .with("slug", &self.slug)
            .with("logo", self.logo.as_deref())
            .with("createdAt", self.created_at)
            .with("metadata", self.metadata.as_ref().map(metadata_text));
        record.merge(self.fields.clone());
        record
    }

    /// The same with some fields changed, as the row will be.
    pub(in super::super) fn changed(&self, changes: Record) -> Result<Self> {
        let mut record = self.to_record();
        record.merge(changes);
        Self::from_record(record)
    }

    pub(in super::super) async fn with_id(api: &Api, id: &str) -> Result<Option<Self>> {
        Self::find(api, &Filter::by("id", id)).await
    }

    pub(in super::super) async fn with_slug(api: &Api, slug: &str) -> Result<Option<Self>> {
        Self::find(api, &Filter::by("slug", slug)).await
    }

    async fn find(api: &Api, filter: &Filter) -> Result<Option<Self>> {
        let row = api.storage().find_one(api.table("organization")?, filter).await?;
        row.map(Self::from_record).transpose()
    }
}

/// Metadata as the column holds it.
fn metadata_text(metadata: &Map<String, Json>) -> String {
    Json::Object(metadata.clone()).to_string()
}
