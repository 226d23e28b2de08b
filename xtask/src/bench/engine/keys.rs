use std::fs;
use std::path::{Path, PathBuf};

use super::side::{BASE, Side};
use crate::bench::load::{Ask, Who};
use crate::http::{self, post_json};

/// What server code does with a key, as both servers let it be asked over HTTP.
const VERIFY: &str = "/harness/api-keys/verify";
const CREATE: &str = "/harness/api-keys/create";

/// How many there are: enough that two requests rarely want to count the same one.
const COUNT: usize = 200;

/// Keys, each of somebody else, and the sessions of the same people.
pub(super) struct Keys {
    /// A line for each: what it is checked with.
    bodies: PathBuf,
    /// A line for each: the cookies of its owner.
    cookies: PathBuf,
}

impl Keys {
    /// Makes them on a server: for people who are signed in there, or for new ones.
    pub(super) fn make(side: &Side, name: &str, scratch: &Path) -> Result<Self, String> {
        let port = side.port();
        let owners = match side.who() {
            Who::People(file) => {
                let lines = fs::read_to_string(file).map_err(|error| error.to_string())?;
                lines.lines().take(COUNT).map(str::to_owned).collect()
            }
            Who::Person(_) | Who::Guest => sign_up(port)?,
        };
        let mut bodies = String::new();
        for cookies in &owners {
            let key =
                create(port, cookies).map_err(|error| format!("{name}: a key was not made: {error}"))?;
            bodies.push_str(&format!("{{\"key\":\"{key}\"}}\n"));
        }
        let keys = Self {
            bodies: scratch.join(format!("{name}-keys.bodies")),
            cookies: scratch.join(format!("{name}-keys.cookies")),
        };
        for (file, lines) in [(&keys.bodies, bodies), (&keys.cookies, owners.join("\n"))] {
            fs::write(file, lines).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        }
        keys.are_good(port)?;
        Ok(keys)
    }

    /// Checks them one after the other: what an app does with the one that a script brings.
    pub(super) fn checked_by(&self, side: &Side) -> Ask {
        let url = format!("http://127.0.0.1:{}{VERIFY}", side.port());
        Ask { bodies: Some(self.bodies.clone()), ..Ask::get(url, Who::Guest) }
    }

    /// The sessions of their owners.
    pub(super) fn sessions_at(&self, side: &Side) -> Ask {
        Ask::get(side.url("/get-session"), Who::People(self.cookies.clone()))
    }

    /// A refusal is quicker than a check, and would be measured as one.
    fn are_good(&self, port: u16) -> Result<(), String> {
        let bodies = fs::read_to_string(&self.bodies).map_err(|error| error.to_string())?;
        for body in bodies.lines().next().into_iter().chain(bodies.lines().last()) {
            let answer = post_json(port, VERIFY, body).map_err(|error| error.to_string())?;
            if !answer.body.contains(r#""valid":true"#) {
                return Err(format!("a key is not good: {}", answer.body));
            }
        }
        Ok(())
    }
}

fn sign_up(port: u16) -> Result<Vec<String>, String> {
    (0..COUNT)
        .map(|number| {
            let person = format!(
                r#"{{"name":"Person {number}","email":"key.{number}@example.com","password":"correct horse battery staple"}}"#
            );
            let answer =
                post_json(port, &format!("{BASE}/sign-up/email"), &person).map_err(|error| error.to_string())?;
            match answer.cookies.is_empty() {
                true => Err(format!("signing up was answered with {}: {}", answer.status, answer.body)),
                false => Ok(answer.cookies.join("; ")),
            }
        })
        .collect()
}

/// A key of whoever has these cookies.
fn create(port: u16, cookies: &str) -> Result<String, String> {
    let path = format!("{BASE}/get-session");
    let session = http::get_with(port, &path, cookies).map_err(|error| error.to_string())?.body;
    let user = field(after(&session, r#""user":"#)?, "id")?;
    let asked = format!(r#"{{"userId":"{user}","name":"bench"}}"#);
    let made = post_json(port, CREATE, &asked).map_err(|error| error.to_string())?;
    field(&made.body, "key").map(str::to_owned)
}

fn field<'a>(json: &'a str, name: &str) -> Result<&'a str, String> {
    let rest = after(json, &format!("\"{name}\":\""))?;
    rest.split('"').next().ok_or_else(|| format!("no {name} in {json}"))
}

fn after<'a>(text: &'a str, what: &str) -> Result<&'a str, String> {
    text.split_once(what).map(|(_, rest)| rest).ok_or_else(|| format!("no {what} in {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_the_user_is_not_the_one_of_the_session() {
        let json = r#"{"session":{"id":"s","userId":"u"},"user":{"name":"Ada","id":"u"}}"#;
        assert_eq!(field(after(json, r#""user":"#).unwrap(), "id"), Ok("u"));
        assert!(field("null", "id").is_err());
    }
}
