use std::fmt;
use std::sync::Arc;

use time::OffsetDateTime;

use super::{Fields, User};
use crate::{Record, Result};

/// A sign-in that lasts.
#[derive(Clone, PartialEq)]
pub struct Session {
    pub id: String,
    /// When it ends unless it is renewed.
    pub expires_at: OffsetDateTime,
    /// What the browser holds: whoever knows it is this session.
    pub token: String,
    pub created_at: OffsetDateTime,
    /// When it was last renewed.
    pub updated_at: OffsetDateTime,
    /// The address that the person signed in from.
    pub ip_address: Option<String>,
    pub user_agent: Option<String>,
    pub user_id: String,
    /// The columns of plugins and of the app's own.
    pub fields: Record,
}

/// A session and the user it belongs to. Shared, because many ask who is there and few change it.
#[derive(Clone, Debug, PartialEq)]
pub struct SignedIn {
    pub session: Arc<Session>,
    pub user: Arc<User>,
}

impl SignedIn {
    pub fn new(session: impl Into<Arc<Session>>, user: impl Into<Arc<User>>) -> Self {
        Self { session: session.into(), user: user.into() }
    }
}

impl Session {
    pub fn from_record(record: Record) -> Result<Self> {
        let mut fields = Fields("session", record);
        Ok(Self {
            id: fields.text("id")?,
            expires_at: fields.date("expiresAt")?,
            token: fields.text("token")?,
            created_at: fields.date("createdAt")?,
            updated_at: fields.date("updatedAt")?,
            ip_address: fields.optional_text("ipAddress")?,
            user_agent: fields.optional_text("userAgent")?,
            user_id: fields.text("userId")?,
            fields: fields.1,
        })
    }

    /// The id of the admin who acts as this user here, if somebody does.
    pub fn impersonated_by(&self) -> Option<&str> {
        self.fields.text("impersonatedBy").filter(|admin| !admin.is_empty())
    }

    pub(crate) fn to_record(&self) -> Record {
        let mut record = Record::new()
            .with("id", &self.id)
            .with("expiresAt", self.expires_at)
            .with("token", &self.token)
            .with("createdAt", self.created_at)
            .with("updatedAt", self.updated_at)
            .with("ipAddress", self.ip_address.as_deref())
            .with("userAgent", self.user_agent.as_deref())
            .with("userId", &self.user_id);
        record.merge(self.fields.clone());
        record
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("id", &self.id)
            .field("user_id", &self.user_id)
            .finish_non_exhaustive()
    }
}
