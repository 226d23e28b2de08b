use housekey_core::Result;
use housekey_http::Routes;
use housekey_http::session::session;
use housekey_test_support::fuzz::{fuzz, replace};
use http::Method;

use crate::visitor::{request, site};

fn routes(route: &mut Routes) {
    route.get("/remember", async || session().put("name", "Ada"));
    route.get("/name", name);
}

async fn name() -> Result<String> {
    Ok(session().get::<String>("name").await?.unwrap_or_else(|| "nobody".to_owned()))
}

// spec: SEC-7
#[test]
fn no_cookie_header_opens_a_session_but_the_one_that_carries_its_cookie() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let site = site(routes);
    let ada = site.visitor();
    runtime.block_on(ada.get("/remember")).ok();
    let id = ada.cookie("id").unwrap();
    let fill = |input: &[u8]| replace(input, &[("{id}", &id)]);
    fuzz(env!("CARGO_MANIFEST_DIR"), "cookies", fill, |input| {
        // What no header can hold never reaches a server.
        let Some(text) =
            std::str::from_utf8(input).ok().filter(|text| http::HeaderValue::from_str(text).is_ok())
        else {
            return;
        };
        let answer =
            runtime.block_on(site.visitor().send(request(Method::GET, "/name").header("cookie", text)));
        assert_eq!(answer.status, 200, "{answer:?}");
        assert!(answer.text() == "nobody" || text.contains(&id), "a session without its cookie");
    });
}
