//! Organisations on every database: what only one can have, one gets, however many reach for it at the same moment, in one process
//! and in two.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use housekey_core::Paths;
use housekey_database::testing::TestDatabase;
use housekey_database::{ConnectionConfig, Database, on_every_engine};
use housekey_engine::options::{EmailAndPassword, EngineOptions, RateLimitOptions};
use housekey_engine::plugins::organization;
use housekey_engine::plugins::organization::{
    DynamicRoles, Limit, OrganizationOptions, TeamOptions, default_access,
};
use housekey_engine::storage::{Filter, Find, Records as _};
use housekey_engine::{Engine, Record, Value as Stored};
use housekey_engine_sql::SqlStorage;
use housekey_test_support::{Program, this_test};
use http::{Request, Response, StatusCode};
use serde_json::{Value, json};

on_every_engine!(
    of_two_owners_who_leave_one_stays,
    of_two_who_accept_the_last_seat_one_gets_it,
    an_invitation_is_accepted_once,
    an_address_is_invited_once,
    a_slug_is_taken_once,
    the_name_of_a_role_is_taken_once,
    the_last_team_stays,
    of_two_who_join_a_team_for_its_last_seat_one_does,
    an_organisation_lives_here,
    whoever_is_deleted_leaves_their_teams_as_many_as_they_are,
);

/// Races in one process, by two pools; and races of two processes.
const ROUNDS: usize = 4;
/// Between two rounds of two processes.
const APART: Duration = Duration::from_millis(400);

/// One of the two who race: whose cookie, where to, with what.
type Errand = (String, &'static str, Value);

/// An engine of its own, as another process has it.
fn engine(database: Database) -> (Engine, SqlStorage) {
    let options = EngineOptions {
        secret: "a secret of at least thirty-two characters".into(),
        email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
        rate_limit: RateLimitOptions { enabled: Some(false), ..Default::default() },
        ..Default::default()
    };
    let teams = TeamOptions { maximum_members_per_team: Limit::Number(2), ..Default::default() };
    let organizations = OrganizationOptions {
        access: Some(default_access()),
        membership_limit: Limit::Number(3),
        teams: Some(teams),
        dynamic_roles: Some(DynamicRoles::default()),
        ..Default::default()
    };
    let storage = SqlStorage::new(database);
    let engine =
        Engine::builder(options).plugins([organization(organizations)]).build(storage.clone()).unwrap();
    (engine, storage)
}

async fn post(engine: &Engine, cookie: &str, path: &str, body: &Value) -> Response<Bytes> {
    let request = Request::post(format!("/api/auth{path}"))
        .header("content-type", "application/json")
        .header("origin", "http://localhost:3000")
        .header("cookie", cookie)
        .body(Bytes::from(body.to_string()))
        .unwrap();
    engine.handle(request).await
}

fn json_of(answer: &Response<Bytes>) -> Value {
    serde_json::from_slice(answer.body()).unwrap_or_default()
}

struct Company {
    test: TestDatabase,
    here: Engine,
    there: Engine,
    storage: SqlStorage,
    people: Vec<(String, String)>,
    founded: usize,
}

impl Company {
    /// Four people, and no organisation yet.
    async fn new(test: TestDatabase) -> Self {
        let (here, storage) = engine(test.db.clone());
        let (there, _) = engine(test.database());
        storage.create_tables(here.schema()).await.unwrap();
        let mut people = Vec::new();
        for name in ["alice", "bob", "carol", "dave"] {
            let body = json!({ "name": name, "email": email(name), "password": "correct horse" });
            let answer = post(&here, "", "/sign-up/email", &body).await;
            assert_eq!(answer.status(), StatusCode::OK, "{:?}", answer.body());
            let cookie = answer.headers()["set-cookie"].to_str().unwrap();
            let cookie = cookie.split(';').next().unwrap().to_owned();
            people.push((cookie, json_of(&answer)["user"]["id"].as_str().unwrap().to_owned()));
        }
        Self { test, here, there, storage, people, founded: 0 }
    }

    fn cookie(&self, who: usize) -> String {
        self.people[who].0.clone()
    }

    async fn done(&self, who: usize, path: &str, body: Value) -> Value {
        let answer = post(&self.here, &self.people[who].0, path, &body).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path} {body}: {:?}", answer.body());
        json_of(&answer)
    }

    /// A new organisation of Alice's.
    async fn found(&mut self) -> String {
        self.founded += 1;
        let body = json!({ "name": "Acme", "slug": format!("acme-{}", self.founded) });
        text(&self.done(ALICE, "/organization/create", body).await["id"])
    }

    async fn invite(&self, organization: &str, who: usize, role: &str) -> String {
        let body = json!({ "email": email(NAMES[who]), "role": role, "organizationId": organization });
        text(&self.done(ALICE, "/organization/invite-member", body).await["id"])
    }

    async fn join(&self, organization: &str, who: usize, role: &str) {
        let invitation = self.invite(organization, who, role).await;
        self.done(who, "/organization/accept-invitation", json!({ "invitationId": invitation })).await;
    }

    async fn rows(&self, table: &str, filter: Filter) -> Vec<Record> {
        self.storage.find(self.here.schema().table(table).unwrap(), &Find::new(filter)).await.unwrap()
    }

    /// Races pairs, half of them in one process, half with another one, and sees that one of each wins. Gives what the losers
    /// were told.
    async fn race(&self, pairs: Vec<[Errand; 2]>) {
        let mut pairs = pairs;
        let with_another = pairs.split_off(pairs.len() / 2);
        for [one, other] in &pairs {
            let (one, other) = tokio::join!(
                post(&self.here, &one.0, one.1, &one.2),
                post(&self.there, &other.0, other.1, &other.2)
            );
            one_won(&one.status(), &told(&one), &other.status(), &told(&other));
        }
        let begin = SystemTime::now().duration_since(UNIX_EPOCH).unwrap() + Duration::from_secs(3);
        let theirs: Vec<_> = with_another.iter().map(|[_, errand]| errand).collect();
        let errands = json!({
            "begin": u64::try_from(begin.as_millis()).unwrap(),
            "config": self.test.config,
            "errands": theirs,
        });
        let mut command = this_test("organization::the_other_process");
        let mut process = Program::start(command.env(CHILD, errands.to_string()));
        let mut mine = Vec::new();
        for (round, [errand, _]) in with_another.iter().enumerate() {
            wait(begin, round).await;
            let answer = post(&self.here, &errand.0, errand.1, &errand.2).await;
            mine.push((answer.status(), told(&answer)));
        }
        assert!(process.ended().success(), "{}", process.said());
        let said = process.said();
        let theirs: Vec<_> = said.lines().filter_map(|line| line.split_once(ANSWER)).collect();
        assert_eq!(theirs.len(), mine.len(), "{said}");
        for ((status, told), (_, other)) in mine.iter().zip(theirs) {
            let (other, said) = other.split_once(' ').unwrap();
            one_won(status, told, &other.parse().unwrap(), said);
        }
    }
}

