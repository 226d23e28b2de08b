//! The same as functions, for server code.

use housekey_engine::Record;
use housekey_engine::access::Permission;
use housekey_engine::plugins::organization::{
    MemberFilter, MemberQuery, NewInvitation, NewMember, NewOrganization, OrganizationChanges,
    OrganizationRef, accept_invitation, active_membership, add_member, create_organization,
    find_organization, full_organization, invite_member, leave_organization, list_members,
    list_organizations, may, member_may, remove_member, set_active_organization, slug_is_free,
    update_member_role, update_organization,
};
use housekey_engine::storage::Direction;

use crate::organization::{ada_and_acme, api_of, email, person, roles_of, test_engine, user_id};

#[tokio::test]
// spec: ORG-1
async fn server_code_does_what_requests_do_and_asks_for_the_same_permissions() {
    let test = test_engine();
    let ada = person(&test, "ada").await;
    let bob = person(&test, "bob").await;
    let (mut of_ada, mut of_bob) = (api_of(&test, &ada), api_of(&test, &bob));
    let new = NewOrganization { name: "Acme".into(), slug: "acme".into(), ..Default::default() };
    assert!(slug_is_free(&mut of_ada, "acme").await.unwrap());
    let created = create_organization(&mut of_ada, new).await.unwrap();
    let acme = created.organization.id.clone();
    assert_eq!(roles_of(&created.members[0]), ["owner"]);
    // The same handle knows where it is.
    let membership = active_membership(&mut of_ada).await.unwrap().unwrap();
    assert_eq!(membership.organization, created.organization);
    assert!(
        member_may(&of_ada, &membership.member, &Permission::of("organization", ["delete"])).await.unwrap()
    );
    let wanted = NewInvitation {
        email: email("bob"),
        roles: vec!["member".into()],
        organization: OrganizationRef::Active,
        resend: false,
        team_ids: Vec::new(),
        fields: Record::new(),
    };
    let invitation = invite_member(&mut of_ada, wanted).await.unwrap();
    let (_, member) = accept_invitation(&mut of_bob, &invitation.id).await.unwrap();
    assert!(
        !may(&mut of_bob, OrganizationRef::Slug("acme"), &Permission::of("member", ["create"]))
            .await
            .unwrap()
    );
    let changes = OrganizationChanges { name: Some("Bobs".into()), ..Default::default() };
    let refused =
        update_organization(&mut of_bob, OrganizationRef::Id(&acme), changes.clone()).await.unwrap_err();
    assert_eq!(refused.code(), Some("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION"));
    assert_eq!(
        update_organization(&mut of_ada, OrganizationRef::Id(&acme), changes).await.unwrap().name,
        "Bobs"
    );
    let both = ["admin".to_owned(), "member".to_owned()];
    let changed = update_member_role(&mut of_ada, OrganizationRef::Active, &member.id, &both).await.unwrap();
    assert_eq!(roles_of(&changed), ["admin", "member"]);
    let query = MemberQuery {
        limit: Some(1),
        sort_by: Some("role".into()),
        sort_direction: Some(Direction::Descending),
        filter: Some(MemberFilter {
            field: "role".into(),
            operator: "eq".into(),
            values: vec!["admin".into()],
        }),
        ..Default::default()
    };
    let page = list_members(&mut of_ada, OrganizationRef::Active, query).await.unwrap();
    assert_eq!((page.total, page.members[0].user.email.clone()), (1, email("bob")));
    let full = full_organization(&mut of_bob, OrganizationRef::Active, None).await.unwrap().unwrap();
    assert_eq!((full.members.len(), full.invitations.len()), (2, 1));
    assert_eq!(list_organizations(&mut of_bob).await.unwrap().len(), 1);
    remove_member(&mut of_ada, OrganizationRef::Active, &email("bob")).await.unwrap();
    assert!(active_membership(&mut api_of(&test, &bob)).await.unwrap().is_none());
    assert!(set_active_organization(&mut of_ada, None).await.unwrap().is_none());
    assert!(find_organization(&mut of_ada, OrganizationRef::Active).await.unwrap().is_none());
    let only = leave_organization(&mut of_ada, &acme).await.unwrap_err();
    assert_eq!(only.code(), Some("YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER"));
}

#[tokio::test]
// spec: ORG-2
async fn server_code_adds_a_member_without_asking_and_once() {
    let test = test_engine();
    let (_, acme) = ada_and_acme(&test).await;
    person(&test, "bob").await;
    let user = user_id(&test, "bob").await;
    let new = |user_id: &str, role: &str| NewMember {
        user_id: user_id.to_owned(),
        roles: vec![role.to_owned()],
        organization: OrganizationRef::Slug("acme"),
        team_id: None,
    };
    let code = async |new: NewMember<'static>| {
        let error = add_member(&mut test.engine.api(), new).await.unwrap_err();
        error.code().unwrap().to_owned()
    };
    assert_eq!(code(new("nobody", "member")).await, "USER_NOT_FOUND");
    assert_eq!(code(new(&user, "king")).await, "ROLE_NOT_FOUND");
    let elsewhere = NewMember { organization: OrganizationRef::Active, ..new(&user, "member") };
    assert_eq!(code(elsewhere).await, "ORGANIZATION_NOT_FOUND");
    let added = add_member(&mut test.engine.api(), new(&user, "admin")).await.unwrap();
    assert_eq!((added.organization_id, added.role.as_str()), (acme, "admin"));
    assert_eq!(code(new(&user, "admin")).await, "USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION");
    assert_eq!(test.rows("member").await.len(), 2);
}
