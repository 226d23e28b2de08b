//! `down` and `up`, as another process than the server that obeys them.

use housekey_test_support::until;

use crate::serve::Running;
use crate::support::Folder;

#[test]
fn a_running_server_goes_down_and_comes_back() {
    let folder = Folder::new();
    let server = Running::start(&folder, "serve --port 0", &[]);
    assert!(server.get("/visit").starts_with("HTTP/1.1 200"));
    let said = folder.run("down --retry=30 --secret=open-sesame --except=/health").ok();
    let said = said.out("come back in 30 seconds").out("/?maintenance=open-sesame");
    drop(said);
    until("the server to go down", || server.get("/visit").starts_with("HTTP/1.1 503"));
    let answer = server.get("/visit");
    assert!(answer.contains("retry-after: 30\r\n") && answer.contains("Back shortly"), "{answer}");
    assert!(server.get("/health").ends_with("ok"));
    assert!(server.get("/visit?maintenance=open-sesame").contains("set-cookie: maintenance="));
    folder.run("up").ok().out("The app is up.");
    until("the server to come back", || server.get("/visit").starts_with("HTTP/1.1 200"));
    folder.run("up").ok().out("was up already");
}

#[test]
fn a_secret_is_made_up_where_none_is_given_and_a_short_one_is_refused() {
    let folder = Folder::new();
    let said = folder.run("down --secret").ok();
    let secret = said.out.split("maintenance=").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    assert!(secret.len() >= 24, "{secret}");
    assert!(!folder.read("storage/framework/maintenance.json").contains(&secret));
    folder.run("down --secret=short").code(1).err("8 characters");
    folder.run("down --retry=0").code(2).err("--retry");
}