const ALICE: usize = 0;
const BOB: usize = 1;
const CAROL: usize = 2;
const DAVE: usize = 3;
const NAMES: [&str; 4] = ["alice", "bob", "carol", "dave"];
const CHILD: &str = "HOUSEKEY_TEST_ERRANDS";
const ANSWER: &str = "answered: ";

fn email(name: &str) -> String {
    format!("{name}@example.com")
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn told(answer: &Response<Bytes>) -> String {
    String::from_utf8_lossy(answer.body()).into_owned()
}

fn one_won(one: &StatusCode, said: &str, other: &StatusCode, other_said: &str) {
    let told = format!("{one} {said}\n{other} {other_said}");
    assert_eq!([one, other].iter().filter(|status| status.is_success()).count(), 1, "{told}");
    // Whoever lost is told why, and nothing broke.
    assert!([one, other].iter().all(|status| !status.is_server_error()), "{told}");
}

async fn wait(begin: Duration, round: usize) {
    let moment = UNIX_EPOCH + begin + APART * u32::try_from(round).unwrap();
    if let Ok(left) = moment.duration_since(SystemTime::now()) {
        tokio::time::sleep(left).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the process that the tests of this file start"]
async fn the_other_process() {
    let errands = std::env::var(CHILD).expect("the tests of this file start it, and say what to do");
    let mut errands: Value = serde_json::from_str(&errands).unwrap();
    let config: ConnectionConfig = serde_json::from_value(errands["config"].take()).unwrap();
    let (engine, _) = engine(Database::open("test", config, &Paths::new(".")).unwrap());
    let begin = Duration::from_millis(errands["begin"].as_u64().unwrap());
    // The first connection takes longer than the others: it is made before the race.
    post(&engine, "", "/organization/check-slug", &json!({ "slug": "x" })).await;
    let list = errands["errands"].as_array().unwrap();
    for (round, errand) in list.iter().enumerate() {
        wait(begin, round).await;
        let (cookie, path) = (errand[0].as_str().unwrap(), errand[1].as_str().unwrap());
        let answer = post(&engine, cookie, path, &errand[2]).await;
        println!("{ANSWER}{} {}", answer.status().as_u16(), told(&answer).replace('\n', " "));
    }
}

// spec: ORG-2
async fn of_two_owners_who_leave_one_stays(test: TestDatabase) {
    let mut company = Company::new(test).await;
    let (mut pairs, mut founded) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let id = company.found().await;
        company.join(&id, BOB, "owner").await;
        let leave = |who| (company.cookie(who), "/organization/leave", json!({ "organizationId": id }));
        pairs.push([leave(ALICE), leave(BOB)]);
        founded.push(id);
    }
    company.race(pairs).await;
    for id in founded {
        let left = company.rows("member", Filter::by("organizationId", id)).await;
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].text("role"), Some("owner"));
    }
}

