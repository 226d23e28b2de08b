use time::OffsetDateTime;

use crate::access::Statements;
use crate::{ApiError, Fields, Record, Result};

/// A role that an organisation defined itself.
#[derive(Clone, Debug, PartialEq)]
pub struct OrganizationRole {
    pub id: String,
    pub organization_id: String,
    /// Its name, in lower case.
    pub role: String,
    pub permission: Statements,
    pub created_at: OffsetDateTime,
    pub updated_at: Option<OffsetDateTime>,
    /// The columns of the app's own.
    pub fields: Record,
}

impl OrganizationRole {
    pub(in super::super) fn from_record(record: Record) -> Result<Self> {
        let mut fields = Fields("organizationRole", record);
        let permission = fields.text("permission")?;
        let permission = serde_json::from_str(&permission).map_err(|error| {
            ApiError::internal("the permission of a stored role could not be read", error)
        })?;
        Ok(Self {
            id: fields.text("id")?,
            organization_id: fields.text("organizationId")?,
            role: fields.text("role")?,
            permission,
            created_at: fields.date("createdAt")?,
            updated_at: fields.optional_date("updatedAt")?,
            fields: fields.1,
        })
    }

    pub(in super::super) fn to_record(&self) -> Record {
        let mut record = Record::new()
            .with("id", &self.id)
            .with("organizationId", &self.organization_id)
            .with("role", &self.role)
            .with("permission", serde_json::to_string(&self.permission).unwrap_or_default())
            .with("createdAt", self.created_at)
            .with("updatedAt", self.updated_at);
        record.merge(self.fields.clone());
        record
    }
}
