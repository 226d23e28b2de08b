//! `make:*`.

use crate::support::Folder;

#[test]
fn a_controller_is_written_declared_and_explained() {
    let folder = Folder::new();
    folder
        .run("make:controller user")
        .ok()
        .out("src/controllers/user_controller.rs created")
        .out("src/lib.rs declares it")
        .out("Next: route to it in src/routes/web.rs:\n")
        .out("  use crate::controllers::user_controller;\n")
        .out("  route.get(\"/user\", user_controller::index).name(\"user.index\");");
    assert!(folder.read("src/controllers/user_controller.rs").contains("pub async fn index()"));
    assert_eq!(folder.read("src/controllers/mod.rs"), "pub mod user_controller;\n");
    assert_eq!(folder.read("src/lib.rs"), "pub mod controllers;\npub mod routes;\n");

    folder.run("make:controller AccountController").ok();
    assert_eq!(
        folder.read("src/controllers/mod.rs"),
        "pub mod account_controller;\npub mod user_controller;\n"
    );
}

#[test]
fn every_kind_goes_to_its_folder() {
    let folder = Folder::new();
    for (line, path, next) in [
        (
            "make:middleware require-team",
            "src/middleware/require_team.rs",
            ".middleware(\"require-team\", middleware::require_team::require_team)\nThen put it on a route",
        ),
        ("make:request StorePost", "src/requests/store_post_request.rs", "Valid<StorePostRequest>"),
        ("make:view about", "src/views/pages/about.rs", "use crate::views::pages::about::about;"),
        (
            "make:command reports/send",
            "src/commands/reports/send.rs",
            ".command(commands::reports::send::Send)",
        ),
        ("make:test sign-in", "tests/sign_in.rs", "cargo test --test sign_in"),
    ] {
        folder.run(line).ok().out(&format!("{path} created")).out(next);
        assert!(!folder.read(path).contains("{{"), "{path} holds a placeholder");
    }
    assert!(folder.read("src/commands/reports/send.rs").contains("\"reports:send\""));
}

#[test]
fn folders_become_modules() {
    let folder = Folder::new();
    folder.run("make:controller admin/user").ok().out("src/controllers/admin/user_controller.rs created");
    folder.run("make:controller admin/Team").ok();
    assert_eq!(
        folder.read("src/controllers/admin/mod.rs"),
        "pub mod team_controller;\npub mod user_controller;\n"
    );
    assert_eq!(folder.read("src/controllers/mod.rs"), "pub mod admin;\n");
    // cargo looks for tests on the first level only.
    folder.run("make:test admin/user").ok().out("tests/admin_user.rs created");
}

#[test]
fn nothing_is_overwritten() {
    let folder = Folder::new();
    folder.write("src/controllers/user_controller.rs", "// mine");
    folder.run("make:controller user").code(1).err("exists already").err("Choose another name");
    assert_eq!(folder.read("src/controllers/user_controller.rs"), "// mine");
    assert_eq!(folder.read("src/lib.rs"), "pub mod routes;\n", "nothing is declared either");
}

#[test]
fn bad_names_write_nothing() {
    let folder = Folder::new();
    for name in ["../../evil", "/etc/cron", "7up", "a//b", "what?", "naïve"] {
        folder.run(&format!("make:view {name}")).code(1).err("cannot be a name");
    }
    folder.run("make:view mod").code(1).err("a word of the Rust language");
    assert!(!folder.path("src/views").exists());
}

#[test]
fn making_works_in_an_app_that_does_not_boot() {
    Folder::with_env("APP_KEY=\"broken\n").run("make:middleware gate").ok();
}

#[test]
fn outside_an_app_nothing_is_made() {
    let folder = Folder::new();
    std::fs::remove_file(folder.path("Cargo.toml")).unwrap();
    folder.run("make:view about").code(1).err("no Cargo.toml").err("root of a Housekey app");

    let folder = Folder::new();
    std::fs::remove_file(folder.path("src/lib.rs")).unwrap();
    folder.run("make:view about").code(1).err("neither lib.rs nor main.rs");
    assert!(!folder.path("src/views/pages/about.rs").exists(), "all or nothing");
}

#[test]
fn a_file_goes_where_the_app_keeps_its_module() {
    let folder = Folder::new();
    let root = "pub mod routes;\n\n#[path = \"../database/seeders/mod.rs\"]\npub mod seeders;\n";
    folder.write("src/lib.rs", root);
    folder.write("database/seeders/mod.rs", "mod demo_seeder;\n");
    folder
        .run("make:seeder shop/story")
        .ok()
        .out("database/seeders/shop/story_seeder.rs created")
        .out("database/seeders/mod.rs declares it")
        .out("  .seeder(seeders::shop::story_seeder::StorySeeder)");
    assert!(folder.read("database/seeders/shop/story_seeder.rs").contains("pub struct StorySeeder;"));
    assert_eq!(folder.read("database/seeders/mod.rs"), "mod demo_seeder;\npub mod shop;\n");
    assert_eq!(folder.read("database/seeders/shop/mod.rs"), "pub mod story_seeder;\n");
    assert_eq!(folder.read("src/lib.rs"), root);
    assert!(!folder.path("src/seeders").exists());
}

#[test]
fn what_is_about_a_model_asks_for_the_model_first() {
    let folder = Folder::new();
    folder
        .run("make:factory shop/story")
        .code(1)
        .err("there is no model `models::shop::story`")
        .err("housekey make:model shop/story");
    assert!(!folder.path("src/factories").exists());
    assert_eq!(folder.read("src/lib.rs"), "pub mod routes;\n");

    folder.run("make:model shop/story").ok();
    folder.run("make:factory shop/story").ok();
    let made = folder.read("src/factories/shop/story_factory.rs");
    assert!(made.contains("use crate::models::shop::story::Story;"), "{made}");
}

#[test]
fn a_stub_of_the_app_says_what_is_written() {
    let folder = Folder::new();
    folder.write("stubs/view.stub", "// {{ title }} in the house's own look: {{ snake }} of {{ module }}\n");
    folder.run("make:view team/our-house").ok();
    assert_eq!(
        folder.read("src/views/pages/team/our_house.rs"),
        "// Our house in the house's own look: our_house of views::pages::team::our_house\n"
    );
}

#[test]
fn a_stub_with_an_unknown_placeholder_is_named_and_nothing_is_written() {
    let folder = Folder::new();
    folder.write("stubs/view.stub", "{{ titel }}");
    folder
        .run("make:view about")
        .code(1)
        .err("stubs/view.stub: nothing is known as {{ titel }}")
        .err("{{ title }}");
    assert!(!folder.path("src/views").exists());
    assert_eq!(folder.read("src/lib.rs"), "pub mod routes;\n");
}

#[test]
fn what_would_not_compile_by_its_name_is_refused() {
    let folder = Folder::new();
    folder.run("make:command command").code(1).err("every command is called").err("Say what it is about");
    assert!(!folder.path("src/commands").exists());
}