// spec: ORG-2
async fn of_two_who_accept_the_last_seat_one_gets_it(test: TestDatabase) {
    let mut company = Company::new(test).await;
    let (mut pairs, mut founded) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let id = company.found().await;
        company.join(&id, BOB, "member").await;
        let mut pair = Vec::new();
        for who in [CAROL, DAVE] {
            let invitation = company.invite(&id, who, "member").await;
            let body = json!({ "invitationId": invitation });
            pair.push((company.cookie(who), "/organization/accept-invitation", body));
        }
        pairs.push(<[Errand; 2]>::try_from(pair).unwrap());
        founded.push(id);
    }
    company.race(pairs).await;
    for id in founded {
        assert_eq!(company.rows("member", Filter::by("organizationId", id)).await.len(), 3);
    }
}

// spec: ORG-2
async fn an_invitation_is_accepted_once(test: TestDatabase) {
    let mut company = Company::new(test).await;
    let mut pairs = Vec::new();
    for _ in 0..ROUNDS {
        let id = company.found().await;
        let invitation = company.invite(&id, CAROL, "member").await;
        let body = json!({ "invitationId": invitation });
        let accept = || (company.cookie(CAROL), "/organization/accept-invitation", body.clone());
        pairs.push([accept(), accept()]);
    }
    company.race(pairs).await;
    let own = Filter::by("userId", company.people[CAROL].1.clone());
    assert_eq!(company.rows("member", own).await.len(), ROUNDS);
}

// spec: ORG-2
async fn an_address_is_invited_once(test: TestDatabase) {
    let mut company = Company::new(test).await;
    let (mut pairs, mut founded) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let id = company.found().await;
        company.join(&id, BOB, "owner").await;
        let body = json!({ "email": "Eve@example.com", "role": "member", "organizationId": id });
        let invite = |who| (company.cookie(who), "/organization/invite-member", body.clone());
        pairs.push([invite(ALICE), invite(BOB)]);
        founded.push(id);
    }
    company.race(pairs).await;
    for id in founded {
        let waiting = Filter::by("organizationId", id).and_by("status", "pending");
        assert_eq!(company.rows("invitation", waiting).await.len(), 1);
    }
}

// spec: ORG-2
async fn a_slug_is_taken_once(test: TestDatabase) {
    let company = Company::new(test).await;
    let mut pairs = Vec::new();
    for round in 0..ROUNDS {
        let body = json!({ "name": "Wanted", "slug": format!("wanted-{round}") });
        let create = |who| (company.cookie(who), "/organization/create", body.clone());
        pairs.push([create(ALICE), create(BOB)]);
    }
    company.race(pairs).await;
    assert_eq!(company.rows("organization", Filter::all()).await.len(), ROUNDS);
    assert_eq!(company.rows("member", Filter::all()).await.len(), ROUNDS);
    assert_eq!(company.rows("team", Filter::all()).await.len(), ROUNDS);
}

// spec: ORG-2
async fn the_name_of_a_role_is_taken_once(test: TestDatabase) {
    let mut company = Company::new(test).await;
    let mut pairs = Vec::new();
    for _ in 0..ROUNDS {
        let id = company.found().await;
        company.join(&id, BOB, "owner").await;
        let body =
            json!({ "role": "Scout", "permission": { "invitation": ["create"] }, "organizationId": id });
        let create = |who| (company.cookie(who), "/organization/create-role", body.clone());
        pairs.push([create(ALICE), create(BOB)]);
    }
    company.race(pairs).await;
    assert_eq!(company.rows("organizationRole", Filter::all()).await.len(), ROUNDS);
}

// spec: ORG-2
async fn the_last_team_stays(test: TestDatabase) {
    let mut company = Company::new(test).await;
    let (mut pairs, mut founded) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let id = company.found().await;
        company.join(&id, BOB, "owner").await;
        let first = company.rows("team", Filter::by("organizationId", id.clone())).await;
        let first = first[0].text("id").unwrap().to_owned();
        let red = json!({ "name": "Red", "organizationId": id });
        let red = text(&company.done(ALICE, "/organization/create-team", red).await["id"]);
        let remove = |who, team: String| {
            let body = json!({ "teamId": team, "organizationId": id });
            (company.cookie(who), "/organization/remove-team", body)
        };
        pairs.push([remove(ALICE, red), remove(BOB, first)]);
        founded.push(id);
    }
    // Alice is in the first team of the last one she founded; who removes it must not be.
    company.done(ALICE, "/organization/set-active-team", json!({ "teamId": null })).await;
    company.race(pairs).await;
    for id in founded {
        assert_eq!(company.rows("team", Filter::by("organizationId", id)).await.len(), 1);
    }
}

