use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;

use crate::access::role_names;
use crate::storage::Filter;
use crate::{Api, ApiError, Fields, Record, Result};

/// That somebody is asked to join an organisation.
#[derive(Clone, Debug, PartialEq)]
pub struct Invitation {
    /// 32 random characters: whoever knows them was sent the invitation.
    pub id: String,
    pub organization_id: String,
    /// Whom it was sent to, in lower case.
    pub email: String,
    /// The roles that they will have, separated by commas.
    pub role: Option<String>,
    /// The teams that they will be in, separated by commas.
    pub team_id: Option<String>,
    pub status: InvitationStatus,
    pub expires_at: OffsetDateTime,
    pub created_at: OffsetDateTime,
    pub inviter_id: String,
    /// The columns of the app's own.
    pub fields: Record,
}

/// What has become of an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitationStatus {
    Pending,
    Accepted,
    Rejected,
    Canceled,
}

impl InvitationStatus {
    /// Its name: `pending`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Canceled => "canceled",
        }
    }

    fn named(name: &str) -> Option<Self> {
        [Self::Pending, Self::Accepted, Self::Rejected, Self::Canceled]
            .into_iter()
            .find(|status| status.name() == name)
    }
}

impl Invitation {
    /// The names of the roles.
    pub fn roles(&self) -> impl Iterator<Item = &str> {
        role_names(self.role.as_deref().unwrap_or_default()).map(str::trim)
    }

    /// Which teams the invited person joins; none where it is about the organisation alone.
    pub fn team_ids(&self) -> impl Iterator<Item = &str> {
        self.team_id.as_deref().unwrap_or_default().split(',').filter(|id| !id.is_empty())
    }

    /// Whether it can be accepted at a moment.
    pub fn is_open(&self, now: OffsetDateTime) -> bool {
        self.status == InvitationStatus::Pending && self.expires_at > now
    }

    pub(in super::super) fn from_record(record: Record) -> Result<Self> {
        let mut fields = Fields("invitation", record);
        let status = fields.text("status")?;
        let status = InvitationStatus::named(&status).ok_or_else(|| {
            ApiError::internal("a row could not be read", "invitation.status holds no status that there is")
        })?;
        fields.1.take("pendingKey");
        Ok(Self {
            id: fields.text("id")?,
            organization_id: fields.text("organizationId")?,
            email: fields.text("email")?,
            role: fields.optional_text("role")?,
            team_id: fields.optional_text("teamId")?,
            status,
            expires_at: fields.date("expiresAt")?,
            created_at: fields.date("createdAt")?,
            inviter_id: fields.text("inviterId")?,
            fields: fields.1,
        })
    }

    pub(in super::super) fn to_record(&self) -> Record {
        let mut record = Record::new()
            .with("id", &self.id)
            .with("organizationId", &self.organization_id)
            .with("email", &self.email)
            .with("role", self.role.as_deref())
            .with("teamId", self.team_id.as_deref())
            .with("status", self.status.name())
            .with("expiresAt", self.expires_at)
            .with("createdAt", self.created_at)
            .with("inviterId", &self.inviter_id);
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
        let row = api.storage().find_one(api.table("invitation")?, &Filter::by("id", id)).await?;
        row.map(Self::from_record).transpose()
    }

    /// What no two open invitations share: hidden, and empty as soon as one is not open any more.
    pub(in super::super) fn pending_key(organization_id: &str, email: &str) -> String {
        let pair = serde_json::json!([organization_id, email.to_lowercase()]).to_string();
        BASE64URL_NOPAD.encode(&Sha256::digest(pair.as_bytes()))
    }
}
