//! Validation, through the kernel.

use crate::visitor::{Answer, Ask, Plan, Visitor, form, multipart, request, site};
use housekey_core::translation::Translator;
use housekey_core::{Error, FieldErrors, Result, Secret};
use housekey_http::axum::Json;
use housekey_http::axum::response::Redirect;
use housekey_http::validation::{Valid, ValidUpload, Validated, errors, old, old_list, old_or};
use housekey_http::{Provider, Registrar, Routes};
use http::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Deserialize, Validated)]
#[validate(crate = "housekey_http::validation", after = Self::check)]
struct SignUp {
    #[validate(required, max(20))]
    name: String,
    #[validate(label("e-mail address"), required, email, custom_async(Self::is_free))]
    email: String,
    #[validate(required, min(8), confirmed, message("Both passwords must be the same."))]
    password: Secret,
    #[expect(dead_code, reason = "asked for, not looked at")]
    hint: Option<Secret>,
    newsletter: bool,
    #[validate(min(18))]
    age: Option<u8>,
    interests: Vec<String>,
}

impl SignUp {
    async fn is_free(email: Value) -> Result<Option<String>> {
        let is_taken = email == "taken@example.com";
        Ok(is_taken.then(|| "The :field is taken.".into()))
    }

    async fn check(&self, errors: &mut FieldErrors) -> Result<()> {
        if self.password.reveal().contains(&self.name) {
            errors.add("password", "The password must not contain your name.");
        }
        Ok(())
    }
}

#[derive(Deserialize, Serialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Avatar {
    #[validate(required)]
    title: String,
    #[validate(required)]
    photo: String,
}

#[derive(Deserialize, Serialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Order {
    #[validate(required, nested)]
    address: Address,
    #[validate(required, each(nested))]
    lines: Vec<Line>,
}

#[derive(Deserialize, Serialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Address {
    #[validate(required)]
    city: String,
}

#[derive(Deserialize, Serialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Line {
    #[validate(required, alpha_dash)]
    sku: String,
    #[validate(required, integer, between(1, 99))]
    count: u32,
}

fn routes(route: &mut Routes) {
    // What a form's page shows, all of it read without waiting.
    route.get("/sign-up", async || {
        Json(json!({
            "email": errors().first("email"),
            "has_name": errors().has("name"),
            "all": errors().iter().map(|(field, _)| field.to_owned()).collect::<Vec<_>>(),
            "old": [old("name"), old("email"), old("password"), old("hint"), old("_token")],
            "interests": old_list("interests"),
            "city": old_or("city", "Vienna"),
        }))
    });
    route.get("/message", async || errors().first("form").unwrap_or_default());
    route.get("/errors-only", async || errors().first("email").unwrap_or_default());
    route.group().own_csrf_check().routes(|route| {
        route.post("/sign-up", async |Valid(form): Valid<SignUp>| {
            Json(json!([form.name, form.email, form.newsletter, form.age, form.interests]))
        });
        route.post("/sign-in", async |Valid(form): Valid<SignUp>| -> Result<Redirect> {
            let refused = [("email", format!("We do not know {}.", form.email))];
            Err(Error::invalid(refused.into_iter().collect()))
        });
        route.post("/avatar", async |ValidUpload(avatar, files): ValidUpload<Avatar>| {
            let file = files.get("photo").map(|file| (file.name().to_owned(), file.size()));
            Json(json!([avatar.title, file]))
        });
        route.post("/order", async |Valid(order): Valid<Order>| Json(order));
        route.post("/api/sign-up", async |Valid(form): Valid<SignUp>| form.name);
        route.post("/small", async |Valid(form): Valid<SignUp>| form.name).body_limit(50);
    });
}

fn good() -> Vec<(&'static str, &'static str)> {
    vec![
        ("name", " Ada "),
        ("email", "ada@example.com "),
        ("password", " correct horse "),
        ("password_confirmation", " correct horse "),
        ("interests", "maths"),
        ("interests", "engines"),
        ("_method", "POST"),
        ("unknown", "ignored"),
    ]
}

