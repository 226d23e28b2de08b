//! Providers in memory: they publish keys, hand out codes and tokens, check what a real one checks, remember every request,
//! and lie or fail where a test wants them to.

mod fault;
mod internet;
mod keys;
mod person;
mod recorded;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use data_encoding::BASE64URL_NOPAD;
use housekey_engine::{Clock, random};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use url::Url;

pub(crate) use fault::{Fault, Part};
pub(crate) use internet::Internet;
pub(crate) use keys::Key;
pub(crate) use person::Person;
pub(crate) use recorded::Recorded;

/// Where the parts of a provider are. What is empty does not exist.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    pub(crate) issuer: String,
    pub(crate) discovery: String,
    pub(crate) authorize: String,
    pub(crate) token: String,
    pub(crate) keys: String,
    pub(crate) user_info: String,
    pub(crate) end_session: String,
}

impl Places {
    /// A provider with discovery.
    pub(crate) fn openid(issuer: &str) -> Self {
        let at = |path: &str| format!("{issuer}{path}");
        Self {
            issuer: issuer.into(),
            discovery: at("/.well-known/openid-configuration"),
            authorize: at("/authorize"),
            token: at("/token"),
            keys: at("/keys"),
            user_info: at("/me"),
            end_session: at("/end-session"),
        }
    }
}

/// One provider.
#[derive(Clone)]
pub(crate) struct Imitation {
    pub(crate) name: &'static str,
    pub(crate) client_id: String,
    pub(crate) client_secret: String,
    pub(crate) places: Places,
    state: Arc<Mutex<State>>,
}

type Change = Box<dyn Fn(&mut Value, &mut Value) + Send>;

pub(crate) struct State {
    /// What the keys endpoint publishes; the last one signs.
    pub(crate) keys: Vec<Key>,
    /// Signs instead of the last published one.
    pub(crate) signs_with: Option<Key>,
    pub(crate) faults: HashMap<Part, Fault>,
    /// Seconds that an access token lives; `None` is not said.
    pub(crate) expires_in: Option<u64>,
    /// What a token answer says about scopes.
    pub(crate) scope: Value,
    pub(crate) sends_id_token: bool,
    pub(crate) sends_refresh_token: bool,
    /// Whether a refresh gives another refresh token; the old one is spent in either case then.
    pub(crate) rotates: bool,
    /// What the tokens carry that are handed out, to look for them where they must not be.
    pub(crate) secrets: Vec<String>,
    pub(crate) requests: Vec<Recorded>,
    clock: Clock,
    lie: Option<Change>,
    codes: HashMap<String, Grant>,
    refresh_tokens: HashMap<String, Grant>,
    access_tokens: HashMap<String, Person>,
}

/// What somebody agreed to.
#[derive(Clone)]
struct Grant {
    person: Person,
    redirect_uri: String,
    challenge: Option<String>,
    nonce: Option<String>,
}

