//! Two who want the same at the same moment: one of them gets it.

use housekey_engine::plugins::OrganizationOptions;
use housekey_engine::plugins::organization::Limit;
use http::StatusCode;
use serde_json::{Value, json};

use crate::organization::{
    ada_and_acme, creates, does, email, invites, joins, member_id, owners, person, test_engine, with,
};
use crate::support::Browser;

/// Everybody does something at the same moment; gives how many succeeded and what the others were told.
async fn all_at_once(people: Vec<(Browser, &'static str, Value)>) -> (usize, Vec<String>) {
    let tasks = people
        .into_iter()
        .map(|(mut browser, what, body)| tokio::spawn(async move { does(&mut browser, what, body).await }));
    let (mut done, mut refusals) = (0, Vec::new());
    for task in tasks.collect::<Vec<_>>() {
        let answer = task.await.unwrap();
        if answer.status == StatusCode::OK {
            done += 1;
        } else {
            refusals.push(answer.json()["code"].as_str().unwrap_or_default().to_owned());
        }
    }
    (done, refusals)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
// spec: ORG-2
async fn of_many_who_want_a_slug_one_gets_it() {
    for _ in 0..10 {
        let test = test_engine();
        let mut people = Vec::new();
        for number in 0..5 {
            let browser = person(&test, &format!("p{number}")).await;
            people.push((browser, "create", json!({ "name": "Acme", "slug": "acme" })));
        }
        let (done, refusals) = all_at_once(people).await;
        assert_eq!(done, 1);
        assert!(refusals.iter().all(|code| code == "ORGANIZATION_ALREADY_EXISTS"), "{refusals:?}");
        assert_eq!((test.rows("organization").await.len(), test.rows("member").await.len()), (1, 1));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
// spec: ORG-2
async fn of_several_owners_who_all_go_at_once_one_stays() {
    for round in 0..12 {
        let test = test_engine();
        let (mut ada, acme) = ada_and_acme(&test).await;
        let bob = joins(&test, &mut ada, "bob", "owner").await;
        let carl = joins(&test, &mut ada, "carl", "owner,admin").await;
        let of = async |name: &str| member_id(&test, &acme, name).await;
        let people = match round % 4 {
            0 => {
                [ada, bob, carl].map(|browser| (browser, "leave", json!({ "organizationId": acme }))).to_vec()
            }
            1 => vec![
                (ada, "remove-member", json!({ "memberIdOrEmail": of("bob").await })),
                (bob, "remove-member", json!({ "memberIdOrEmail": of("carl").await })),
                (carl, "remove-member", json!({ "memberIdOrEmail": of("ada").await })),
            ],
            2 => vec![
                (ada, "update-member-role", json!({ "memberId": of("bob").await, "role": "member" })),
                (bob, "update-member-role", json!({ "memberId": of("carl").await, "role": "member" })),
                (carl, "update-member-role", json!({ "memberId": of("ada").await, "role": "member" })),
            ],
            _ => vec![
                (ada, "leave", json!({ "organizationId": acme })),
                (bob, "update-member-role", json!({ "memberId": of("bob").await, "role": "admin" })),
                (carl, "remove-member", json!({ "memberIdOrEmail": of("carl").await })),
            ],
        };
        let (done, refusals) = all_at_once(people).await;
        assert!(owners(&test, &acme).await >= 1, "{round}: {done} {refusals:?}");
        if round % 4 == 0 || round % 4 == 3 {
            assert_eq!((done, owners(&test, &acme).await), (2, 1), "{round}: {refusals:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
// spec: ORG-2
async fn of_several_who_want_the_last_seat_one_gets_it() {
    for _ in 0..5 {
        let test = with(OrganizationOptions { membership_limit: Limit::Number(2), ..Default::default() });
        let (mut ada, _) = ada_and_acme(&test).await;
        let mut people = Vec::new();
        for number in 0..5 {
            let name = format!("p{number}");
            let invitation = invites(&mut ada, &name, "member").await;
            let browser = person(&test, &name).await;
            people.push((browser, "accept-invitation", json!({ "invitationId": invitation })));
        }
        let (done, refusals) = all_at_once(people).await;
        assert_eq!(done, 1);
        assert!(refusals.iter().all(|code| code == "ORGANIZATION_MEMBERSHIP_LIMIT_REACHED"), "{refusals:?}");
        assert_eq!(test.rows("member").await.len(), 2);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
// spec: ORG-2
async fn one_invitation_lets_one_in_once() {
    for _ in 0..10 {
        let test = test_engine();
        let (mut ada, _) = ada_and_acme(&test).await;
        let invitation = invites(&mut ada, "bob", "member").await;
        let bob = person(&test, "bob").await;
        let body = json!({ "invitationId": invitation });
        let people = vec![(bob, "accept-invitation", body); 6];
        let (done, _) = all_at_once(people).await;
        assert_eq!((done, test.rows("member").await.len()), (1, 2));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
// spec: ORG-2
async fn an_invitation_is_accepted_or_rejected_and_not_both() {
    for _ in 0..10 {
        let test = test_engine();
        let (mut ada, _) = ada_and_acme(&test).await;
        let invitation = invites(&mut ada, "bob", "member").await;
        let bob = person(&test, "bob").await;
        let body = json!({ "invitationId": invitation });
        let people = vec![(bob.clone(), "accept-invitation", body.clone()), (bob, "reject-invitation", body)];
        let (done, _) = all_at_once(people).await;
        assert_eq!(done, 1);
        let status = test.rows("invitation").await[0].text("status").unwrap().to_owned();
        let members = test.rows("member").await.len();
        assert_eq!(members, if status == "accepted" { 2 } else { 1 }, "{status}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
// spec: ORG-2
async fn an_address_is_invited_once_however_many_invite_it() {
    for _ in 0..10 {
        let test = test_engine();
        let (mut ada, _) = ada_and_acme(&test).await;
        let bob = joins(&test, &mut ada, "bob", "admin").await;
        let body = json!({ "email": email("eve"), "role": "member" });
        let people = [ada.clone(), bob.clone(), ada, bob].map(|one| (one, "invite-member", body.clone()));
        let (done, refusals) = all_at_once(people.to_vec()).await;
        assert_eq!(done, 1);
        let code = "USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION";
        assert!(refusals.iter().all(|refusal| refusal == code), "{refusals:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
// spec: ORG-2
async fn limits_hold_when_many_come_at_once() {
    let test = with(OrganizationOptions {
        organization_limit: Limit::Number(2),
        invitation_limit: Limit::Number(3),
        ..Default::default()
    });
    let mut ada = person(&test, "ada").await;
    creates(&mut ada, "acme").await;
    let invited = (0..8).map(|number| {
        let body = json!({ "email": email(&format!("p{number}")), "role": "member" });
        (ada.clone(), "invite-member", body)
    });
    assert_eq!(all_at_once(invited.collect()).await.0, 3);
    let created =
        (0..6).map(|number| (ada.clone(), "create", json!({ "name": "x", "slug": format!("s{number}") })));
    assert_eq!(all_at_once(created.collect()).await.0, 1);
    assert_eq!(test.rows("organization").await.len(), 2);
}
