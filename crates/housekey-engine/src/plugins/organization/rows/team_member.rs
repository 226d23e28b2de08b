use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;

use crate::{Fields, Record, Result};

/// That somebody belongs to a team.
#[derive(Clone, Debug, PartialEq)]
pub struct TeamMember {
    pub id: String,
    pub team_id: String,
    pub user_id: String,
    pub created_at: Option<OffsetDateTime>,
}

impl TeamMember {
    pub(in super::super) fn from_record(record: Record) -> Result<Self> {
        let mut fields = Fields("teamMember", record);
        Ok(Self {
            id: fields.text("id")?,
            team_id: fields.text("teamId")?,
            user_id: fields.text("userId")?,
            created_at: fields.optional_date("createdAt")?,
        })
    }

    pub(in super::super) fn to_record(&self) -> Record {
        Record::new()
            .with("id", &self.id)
            .with("teamId", &self.team_id)
            .with("userId", &self.user_id)
            .with("createdAt", self.created_at)
    }

    /// What no two rows share: nobody is in a team twice.
    pub(in super::super) fn membership_key(team_id: &str, user_id: &str) -> String {
        BASE64URL_NOPAD.encode(&Sha256::digest(serde_json::json!([team_id, user_id]).to_string().as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_the_reference_s() {
        assert_eq!(TeamMember::membership_key("t1", "u1"), "zvgff7WeYkeF-_knMfCIgYKEgYHUMdUsDbvpoKRzSsY");
    }
}