impl Imitation {
    pub(crate) fn new(name: &'static str, places: Places, key: Key) -> Self {
        let state = State {
            keys: vec![key],
            signs_with: None,
            faults: HashMap::new(),
            expires_in: Some(3600),
            scope: json!("openid profile email"),
            sends_id_token: !places.issuer.is_empty(),
            sends_refresh_token: true,
            rotates: true,
            secrets: Vec::new(),
            requests: Vec::new(),
            clock: Clock::frozen_now(),
            lie: None,
            codes: HashMap::new(),
            refresh_tokens: HashMap::new(),
            access_tokens: HashMap::new(),
        };
        let client_id = format!("{name}-client");
        let client_secret = format!("{name}-client-secret");
        Self { name, client_id, client_secret, places, state: Arc::new(Mutex::new(state)) }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub(crate) fn runs_by(&self, clock: &Clock) {
        self.state().clock = clock.clone();
    }

    pub(crate) fn fails(&self, part: Part, fault: Fault) {
        self.state().faults.insert(part, fault);
    }

    pub(crate) fn recovers(&self) {
        self.state().faults.clear();
    }

    /// Changes header and claims of every id token before it is signed.
    pub(crate) fn lies(&self, lie: impl Fn(&mut Value, &mut Value) + Send + 'static) {
        self.state().lie = Some(Box::new(lie));
    }

    /// The requests that one of its endpoints got.
    pub(crate) fn requests_to(&self, place: &str) -> Vec<Recorded> {
        let asked = |request: &&Recorded| request.place() == place;
        self.state().requests.iter().filter(asked).cloned().collect()
    }

    /// The visitor agrees on the provider's page: the query with which they are sent back.
    pub(crate) fn agree(&self, page: &Url, person: &Person) -> String {
        assert_eq!(page.as_str().split('?').next(), Some(self.places.authorize.as_str()), "its own page");
        assert_eq!(parameter(page, "client_id").as_deref(), Some(self.client_id.as_str()));
        let state = parameter(page, "state").unwrap();
        format!("code={}&state={state}", self.grant(page, person))
    }

    /// A code for what this page asks, wherever it is sent then.
    pub(crate) fn grant(&self, page: &Url, person: &Person) -> String {
        let grant = Grant {
            person: person.clone(),
            redirect_uri: parameter(page, "redirect_uri").unwrap(),
            challenge: parameter(page, "code_challenge"),
            nonce: parameter(page, "nonce"),
        };
        let code = self.secret("code");
        self.state().codes.insert(code.clone(), grant);
        code
    }

    /// An id token as a native app gets it from its own kit.
    pub(crate) fn id_token(&self, person: &Person, nonce: Option<&str>) -> String {
        let token = self.state().id_token(&self.places.issuer, &self.client_id, person, nonce);
        self.state().secrets.push(token.clone());
        token
    }

    /// Whether this access token is one of its own, and whose.
    fn whose(&self, access_token: &str) -> Option<Person> {
        self.state().access_tokens.get(access_token).cloned()
    }

    fn secret(&self, kind: &str) -> String {
        let secret = format!("{}-{kind}-{}", self.name, random::alphanumeric(24));
        self.state().secrets.push(secret.clone());
        secret
    }

    /// What the token endpoint answers: status and body.
    fn exchange(&self, request: &Recorded) -> (u16, Value) {
        let refused = |why: &str| (400, json!({ "error": why }));
        if !self.knows_client(request) {
            return (401, json!({ "error": "invalid_client" }));
        }
        let grant = match request.form("grant_type").as_deref() {
            Some("authorization_code") => {
                let code = request.form("code").unwrap_or_default();
                // A code works once, whether what else is said is right or not.
                let Some(grant) = self.state().codes.remove(&code) else { return refused("invalid_grant") };
                let proven = grant.challenge.as_ref().is_none_or(|challenge| {
                    let verifier = request.form("code_verifier").unwrap_or_default();
                    *challenge == BASE64URL_NOPAD.encode(&Sha256::digest(verifier))
                });
                if !proven || request.form("redirect_uri") != Some(grant.redirect_uri.clone()) {
                    return refused("invalid_grant");
                }
                grant
            }
            Some("refresh_token") => {
                let token = request.form("refresh_token").unwrap_or_default();
                let mut state = self.state();
                let found = if state.rotates {
                    state.refresh_tokens.remove(&token)
                } else {
                    state.refresh_tokens.get(&token).cloned()
                };
                let Some(grant) = found else { return refused("invalid_grant") };
                grant
            }
            _ => return refused("unsupported_grant_type"),
        };
        (200, self.tokens(&grant, request.form("grant_type").as_deref() == Some("refresh_token")))
    }

    fn tokens(&self, grant: &Grant, refreshed: bool) -> Value {
        let access = self.secret("access");
        let refresh = self.secret("refresh");
        let mut state = self.state();
        let mut answer =
            json!({ "access_token": access, "token_type": "Bearer", "scope": state.scope.clone() });
        if let Some(seconds) = state.expires_in {
            answer["expires_in"] = json!(seconds);
        }
        if state.sends_refresh_token && (!refreshed || state.rotates) {
            answer["refresh_token"] = json!(refresh);
            state.refresh_tokens.insert(refresh, grant.clone());
        }
        if state.sends_id_token {
            let nonce = grant.nonce.as_deref().filter(|_| !refreshed);
            let token = state.id_token(&self.places.issuer, &self.client_id, &grant.person, nonce);
            state.secrets.push(token.clone());
            answer["id_token"] = json!(token);
        }
        state.access_tokens.insert(access, grant.person.clone());
        answer
    }

    /// Client id and secret in the form or, encoded, in the header; and never in both.
    fn knows_client(&self, request: &Recorded) -> bool {
        let in_form = request.form("client_id").as_deref() == Some(&self.client_id)
            && request.form("client_secret").is_none_or(|secret| secret == self.client_secret);
        let basic = format!("{}:{}", self.client_id, self.client_secret);
        let basic = format!("Basic {}", data_encoding::BASE64.encode(basic.as_bytes()));
        match request.header("authorization") {
            Some(header) => header == basic && request.form("client_secret").is_none(),
            None => in_form,
        }
    }

    fn discovery(&self) -> Value {
        let places = &self.places;
        json!({
            "issuer": places.issuer,
            "authorization_endpoint": places.authorize,
            "token_endpoint": places.token,
            "jwks_uri": places.keys,
            "userinfo_endpoint": places.user_info,
            "end_session_endpoint": places.end_session,
            "id_token_signing_alg_values_supported": ["RS256", "ES256"],
        })
    }
}

impl State {
    fn id_token(&self, issuer: &str, audience: &str, person: &Person, nonce: Option<&str>) -> String {
        let key = self.signs_with.as_ref().or(self.keys.last()).unwrap();
        let now = self.clock.now().unix_timestamp();
        let mut header = json!({ "alg": key.algorithm(), "kid": key.id, "typ": "JWT" });
        let mut claims = person.claims();
        // Some say of themselves who issued it, as Microsoft's tenants do.
        if claims.get("iss").is_none() {
            claims["iss"] = json!(issuer);
        }
        claims["aud"] = json!(audience);
        claims["iat"] = json!(now);
        claims["exp"] = json!(now + 600);
        if let Some(nonce) = nonce {
            claims["nonce"] = json!(nonce);
        }
        if let Some(lie) = &self.lie {
            lie(&mut header, &mut claims);
        }
        let token = key.token(&header, &claims);
        match header["alg"].as_str() {
            // Without a signature, as a forger sends it.
            Some("none") => format!("{}.", token.rsplit_once('.').unwrap().0),
            _ => token,
        }
    }
}

/// A parameter of an address.
pub(crate) fn parameter(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}
