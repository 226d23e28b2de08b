//! `auth:admin`, on each database.

use housekey_auth::engine::options::{EmailAndPassword, EngineOptions};
use housekey_auth::engine::plugins::admin;
use housekey_auth::engine::{Engine, SignUpEmail};
use housekey_database::on_every_engine;
use housekey_database::testing::TestDatabase;
use housekey_engine_sql::SqlStorage;

use crate::{SECRET, Site};

on_every_engine!(
    the_first_admin_is_made_by_whoever_has_the_console,
    the_list_of_people_has_its_indexes_in_an_app_that_had_its_tables_before,
);

fn engine(test: &TestDatabase) -> Engine {
    let options = EngineOptions {
        secret: SECRET.into(),
        production: false,
        email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
        ..Default::default()
    };
    let builder = Engine::builder(options).plugins([admin(Default::default())]);
    builder.build(SqlStorage::new(test.db.clone())).unwrap()
}

// spec: ADM-2
async fn the_first_admin_is_made_by_whoever_has_the_console(test: TestDatabase) {
    let mut site = Site::on(&test);
    let said = site.fails("auth:admin ada@example.com");
    assert!(said.contains("`admin` is not in config/auth.rs"), "{said}");
    assert!(said.contains("housekey add admin"), "{said}");

    site.variables.push(("ADMIN", "1".to_owned()));
    site.ok("auth:schema --migrate");
    let said = site.fails("auth:admin ada@example.com");
    assert!(said.contains("nobody has the address ada@example.com"), "{said}");

    for email in ["ada@example.com", "bob@example.com"] {
        let input = SignUpEmail {
            name: "Somebody".into(),
            email: email.into(),
            password: "correct horse".into(),
            ..Default::default()
        };
        engine(&test).api().sign_up_email(input).await.unwrap();
    }
    let said = site.ok("auth:admin ADA@example.com");
    assert!(said.contains("ada@example.com is an admin now."), "{said}");
    assert!(said.contains("Nobody has confirmed that address yet"), "{said}");
    assert!(site.ok("auth:admin ada@example.com").contains("is an admin already"));
    let admins = test.db.table("user").where_contains("role", "admin").rows().await;
    let admins: Vec<String> = admins.unwrap().iter().map(|row| row.get("email").unwrap()).collect();
    assert_eq!(admins, ["ada@example.com"]);
}

// spec: ADM-1
async fn the_list_of_people_has_its_indexes_in_an_app_that_had_its_tables_before(test: TestDatabase) {
    let mut site = Site::on(&test);
    site.ok("auth:schema --migrate");
    site.variables.push(("ADMIN", "1".to_owned()));
    let said = site.ok("auth:schema --diff --migrate");
    assert!(said.contains("column user.role"), "{said}");
    let table = test.db.table_info("user").await.unwrap().unwrap();
    let indexes: Vec<&str> = table.indexes.iter().map(|index| index.name.as_str()).collect();
    for name in ["user_email_search_idx", "user_name_search_idx", "user_createdAt_id_idx"] {
        assert!(indexes.contains(&name), "{name} is not among {indexes:?}");
    }
    assert!(site.ok("auth:schema --diff").contains("already match the configuration"));
}
