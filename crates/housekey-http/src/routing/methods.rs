use std::fmt;

use http::Method;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Methods {
    Any,
    /// These, in the order they were written.
    Only(Vec<Method>),
}

impl Methods {
    /// The names, as `route:list` shows them: `GET` is shown with the `HEAD` it brings.
    pub fn names(&self) -> Vec<String> {
        match self {
            Self::Any => vec!["ANY".to_owned()],
            Self::Only(methods) => {
                let mut names: Vec<String> = Vec::new();
                for method in methods {
                    names.push(method.to_string());
                    if method == Method::GET && !methods.contains(&Method::HEAD) {
                        names.push("HEAD".to_owned());
                    }
                }
                names
            }
        }
    }
}

impl From<Method> for Methods {
    fn from(method: Method) -> Self {
        Self::Only(vec![method])
    }
}

impl fmt::Display for Methods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("ANY"),
            Self::Only(methods) => {
                f.write_str(&methods.iter().map(Method::as_str).collect::<Vec<_>>().join("|"))
            }
        }
    }
}