fn with(changes: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    let mut fields = good();
    fields.retain(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
    fields.extend(changes);
    fields
}

async fn post(visitor: &Visitor, fields: &[(&str, &str)]) -> Answer {
    visitor.send(form("/sign-up", fields).header("referer", "http://shop.test/sign-up?from=home")).await
}

async fn page(visitor: &Visitor) -> Value {
    visitor.get("/sign-up").await.ok().to_json()
}

fn errors_of(answer: &Answer) -> Value {
    assert_eq!(answer.status, 422, "{}", answer.text());
    answer.to_json()["errors"].clone()
}

#[tokio::test]
async fn a_form_arrives_as_the_type_that_the_handler_asked_for() {
    let site = site(routes);
    let answer = post(&site.visitor(), &good()).await.ok();
    assert_eq!(answer.to_json(), json!(["Ada", "ada@example.com", false, null, ["maths", "engines"]]));
    let answer = post(&site.visitor(), &with(&[("newsletter", "on"), ("age", "36")])).await.ok();
    assert_eq!((&answer.to_json()[2], &answer.to_json()[3]), (&json!(true), &json!(36)));
    let parts: Vec<_> = good().into_iter().map(|(name, value)| (name, None, value)).collect();
    let answer = site.visitor().send(multipart("/sign-up", &parts)).await.ok();
    assert_eq!(answer.to_json(), json!(["Ada", "ada@example.com", false, null, ["maths", "engines"]]));
}

#[tokio::test]
async fn a_form_that_is_too_large_comes_back_to_its_page_with_a_message() {
    let site = site(routes);
    let visitor = site.visitor();
    // A visitor of a form has a session.
    post(&visitor, &with(&[("email", "nobody")])).await;
    page(&visitor).await;
    let text = "x".repeat(100);
    let upload = || multipart("/small", &[("photo", Some("a.png"), &text)]);
    let here = "http://shop.test/message?from=home";
    for ask in [upload(), form("/small", &[("name", &text)])] {
        let answer = visitor.send(ask.header("referer", here)).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        assert_eq!(answer.headers["location"], "/message?from=home");
        assert_eq!(visitor.text("/message").await, "What you sent is larger than we accept.");
        assert_eq!(visitor.text("/message").await, "", "it is said once");
    }

    let (_, stored) = site.store.counts();
    let json = |ask: Ask| ask.header("accept", "application/json").header("referer", here);
    assert_eq!(visitor.send(json(upload())).await.status, 413);
    assert_eq!(visitor.send(upload()).await.status, 413, "nobody knows where the form is");
    let foreign = upload().header("referer", "https://evil.test/message");
    assert_eq!(visitor.send(foreign).await.status, 413);
    let raw = request(Method::POST, "/small").header("content-type", "image/png").header("referer", here);
    assert_eq!(visitor.send(raw.body(text.clone())).await.status, 413);
    let stranger = site.visitor().send(upload().header("referer", here)).await;
    assert_eq!((stranger.status.as_u16(), stranger.cookies().len()), (413, 0));
    assert_eq!(site.store.counts().1, stored, "and nothing is stored for any of them");
}

// spec: ERR-1
#[tokio::test]
async fn a_json_client_gets_422_with_every_message() {
    let site = site(routes);
    let body =
        json!({ "email": "nobody", "password": "short", "age": 17, "newsletter": true, "interests": [] });
    let answer = site.visitor().json("/sign-up", &body.to_string()).await;
    assert_eq!(
        errors_of(&answer),
        json!({
            "name": ["The name is required."],
            "email": ["The e-mail address must be an e-mail address."],
            "password": ["The password must be at least 8 characters.", "Both passwords must be the same."],
            "age": ["The age must be at least 18."],
        })
    );
    assert_eq!(answer.to_json()["message"], "The name is required. (and 4 more errors)");
    assert_eq!(answer.cookies(), [""; 0], "nothing is kept for a client that has it all in hand");

    let fetched = form("/sign-up", &[]).header("x-requested-with", "XMLHttpRequest");
    assert_eq!(site.visitor().send(fetched).await.status, 422);
    assert_eq!(
        site.visitor().form("/api/sign-up", &[]).await.status,
        422,
        "below /api everybody is a JSON client"
    );
}

#[tokio::test]
async fn a_browser_goes_back_to_its_form_and_finds_messages_and_input_there_once() {
    let site = site(routes);
    let visitor = site.visitor();
    let answer = post(&visitor, &with(&[("email", "nobody"), ("city", "Graz"), ("_token", "abc")])).await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "/sign-up?from=home"));

    let page_1 = page(&visitor).await;
    assert_eq!(page_1["email"], "The e-mail address must be an e-mail address.");
    assert_eq!(page_1["has_name"], false);
    assert_eq!(page_1["all"], json!(["email"]));
    assert_eq!(page_1["old"], json!([" Ada ", "nobody", "", "", ""]));
    assert_eq!(page_1["interests"], json!(["maths", "engines"]));
    assert_eq!(page_1["city"], "Graz");

    let page_2 = page(&visitor).await;
    assert_eq!(
        (&page_2["email"], &page_2["old"][1], &page_2["city"]),
        (&Value::Null, &json!(""), &json!("Vienna"))
    );

    // A field of another form on the same page keeps what stands in it.
    post(&visitor, &with(&[("email", "nobody")])).await;
    let page_3 = page(&visitor).await;
    assert_eq!((&page_3["old"][1], &page_3["city"]), (&json!("nobody"), &json!("Vienna")));
}

