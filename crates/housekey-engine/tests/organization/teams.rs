//! Teams: who makes, fills, leaves and removes them, and what nobody may do.

use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::organization;
use housekey_engine::plugins::organization::{Limit, OrganizationOptions, TeamOptions};
use housekey_engine::{Engine, Value as Stored};
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Answer, Browser, TestEngine, options};

/// Acme: Ada owns it, Bob is an admin, Carl a member. Mallory owns Evil.
pub(crate) struct Company {
    pub(crate) test: TestEngine,
    pub(crate) acme: String,
    pub(crate) evil: String,
    pub(crate) ada: Browser,
    pub(crate) bob: Browser,
    pub(crate) carl: Browser,
    pub(crate) mallory: Browser,
}

pub(crate) fn engine(engine_options: EngineOptions, organizations: OrganizationOptions) -> TestEngine {
    TestEngine::new(Engine::builder(engine_options).plugins([organization(organizations)]))
}

impl Company {
    pub(crate) async fn of(test: TestEngine) -> Self {
        let mut browsers = Vec::new();
        for name in ["ada", "bob", "carl", "mallory"] {
            let mut browser = test.browser();
            browser.sign_up(&format!("{name}@example.com")).await.assert(StatusCode::OK);
            browsers.push(browser);
        }
        let [mut ada, bob, carl, mut mallory] = <[Browser; 4]>::try_from(browsers).ok().unwrap();
        let acme = found(&mut ada, "Acme").await;
        let evil = found(&mut mallory, "Evil").await;
        let mut company = Self { test, acme, evil, ada, bob, carl, mallory };
        company.invite("bob", json!({ "role": "admin" })).await;
        company.invite("carl", json!({ "role": "member" })).await;
        company
    }

    /// Ada invites somebody, who accepts.
    pub(crate) async fn invite(&mut self, name: &str, more: Value) {
        let mut body = json!({ "email": format!("{name}@example.com"), "organizationId": self.acme });
        for (field, value) in more.as_object().unwrap() {
            body[field] = value.clone();
        }
        let invited = does(&mut self.ada, "invite-member", body).await.assert(StatusCode::OK).json();
        let browser = match name {
            "bob" => &mut self.bob,
            "carl" => &mut self.carl,
            _ => &mut self.mallory,
        };
        does(browser, "accept-invitation", json!({ "invitationId": invited["id"] }))
            .await
            .assert(StatusCode::OK);
    }

    pub(crate) async fn user(&self, name: &str) -> String {
        let email = format!("{name}@example.com");
        let rows = self.test.rows("user").await;
        let row = rows.iter().find(|row| row.text("email") == Some(&email)).unwrap();
        row.text("id").unwrap().to_owned()
    }

    /// A new team of Acme.
    async fn team(&mut self, name: &str) -> String {
        let made = does(&mut self.ada, "create-team", json!({ "name": name })).await;
        text(&made.assert(StatusCode::OK).json()["id"])
    }

    async fn add(&mut self, team: &str, name: &str) -> Answer {
        let body = json!({ "teamId": team, "userId": self.user(name).await });
        does(&mut self.ada, "add-team-member", body).await
    }

    /// The number beside the team and the number of rows, which must be the same.
    async fn size(&self, team: &str) -> i64 {
        let rows = self.test.rows("teamMember").await;
        let rows = rows.iter().filter(|row| row.text("teamId") == Some(team)).count();
        let teams = self.test.rows("team").await;
        let row = teams.iter().find(|row| row.text("id") == Some(team)).unwrap();
        let number = row.get("memberCount").and_then(Stored::as_integer).unwrap();
        assert_eq!(number, i64::try_from(rows).unwrap());
        number
    }

    async fn first_team(&self) -> String {
        let rows = self.test.rows("team").await;
        let row = rows.iter().find(|row| row.text("name") == Some("Acme")).unwrap();
        row.text("id").unwrap().to_owned()
    }
}

async fn found(browser: &mut Browser, name: &str) -> String {
    let body = json!({ "name": name, "slug": name.to_lowercase() });
    text(&does(browser, "create", body).await.assert(StatusCode::OK).json()["id"])
}

