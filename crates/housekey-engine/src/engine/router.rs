use std::collections::HashMap;

use http::Method;

use crate::Endpoint;

/// Finds the endpoint of a request. What is not here does not exist.
#[derive(Debug, Default)]
pub(super) struct Router {
    endpoints: Vec<Endpoint>,
    /// Positions by path, for paths without a parameter.
    fixed: HashMap<String, Vec<usize>>,
    /// Prefix and position, for paths that end in a parameter.
    open: Vec<(String, usize)>,
}

impl Router {
    /// The error names the endpoint that is there twice or cannot be.
    pub(super) fn new(endpoints: Vec<Endpoint>) -> Result<Self, String> {
        let mut router = Self::default();
        for endpoint in endpoints {
            router.add(endpoint)?;
        }
        Ok(router)
    }

    pub(super) fn endpoints(&self) -> &[Endpoint] {
        &self.endpoints
    }

    /// The endpoint for a method and path, and what its parameter stands for.
    pub(super) fn find(&self, method: &Method, path: &str) -> Option<(&Endpoint, Option<String>)> {
        let endpoint =
            |&position: &usize| self.endpoints.get(position).filter(|endpoint| endpoint.method() == method);
        if let Some(found) = self.fixed.get(path).and_then(|positions| positions.iter().find_map(endpoint)) {
            return Some((found, None));
        }
        self.open.iter().find_map(|(prefix, position)| {
            let rest =
                path.strip_prefix(prefix.as_str()).filter(|rest| !rest.is_empty() && !rest.contains('/'))?;
            let decoded = percent_encoding::percent_decode_str(rest).decode_utf8().ok()?.into_owned();
            if decoded.contains('\0') {
                return None;
            }
            Some((endpoint(position)?, Some(decoded)))
        })
    }

    fn add(&mut self, endpoint: Endpoint) -> Result<(), String> {
        let path = endpoint.path().to_owned();
        if !path.starts_with('/') || path.ends_with('/') {
            return Err(format!("the endpoint `{path}` must start with a slash and not end with one"));
        }
        let is_same = |other: &Endpoint| other.method() == endpoint.method() && other.path() == path;
        if self.endpoints.iter().any(is_same) {
            return Err(format!("two plugins have an endpoint {} {path}", endpoint.method()));
        }
        let position = self.endpoints.len();
        match path.split_once("/:") {
            Some((prefix, name)) if !name.contains('/') => self.open.push((format!("{prefix}/"), position)),
            Some(_) => return Err(format!("the endpoint `{path}` may have a parameter at its end only")),
            None => self.fixed.entry(path).or_default().push(position),
        }
        self.endpoints.push(endpoint);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reply;

    fn endpoint(method: Method, path: &'static str) -> Endpoint {
        Endpoint::new(method, path, |_| Box::pin(async { Reply::json(&()) }))
    }

    #[test]
    fn methods_paths_and_parameters_decide() {
        let endpoints = vec![
            endpoint(Method::GET, "/session"),
            endpoint(Method::POST, "/session"),
            endpoint(Method::GET, "/reset/:token"),
        ];
        let router = Router::new(endpoints).unwrap();
        assert!(router.find(&Method::POST, "/session").is_some());
        assert_eq!(router.find(&Method::GET, "/reset/a%20b").unwrap().1.as_deref(), Some("a b"));
        for (method, path) in [
            (Method::PUT, "/session"),
            (Method::HEAD, "/session"),
            (Method::GET, "/session/"),
            (Method::GET, "//session"),
            (Method::GET, ""),
            (Method::GET, "/"),
            (Method::GET, "/reset/"),
            (Method::GET, "/reset/a/b"),
            (Method::GET, "/reset/%ff"),
            (Method::GET, "/reset/%00"),
        ] {
            assert!(router.find(&method, path).is_none(), "{method} {path}");
        }
    }

    #[test]
    fn an_endpoint_that_is_there_twice_is_named() {
        let twice = vec![endpoint(Method::GET, "/x"), endpoint(Method::GET, "/x")];
        assert!(Router::new(twice).unwrap_err().contains("GET /x"));
        assert!(Router::new(vec![endpoint(Method::GET, "x")]).is_err());
        assert!(Router::new(vec![endpoint(Method::GET, "/:a/b")]).is_err());
    }
}
