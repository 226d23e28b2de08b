use serde::Serialize;
use time::OffsetDateTime;

use crate::access::role_names;
use crate::storage::Filter;
use crate::{Api, Field, Fields, Record, Result, Shape, User};

/// That somebody belongs to an organisation.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    pub id: String,
    pub organization_id: String,
    pub user_id: String,
    /// Their roles, separated by commas. [`roles`](Self::roles) has them one by one.
    pub role: String,
    pub created_at: OffsetDateTime,
    /// The columns of the app's own.
    pub fields: Record,
}

/// What other members see of a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MemberUser {
    pub id: String,
    pub name: String,
    pub email: String,
    pub image: Option<String>,
}

impl MemberUser {
    pub(in super::super) fn shape() -> Shape {
        let image = Field::url("image").or_null();
        Shape::object([Field::text("id"), Field::text("name"), Field::email("email"), image])
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct MemberWithUser {
    pub member: Member,
    pub user: MemberUser,
}

impl Member {
    /// The names of their roles.
    pub fn roles(&self) -> impl Iterator<Item = &str> {
        role_names(&self.role).map(str::trim)
    }

    /// Whether this is one of their roles.
    pub fn has_role(&self, name: &str) -> bool {
        self.roles().any(|role| role == name)
    }

    pub(in super::super) fn from_record(record: Record) -> Result<Self> {
        let mut fields = Fields("member", record);
        Ok(Self {
            id: fields.text("id")?,
            organization_id: fields.text("organizationId")?,
            user_id: fields.text("userId")?,
            role: fields.text("role")?,
            created_at: fields.date("createdAt")?,
            fields: fields.1,
        })
    }

    pub(in super::super) fn to_record(&self) -> Record {
        let mut record = Record::new()
            .with("id", &self.id)
            .with("organizationId", &self.organization_id)
            .with("userId", &self.user_id)
            .with("role", &self.role)
            .with("createdAt", self.created_at);
        record.merge(self.fields.clone());
        record
    }

    /// The same with some fields changed, as the row will be.
    pub(in super::super) fn changed(&self, changes: Record) -> Result<Self> {
        let mut record = self.to_record();
        record.merge(changes);
        Self::from_record(record)
    }

    /// The membership of a user in an organisation.
    pub(in super::super) async fn of(
        api: &Api,
        organization_id: &str,
        user_id: &str,
    ) -> Result<Option<Self>> {
        let filter = Filter::by("organizationId", organization_id).and_by("userId", user_id);
        Self::find(api, &filter).await
    }

    /// The membership with an id, in whichever organisation it is.
    pub(in super::super) async fn with_id(api: &Api, id: &str) -> Result<Option<Self>> {
        Self::find(api, &Filter::by("id", id)).await
    }

    async fn find(api: &Api, filter: &Filter) -> Result<Option<Self>> {
        let row = api.storage().find_one(api.table("member")?, filter).await?;
        row.map(Self::from_record).transpose()
    }
}

impl From<&User> for MemberUser {
    fn from(user: &User) -> Self {
        Self {
            id: user.id.clone(),
            name: user.name.clone(),
            email: user.email.clone(),
            image: user.image.clone(),
        }
    }
}