#[tokio::test]
async fn a_nul_is_refused_wherever_it_stands() {
    let site = site(routes);
    let request = form("/sign-up", &with(&[("name", "A\0da")])).header("accept", "application/json");
    let errors = errors_of(&site.visitor().send(request).await);
    assert_eq!(errors, json!({ "name": ["The name is not valid."] }));
    let deep = json!({ "address": { "city": "Gr\0az" }, "lines": [{ "sku": "a-1", "count": 2 }] });
    let errors = errors_of(&site.visitor().json("/order", &deep.to_string()).await);
    assert_eq!(errors["address"], json!(["The address is not valid."]));
}

#[tokio::test]
async fn the_page_that_shows_the_messages_spends_the_input_too() {
    let site = site(routes);
    let visitor = site.visitor();
    post(&visitor, &with(&[("email", "nobody")])).await;
    assert!(visitor.text("/errors-only").await.contains("e-mail address"));
    assert_eq!(page(&visitor).await["old"][1], "", "it must not turn up in another form");
}

#[tokio::test]
async fn secrets_are_never_given_back_nor_kept() {
    let mut plan = Plan::on_files();
    plan.session.encrypt = false;
    let site = plan.site(routes);
    let secrets = [
        ("password", "HUNTER2"),
        ("password_confirmation", "HUNTER2"),
        ("current_password", "HUNTER2"),
        ("hint", "HUNTER2"),
        ("_token", "HUNTER2"),
        ("api_token", "HUNTER2"),
        ("clientSecret", "HUNTER2"),
        ("code", "HUNTER2"),
        ("recovery_code", "HUNTER2"),
        ("otp", "HUNTER2"),
    ];
    let visitor = site.visitor();
    assert_eq!(post(&visitor, &with(&secrets)).await.status, 303);
    let folder = site.folder.path().join("storage/framework/sessions");
    let mut kept = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        kept += &String::from_utf8_lossy(&std::fs::read(entry.unwrap().path()).unwrap());
    }
    assert!(kept.contains("ada@example.com"), "the rest is kept: {kept}");
    assert!(!kept.contains("HUNTER2"), "{kept}");
}

