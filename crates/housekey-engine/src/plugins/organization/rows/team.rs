use time::OffsetDateTime;

use crate::storage::Filter;
use crate::{Api, Fields, Record, Result, Value};

/// Some members of an organisation.
#[derive(Clone, Debug, PartialEq)]
pub struct Team {
    pub id: String,
    pub name: String,
    pub member_count: i64,
    pub organization_id: String,
    pub created_at: OffsetDateTime,
    pub updated_at: Option<OffsetDateTime>,
    /// The columns of the app's own.
    pub fields: Record,
}

impl Team {
    pub(in super::super) fn from_record(record: Record) -> Result<Self> {
        let mut fields = Fields("team", record);
        let member_count = fields.1.take("memberCount");
        Ok(Self {
            id: fields.text("id")?,
            name: fields.text("name")?,
            // A row that is older than the column has none.
            member_count: member_count.as_ref().and_then(Value::as_integer).unwrap_or(0),
            organization_id: fields.text("organizationId")?,
            created_at: fields.date("createdAt")?,
            updated_at: fields.optional_date("updatedAt")?,
            fields: fields.1,
        })
    }

    pub(in super::super) fn to_record(&self) -> Record {
        let mut record = Record::new()
            .with("id", &self.id)
            .with("name", &self.name)
            .with("memberCount", self.member_count)
            .with("organizationId", &self.organization_id)
            .with("createdAt", self.created_at)
            .with("updatedAt", self.updated_at);
        record.merge(self.fields.clone());
        record
    }

    pub(in super::super) async fn with_id(api: &Api, id: &str) -> Result<Option<Self>> {
        let row = api.storage().find_one(api.table("team")?, &Filter::by("id", id)).await?;
        row.map(Self::from_record).transpose()
    }
}
