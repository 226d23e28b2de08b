use housekey_http::{RequestContext, Routes, client_ip};

use crate::http::support::{Client, app, client, with_http};

fn asking(proxies: &'static [&'static str]) -> Client {
    let app = app(|route: &mut Routes| {
        route.get("/ip", async || client_ip().map(|ip| ip.to_string()).unwrap_or_default());
        route.get("/secure", async || RequestContext::current().unwrap().is_secure().to_string());
        route.get("/id", async || housekey_http::request_id().unwrap_or_default());
    });
    client(with_http(app, |http| http.trusted_proxies = proxies.iter().map(|&proxy| proxy.into()).collect()))
}

// spec: IP-1
#[tokio::test]
async fn the_address_is_the_sockets_whatever_a_stranger_claims() {
    let client = asking(&["10.0.0.1"]);
    let claims = [("x-forwarded-for", "1.2.3.4"), ("forwarded", "for=1.2.3.4"), ("x-real-ip", "1.2.3.4")];
    assert_eq!(client.get_with("/ip", &claims).await.text(), "203.0.113.5");
    assert_eq!(client.at("10.0.0.1").get_with("/ip", &claims).await.text(), "1.2.3.4");
    assert_eq!(client.at("10.0.0.1").get("/ip").await.text(), "10.0.0.1");
}

// spec: IP-3
#[tokio::test]
async fn a_listed_proxys_addresses_count_and_an_unlisted_form_is_ignored() {
    let client = asking(&["127.0.0.1"]);
    let claim = [("x-forwarded-for", "6.6.6.6, 1.2.3.4, 127.0.0.1")];
    assert_eq!(client.at("127.0.0.1").get_with("/ip", &claim).await.text(), "1.2.3.4");
    assert_eq!(client.at("::1").get_with("/ip", &claim).await.text(), "::1");
    assert_eq!(
        client.at("127.0.0.1").get_with("/ip", &[("x-forwarded-for", "nonsense")]).await.text(),
        "127.0.0.1"
    );
}

#[tokio::test]
async fn only_a_trusted_proxy_can_say_that_a_connection_was_encrypted_or_name_a_request() {
    let client = asking(&["10.0.0.1"]);
    let headers = [("x-forwarded-proto", "https"), ("x-request-id", "proxy-id-0001")];
    assert_eq!(client.get_with("/secure", &headers).await.text(), "false");
    assert_eq!(client.at("10.0.0.1").get_with("/secure", &headers).await.text(), "true");
    let answer = client.at("10.0.0.1").get_with("/id", &headers).await;
    assert_eq!((answer.text(), answer.header("x-request-id")), ("proxy-id-0001", "proxy-id-0001"));
    let answer = client.get_with("/id", &headers).await;
    assert_ne!(answer.text(), "proxy-id-0001");
    assert_eq!(answer.text(), answer.header("x-request-id"));
}
