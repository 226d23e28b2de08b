use time::OffsetDateTime;

use super::Fields;
use crate::{Record, Result};

/// A row of the table `user`.
#[derive(Clone, Debug, PartialEq)]
pub struct User {
    pub id: String,
    pub name: String,
    /// Their address, in lower case.
    pub email: String,
    /// Whether they proved that it is theirs.
    pub email_verified: bool,
    /// Where a picture of them is.
    pub image: Option<String>,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
    /// The columns of plugins and of the app's own.
    pub fields: Record,
}

impl User {
    pub fn from_record(record: Record) -> Result<Self> {
        let mut fields = Fields("user", record);
        Ok(Self {
            id: fields.text("id")?,
            name: fields.text("name")?,
            email: fields.text("email")?,
            email_verified: fields.boolean("emailVerified")?,
            image: fields.optional_text("image")?,
            created_at: fields.date("createdAt")?,
            updated_at: fields.date("updatedAt")?,
            fields: fields.1,
        })
    }

    /// The same user with some fields changed, as the row will be.
    pub fn changed(&self, changes: &Record) -> Result<Self> {
        let mut record = self.to_record();
        record.merge(changes.clone());
        Self::from_record(record)
    }

    pub(crate) fn to_record(&self) -> Record {
        let mut record = Record::new()
            .with("id", &self.id)
            .with("name", &self.name)
            .with("email", &self.email)
            .with("emailVerified", self.email_verified)
            .with("image", self.image.as_deref())
            .with("createdAt", self.created_at)
            .with("updatedAt", self.updated_at);
        record.merge(self.fields.clone());
        record
    }
}