// spec: ORG-2
async fn of_two_who_join_a_team_for_its_last_seat_one_does(test: TestDatabase) {
    let mut company = Company::new(test).await;
    let (mut pairs, mut teams) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let id = company.found().await;
        company.join(&id, BOB, "owner").await;
        company.join(&id, CAROL, "member").await;
        let red = json!({ "name": "Red", "organizationId": id });
        let red = text(&company.done(ALICE, "/organization/create-team", red).await["id"]);
        let add = |by: usize, who: usize| {
            let user = &company.people[who].1;
            let body = json!({ "teamId": red, "userId": user, "organizationId": id });
            (company.cookie(by), "/organization/add-team-member", body)
        };
        let (_, path, body) = add(ALICE, ALICE);
        company.done(ALICE, path, body).await;
        pairs.push([add(ALICE, BOB), add(BOB, CAROL)]);
        teams.push(red);
    }
    company.race(pairs).await;
    for team in teams {
        assert_eq!(company.rows("teamMember", Filter::by("teamId", team.clone())).await.len(), 2);
        let row = company.rows("team", Filter::by("id", team)).await;
        assert_eq!(row[0].get("memberCount"), Some(&Stored::Integer(2)));
    }
}

// spec: ORG-1
async fn an_organisation_lives_here(test: TestDatabase) {
    let mut company = Company::new(test).await;
    let id = company.found().await;
    company.join(&id, BOB, "admin").await;
    let data =
        json!({ "organizationId": id, "data": { "name": "Neu & Söhne", "metadata": { "plan": "gold" } } });
    let updated = company.done(ALICE, "/organization/update", data).await;
    assert_eq!((&updated["name"], &updated["metadata"]["plan"]), (&json!("Neu & Söhne"), &json!("gold")));
    let scout = json!({ "role": "scout", "permission": { "invitation": ["create"] }, "organizationId": id });
    company.done(BOB, "/organization/create-role", scout).await;
    let carol = company.invite(&id, CAROL, "scout").await;
    company.done(CAROL, "/organization/accept-invitation", json!({ "invitationId": carol })).await;
    let asked = json!({ "permissions": { "invitation": ["create"] }, "organizationId": id });
    assert_eq!(company.done(CAROL, "/organization/has-permission", asked.clone()).await["success"], true);
    let changed =
        json!({ "roleName": "scout", "organizationId": id, "data": { "permission": { "ac": ["read"] } } });
    company.done(ALICE, "/organization/update-role", changed).await;
    // The other process knows it at its next request.
    let answer = post(&company.there, &company.cookie(CAROL), "/organization/has-permission", &asked).await;
    assert_eq!(json_of(&answer)["success"], false);
    let out = json!({ "memberIdOrEmail": email("carol"), "organizationId": id });
    company.done(ALICE, "/organization/remove-member", out).await;
    let answer = post(&company.there, &company.cookie(CAROL), "/organization/has-permission", &asked).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    company.done(ALICE, "/organization/delete", json!({ "organizationId": id })).await;
    for table in ["organization", "member", "invitation", "team", "teamMember", "organizationRole"] {
        assert_eq!(company.rows(table, Filter::all()).await.len(), 0, "{table}");
    }
    for session in company.rows("session", Filter::all()).await {
        assert_eq!(session.get("activeOrganizationId"), Some(&Stored::Null));
        assert_eq!(session.get("activeTeamId"), Some(&Stored::Null));
    }
}

// spec: ORG-2
async fn whoever_is_deleted_leaves_their_teams_as_many_as_they_are(test: TestDatabase) {
    let mut company = Company::new(test).await;
    let id = company.found().await;
    company.join(&id, BOB, "owner").await;
    let first = company.rows("team", Filter::by("organizationId", id.clone())).await;
    let first = first[0].text("id").unwrap().to_owned();
    let body = json!({ "teamId": first, "userId": company.people[BOB].1, "organizationId": id });
    company.done(ALICE, "/organization/add-team-member", body).await;
    company.done(BOB, "/organization/leave", json!({ "organizationId": id })).await;
    let row = company.rows("team", Filter::by("id", first.clone())).await;
    assert_eq!(row[0].get("memberCount"), Some(&Stored::Integer(1)));
    assert_eq!(company.rows("teamMember", Filter::by("teamId", first)).await.len(), 1);
}