#[tokio::test]
async fn what_is_kept_for_a_form_stays_small() {
    let site = site(routes);
    let visitor = site.visitor();
    let long = "ü".repeat(10_000);
    let mut fields = vec![("name", long.as_str()), ("email", "ada@example.com")];
    let names: Vec<String> = (0..100).map(|number| format!("field{number}")).collect();
    fields.extend(names.iter().map(|name| (name.as_str(), long.as_str())));
    let body = form("/sign-up", &fields[..12]);
    assert_eq!(visitor.send(body).await.status, 303);
    let name = page(&visitor).await["old"][0].as_str().unwrap().to_owned();
    assert!(name.len() <= 8 * 1024, "{}", name.len());
    assert!(visitor.cookie("id").unwrap().len() < 100);
}

#[tokio::test]
async fn nobody_is_sent_back_to_a_foreign_page() {
    let site = site(routes);
    for referer in
        ["https://evil.test/sign-up", "http://shop.test//evil.test", "http://shop.test@evil.test/", "x"]
    {
        let answer = site.visitor().send(form("/sign-up", &[]).header("referer", referer)).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "/"), "{referer}");
    }
    assert_eq!(site.visitor().form("/sign-up", &[]).await.header("location"), "/");
}

// spec: RTE-4
#[tokio::test]
async fn a_handler_can_refuse_in_the_same_way() {
    let site = site(routes);
    let visitor = site.visitor();
    let refused = form("/sign-in", &good()).header("referer", "http://shop.test/sign-up");
    assert_eq!(visitor.send(refused).await.status, 303);
    let page = page(&visitor).await;
    assert_eq!(page["email"], "We do not know ada@example.com.");
    assert_eq!(page["old"], json!([" Ada ", "ada@example.com ", "", "", ""]));
}

#[tokio::test]
async fn rules_that_wait_and_the_types_own_last_word_are_heard() {
    let site = site(routes);
    let send = async |changes| {
        let request = form("/sign-up", &with(changes)).header("accept", "application/json");
        errors_of(&site.visitor().send(request).await)
    };
    assert_eq!(
        send(&[("email", "taken@example.com")]).await,
        json!({ "email": ["The e-mail address is taken."] })
    );
    let own = [("password", "I am Ada!"), ("password_confirmation", "I am Ada!")];
    assert_eq!(send(&own).await, json!({ "password": ["The password must not contain your name."] }));
    // A value that breaks a plain rule is not worth a question to the database.
    assert_eq!(send(&[("email", "")]).await, json!({ "email": ["The e-mail address is required."] }));
}

#[tokio::test]
async fn types_are_rules_too() {
    let site = site(routes);
    let json = async |body: Value| errors_of(&site.visitor().json("/order", &body.to_string()).await);
    let good = json!({ "address": { "city": " Graz " }, "lines": [{ "sku": "a-1", "count": 2, "more": 1 }], "x": 1 });
    let answer = site.visitor().json("/order", &good.to_string()).await.ok();
    assert_eq!(
        answer.to_json(),
        json!({ "address": { "city": "Graz" }, "lines": [{ "sku": "a-1", "count": 2 }] })
    );
    assert_eq!(
        json(json!({ "address": {}, "lines": [{ "sku": "a 1", "count": 0 }, { "count": "2" }] })).await,
        json!({
            "address.city": ["The city is required."],
            "lines.0.sku": ["The sku may have letters, digits, dashes and underscores only."],
            "lines.0.count": ["The count must be between 1 and 99."],
            "lines.1.sku": ["The sku is required."],
            "lines.1.count": ["The count must be a whole number."],
        })
    );
    assert_eq!(json(json!({ "address": 1, "lines": "x" })).await.as_object().unwrap().len(), 2);
}

