use serde::Serialize;

use super::super::{MemberUser, MemberWithUser, fields};
use crate::{Api, Field, Record, Result, Shape};

/// A member as clients see them, with the person.
#[derive(Serialize)]
pub(in super::super) struct View {
    #[serde(flatten)]
    member: Record,
    user: MemberUser,
}

impl View {
    pub(in super::super) fn shape() -> Shape {
        Shape::row_with("member", [Field::new("user", MemberUser::shape())])
    }

    pub(in super::super) fn of(api: &Api, member: &MemberWithUser) -> Result<Self> {
        let row = member.member.to_record();
        Ok(Self { member: fields::view(api, "member", &row)?, user: member.user.clone() })
    }
}