pub(crate) async fn does(browser: &mut Browser, what: &str, body: Value) -> Answer {
    browser.post(&format!("/organization/{what}"), body).await
}

pub(crate) async fn asks(browser: &mut Browser, what: &str) -> Answer {
    browser.get(&format!("/organization/{what}")).await
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn with(teams: TeamOptions) -> TestEngine {
    engine(options(), OrganizationOptions { teams: Some(teams), ..Default::default() })
}

async fn company() -> Company {
    Company::of(with(TeamOptions::default())).await
}

async fn active(browser: &mut Browser) -> (Value, Value) {
    let session = browser.session().await["session"].clone();
    (session["activeOrganizationId"].clone(), session["activeTeamId"].clone())
}

#[tokio::test]
// spec: ORG-1
async fn an_organisation_begins_with_a_team_of_its_name_in_which_its_founder_is() {
    let mut company = company().await;
    let first = company.first_team().await;
    assert_eq!(company.size(&first).await, 1);
    assert_eq!(active(&mut company.ada).await, (json!(company.acme), json!(first)));
    let listed = asks(&mut company.carl, "list-teams").await.assert(StatusCode::OK).json();
    assert_eq!(listed[0]["name"], "Acme");
    assert_eq!(listed[0].get("memberCount"), None, "how many there are is for the organisation in full");
    let members = asks(&mut company.ada, "list-team-members").await.assert(StatusCode::OK).json();
    assert_eq!(members[0].get("membershipKey"), None);
    let full = asks(&mut company.ada, "get-full-organization").await.assert(StatusCode::OK).json();
    assert_eq!(full["teams"][0]["memberCount"], 1);
}

#[tokio::test]
// spec: ORG-1
async fn without_teams_there_is_no_word_of_them() {
    let test = engine(options(), OrganizationOptions::default());
    let mut company = Company::of(test).await;
    does(&mut company.ada, "create-team", json!({ "name": "Red" })).await.assert(StatusCode::NOT_FOUND);
    assert_eq!(company.ada.session().await["session"].get("activeTeamId"), None);
}

#[tokio::test]
// spec: ORG-1
async fn teams_are_made_renamed_and_listed_by_those_who_may() {
    let mut company = company().await;
    let red = company.team("Red").await;
    let rename = json!({ "teamId": red, "data": { "name": "Crimson", "memberCount": 50, "id": "mine" } });
    let renamed = does(&mut company.bob, "update-team", rename.clone()).await.assert(StatusCode::OK).json();
    assert_eq!((text(&renamed["name"]), text(&renamed["id"])), ("Crimson".into(), red.clone()));
    assert_eq!(company.size(&red).await, 0);
    does(&mut company.carl, "update-team", rename)
        .await
        .refused(403, "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM");
    does(&mut company.carl, "create-team", json!({ "name": "Mine" }))
        .await
        .refused(403, "YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION");
    does(&mut company.ada, "update-team", json!({ "teamId": red, "data": {} }))
        .await
        .refused(400, "NO_DATA_TO_UPDATE");
    let mut nobody = company.test.browser();
    let made = does(&mut nobody, "create-team", json!({ "name": "X" })).await;
    assert!(made.status == StatusCode::UNAUTHORIZED && made.body.is_empty());
    does(&mut nobody, "remove-team", json!({ "teamId": red })).await.refused(400, "NO_ACTIVE_ORGANIZATION");
    asks(&mut nobody, "list-teams").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
// spec: ORG-2
async fn a_team_has_so_many_members_and_nobody_twice() {
    let mut company = company().await;
    let red = company.team("Red").await;
    let first = company.add(&red, "carl").await.assert(StatusCode::OK).json();
    let again = company.add(&red, "carl").await.assert(StatusCode::OK).json();
    assert_eq!(first["id"], again["id"]);
    assert_eq!(company.size(&red).await, 1);
    company.add(&red, "mallory").await.refused(400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");
    let out = json!({ "teamId": red, "userId": company.user("carl").await });
    does(&mut company.carl, "remove-team-member", out.clone())
        .await
        .refused(403, "YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER");
    does(&mut company.bob, "remove-team-member", out.clone()).await.assert(StatusCode::OK);
    assert_eq!(company.size(&red).await, 0);
    does(&mut company.bob, "remove-team-member", out).await.refused(400, "USER_IS_NOT_A_MEMBER_OF_THE_TEAM");
}

#[tokio::test]
// spec: ORG-2
async fn ten_who_add_somebody_at_once_add_them_once() {
    let mut company = company().await;
    let red = company.team("Red").await;
    let body = json!({ "teamId": red, "userId": company.user("carl").await });
    let tasks: Vec<_> = (0..10)
        .map(|_| {
            let (mut ada, body) = (company.ada.clone(), body.clone());
            tokio::spawn(async move { does(&mut ada, "add-team-member", body).await.status })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap(), StatusCode::OK);
    }
    assert_eq!(company.size(&red).await, 1);
}

#[tokio::test]
// spec: ORG-1, ORG-2
async fn a_team_that_is_full_takes_nobody_more() {
    let teams = TeamOptions { maximum_members_per_team: Limit::Number(1), ..Default::default() };
    let mut company = Company::of(with(teams)).await;
    let red = company.team("Red").await;
    let (bob, carl) = (company.user("bob").await, company.user("carl").await);
    let (mut ada, mut admin) = (company.ada.clone(), company.bob.clone());
    let (one, other) = tokio::join!(
        does(&mut ada, "add-team-member", json!({ "teamId": red, "userId": bob })),
        does(&mut admin, "add-team-member", json!({ "teamId": red, "userId": carl }))
    );
    let done = [&one, &other].iter().filter(|answer| answer.status.is_success()).count();
    assert_eq!(done, 1, "{one:?} {other:?}");
    assert_eq!(company.size(&red).await, 1);
    let lost = if one.status.is_success() { other } else { one };
    lost.refused(403, "TEAM_MEMBER_LIMIT_REACHED");
    let invite = json!({ "email": "eve@example.com", "role": "member", "teamId": red });
    does(&mut company.ada, "invite-member", invite).await.refused(403, "TEAM_MEMBER_LIMIT_REACHED");
}

#[tokio::test]
// spec: ORG-1, ORG-2
async fn there_are_as_many_teams_as_the_options_allow() {
    let teams = TeamOptions { maximum_teams: Limit::Number(2), ..Default::default() };
    let company = Company::of(with(teams)).await;
    let tasks: Vec<_> = (0..5)
        .map(|number| {
            let mut ada = company.ada.clone();
            tokio::spawn(
                async move { does(&mut ada, "create-team", json!({ "name": number.to_string() })).await },
            )
        })
        .collect();
    let mut made = 0;
    for task in tasks {
        let answer = task.await.unwrap();
        match answer.status.is_success() {
            true => made += 1,
            false => {
                answer.refused(400, "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS");
            }
        }
    }
    assert_eq!(made, 1);
}

#[tokio::test]
// spec: ORG-2, ORG-3
async fn a_team_that_is_removed_leaves_nothing_behind() {
    let mut company = company().await;
    let (red, blue) = (company.team("Red").await, company.team("Blue").await);
    company.add(&red, "carl").await.assert(StatusCode::OK);
    does(&mut company.carl, "set-active-team", json!({ "teamId": red })).await.assert(StatusCode::OK);
    let invite = |teams: Value, name: &str| json!({ "email": format!("{name}@example.com"), "role": "member", "teamId": teams });
    does(&mut company.ada, "invite-member", invite(json!(red), "eve")).await.assert(StatusCode::OK);
    does(&mut company.ada, "invite-member", invite(json!([red, blue]), "fay")).await.assert(StatusCode::OK);
    does(&mut company.carl, "remove-team", json!({ "teamId": red }))
        .await
        .refused(403, "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM");
    does(&mut company.bob, "remove-team", json!({ "teamId": red })).await.assert(StatusCode::OK);
    assert_eq!(active(&mut company.carl).await, (json!(company.acme), Value::Null));
    asks(&mut company.carl, "list-team-members").await.refused(400, "YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM");
    let rows = company.test.rows("invitation").await;
    let teams_of = |name: &str| {
        let email = format!("{name}@example.com");
        rows.iter().find(|row| row.text("email") == Some(&email)).unwrap().text("teamId").map(str::to_owned)
    };
    assert_eq!((teams_of("eve"), teams_of("fay")), (None, Some(blue.clone())));
    assert_eq!(company.test.rows("teamMember").await.len(), 2, "Ada in Acme, Mallory in Evil");
}

#[tokio::test]
// spec: ORG-2
async fn the_last_team_stays_also_when_two_remove_the_last_two() {
    for _ in 0..5 {
        let mut company = company().await;
        let (red, first) = (company.team("Red").await, company.first_team().await);
        let (mut ada, mut bob) = (company.ada.clone(), company.bob.clone());
        let (one, other) = tokio::join!(
            does(&mut ada, "remove-team", json!({ "teamId": red })),
            does(&mut bob, "remove-team", json!({ "teamId": first }))
        );
        let done = [&one, &other].iter().filter(|answer| answer.status.is_success()).count();
        assert_eq!(done, 1, "{one:?} {other:?}");
        let lost = if one.status.is_success() { other } else { one };
        lost.refused(400, "UNABLE_TO_REMOVE_LAST_TEAM");
    }
}

#[tokio::test]
// spec: ORG-3
async fn an_active_team_is_one_s_own_and_of_the_active_organisation() {
    let mut company = company().await;
    let red = company.team("Red").await;
    does(&mut company.carl, "set-active-team", json!({ "teamId": red }))
        .await
        .refused(403, "USER_IS_NOT_A_MEMBER_OF_THE_TEAM");
    does(&mut company.carl, "set-active-team", json!({ "teamId": "nothing" }))
        .await
        .refused(400, "TEAM_NOT_FOUND");
    company.add(&red, "carl").await.assert(StatusCode::OK);
    does(&mut company.carl, "set-active-team", json!({ "teamId": red })).await.assert(StatusCode::OK);
    assert_eq!(active(&mut company.carl).await, (json!(company.acme), json!(red)));
    let other = found(&mut company.carl, "Other").await;
    let (organization, team) = active(&mut company.carl).await;
    assert!(organization == json!(other) && team != json!(red));
    // Back into the team is back into its organisation.
    does(&mut company.carl, "set-active-team", json!({ "teamId": red })).await.assert(StatusCode::OK);
    assert_eq!(active(&mut company.carl).await, (json!(company.acme), json!(red)));
    does(&mut company.carl, "set-active-team", json!({ "teamId": null })).await.assert(StatusCode::OK);
    assert_eq!(active(&mut company.carl).await, (json!(company.acme), Value::Null));
}

#[tokio::test]
// spec: ORG-3
async fn whoever_is_taken_out_of_a_team_or_organisation_is_in_no_team_of_it() {
    let mut company = company().await;
    let red = company.team("Red").await;
    for name in ["bob", "carl"] {
        company.add(&red, name).await.assert(StatusCode::OK);
    }
    does(&mut company.carl, "set-active-team", json!({ "teamId": red })).await.assert(StatusCode::OK);
    let out = json!({ "teamId": red, "userId": company.user("carl").await });
    does(&mut company.ada, "remove-team-member", out).await.assert(StatusCode::OK);
    assert_eq!(active(&mut company.carl).await, (json!(company.acme), Value::Null));
    does(&mut company.ada, "remove-member", json!({ "memberIdOrEmail": "bob@example.com" }))
        .await
        .assert(StatusCode::OK);
    assert_eq!(company.size(&red).await, 0);
    asks(&mut company.bob, &format!("list-team-members?teamId={red}"))
        .await
        .refused(400, "USER_IS_NOT_A_MEMBER_OF_THE_TEAM");
}

#[tokio::test]
// spec: ORG-2
async fn an_account_that_is_deleted_is_not_counted_any_more() {
    let mut deletable = options();
    deletable.user.delete_user.enabled = true;
    let teams = OrganizationOptions { teams: Some(TeamOptions::default()), ..Default::default() };
    let mut company = Company::of(engine(deletable, teams)).await;
    let red = company.team("Red").await;
    company.add(&red, "carl").await.assert(StatusCode::OK);
    let body = json!({ "password": crate::support::PASSWORD });
    company.carl.post("/delete-user", body).await.assert(StatusCode::OK);
    assert_eq!(company.size(&red).await, 0);
}

#[tokio::test]
// spec: ORG-1
async fn an_invitation_leads_into_its_teams() {
    let mut company = company().await;
    let (red, blue) = (company.team("Red").await, company.team("Blue").await);
    for (teams, code) in [(json!("nothing"), "TEAM_NOT_FOUND"), (json!("a,b"), "INVALID_TEAM_ID")] {
        let body = json!({ "email": "mallory@example.com", "role": "member", "teamId": teams });
        does(&mut company.ada, "invite-member", body).await.refused(400, code);
    }
    company.invite("mallory", json!({ "role": "member", "teamId": [red, blue] })).await;
    assert_eq!((company.size(&red).await, company.size(&blue).await), (1, 1));
    let own = asks(&mut company.mallory, "list-user-teams").await.assert(StatusCode::OK).json();
    assert_eq!(own.as_array().unwrap().len(), 3, "and the one of Evil");
}

#[tokio::test]
// spec: ORG-1
async fn whose_teams_somebody_sees() {
    let mut company = company().await;
    let red = company.team("Red").await;
    company.add(&red, "bob").await.assert(StatusCode::OK);
    let bob = company.user("bob").await;
    let seen = asks(&mut company.ada, &format!("list-user-teams?userId={bob}")).await;
    assert_eq!(seen.assert(StatusCode::OK).json()[0]["id"], json!(red));
    let denied = "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER";
    asks(&mut company.carl, &format!("list-user-teams?userId={bob}")).await.refused(403, denied);
    // The owner of another organisation learns nothing of this one, by whichever id.
    asks(&mut company.mallory, &format!("list-user-teams?userId={bob}"))
        .await
        .refused(400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");
    let stranger = "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION";
    for whose in [format!("userId={bob}&"), String::new()] {
        let path = format!("list-user-teams?{whose}organizationId={}", company.acme);
        asks(&mut company.mallory, &path).await.refused(403, stranger);
    }
}

#[tokio::test]
// spec: ORG-1
async fn the_teams_of_another_organisation_are_out_of_reach() {
    let mut company = company().await;
    let red = company.team("Red").await;
    company.add(&red, "carl").await.assert(StatusCode::OK);
    let carl = company.user("carl").await;
    let mallory = company.user("mallory").await;
    let (acme, evil) = (company.acme.clone(), company.evil.clone());
    let eve = &mut company.mallory;
    // In her own organisation, with the ids of the other; and in the other.
    for (organization, status) in [(&evil, 400), (&acme, 403)] {
        let code = if status == 400 { "TEAM_NOT_FOUND" } else { "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM" };
        let data = json!({ "name": "Mine", "organizationId": organization });
        does(eve, "update-team", json!({ "teamId": red, "data": data })).await.refused(status, code);
        let code = if status == 400 { "TEAM_NOT_FOUND" } else { "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM" };
        let body = json!({ "teamId": red, "organizationId": organization });
        does(eve, "remove-team", body).await.refused(status, code);
    }
    for what in ["add-team-member", "remove-team-member"] {
        for (organization, user, code) in [
            (&evil, &mallory, "TEAM_NOT_FOUND"),
            (&evil, &carl, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"),
            (&acme, &mallory, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"),
            (&acme, &carl, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"),
        ] {
            let body = json!({ "teamId": red, "userId": user, "organizationId": organization });
            does(eve, what, body).await.refused(400, code);
        }
    }
    does(eve, "create-team", json!({ "name": "X", "organizationId": acme }))
        .await
        .refused(403, "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION");
    asks(eve, &format!("list-teams?organizationId={acme}"))
        .await
        .refused(403, "YOU_ARE_NOT_ALLOWED_TO_ACCESS_THIS_ORGANIZATION");
    asks(eve, &format!("list-team-members?teamId={red}"))
        .await
        .refused(400, "USER_IS_NOT_A_MEMBER_OF_THE_TEAM");
    // As one that does not exist.
    does(eve, "set-active-team", json!({ "teamId": red })).await.refused(400, "TEAM_NOT_FOUND");
    assert_eq!(company.size(&red).await, 1);
}