#[tokio::test]
async fn what_cannot_be_read_is_answered_with_its_own_status() {
    let site = site(routes);
    let status = async |kind: &str, body: &[u8]| {
        let request = request(Method::POST, "/sign-up")
            .header("content-type", kind)
            .header("accept", "application/json");
        site.visitor().send(request.body(body)).await.status.as_u16()
    };
    let deep = [b"{\"a\":".repeat(10_000), b"1".to_vec(), b"}".repeat(10_000)].concat();
    for (kind, body, expected) in [
        ("application/json", &b"{\"name\": "[..], 400),
        ("application/json", b"", 400),
        ("application/json", b"[1, 2]", 400),
        ("application/json", b"\"text\"", 400),
        ("application/json", b"{\"name\": \"\xff\"}", 400),
        ("application/json", &deep, 400),
        ("application/problem+json; charset=utf-8", b"{}", 422),
        ("APPLICATION/JSON", b"{}", 422),
        ("text/plain", b"name=x", 415),
        ("application/xml", b"<a/>", 415),
        ("application/x-www-form-urlencoded", b"name=%ff", 400),
        ("multipart/form-data", b"x", 400),
        ("multipart/form-data; boundary=XX", b"--XX\r\nrubbish", 400),
        (
            "multipart/form-data; boundary=XX",
            b"--XX\r\ncontent-disposition: form-data; name=\"a\"\r\n\r\n\xff\r\n--XX--",
            400,
        ),
    ] {
        assert_eq!(
            status(kind, body).await,
            expected,
            "{kind} {}",
            String::from_utf8_lossy(&body[..body.len().min(40)])
        );
    }
    let bare: Ask = request(Method::POST, "/sign-up").header("accept", "application/json");
    assert_eq!(site.visitor().send(bare).await.status, 422, "no body at all is an empty form");
    let untyped = request(Method::POST, "/sign-up").body("name=x");
    assert_eq!(site.visitor().send(untyped).await.status, 415);
    assert_eq!(site.visitor().form("/small", &good()).await.status, 413);
}

#[tokio::test]
async fn files_come_beside_the_fields() {
    let site = site(routes);
    let visitor = site.visitor();
    let parts = [("title", None, "Me"), ("photo", Some("C:\\pictures\\..\\me.png"), "PNG...")];
    let answer = visitor.send(multipart("/avatar", &parts)).await.ok();
    assert_eq!(answer.to_json(), json!(["Me", ["me.png", 6]]));
    let empty = multipart("/avatar", &[("title", None, "Me"), ("photo", Some(""), "")])
        .header("accept", "application/json");
    assert_eq!(errors_of(&visitor.send(empty).await), json!({ "photo": ["The photo is required."] }));
}

struct Austrian;

impl Provider for Austrian {
    fn name(&self) -> &'static str {
        "translations"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let german = r#"{
            "The :field is required.": ":field fehlt.",
            "The :field must be at least :min characters.": ":field: mindestens :min Zeichen.",
            "e-mail address": "E-Mail-Adresse"
        }"#;
        app.services().insert(Translator::new("de").with("de", german)?);
        Ok(())
    }
}

#[tokio::test]
async fn messages_are_translated_where_the_app_has_a_translator() {
    let site = Plan { provider: Some(Box::new(Austrian)), ..Plan::default() }.site(routes);
    let body = json!({ "name": "Ada", "password": "x", "password_confirmation": "x", "newsletter": false, "interests": [] });
    let answer = site.visitor().json("/sign-up", &body.to_string()).await;
    let expected =
        json!({ "email": ["E-Mail-Adresse fehlt."], "password": ["password: mindestens 8 Zeichen."] });
    assert_eq!(errors_of(&answer), expected);
}

#[test]
fn outside_a_request_there_are_no_errors_and_no_input() {
    assert!(errors().is_empty());
    assert_eq!((old("name"), old_or("name", "Ada")), (String::new(), "Ada".to_owned()));
}
