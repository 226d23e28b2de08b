use super::Routes;
use super::builder::RouteBuilder;
use super::definition::Attributes;
use super::http_handler::HttpHandler;
use super::kind::{Typed, Untyped};
use crate::guard::{GuardSpec, IntoGuards};
use crate::types::TypedHandler;

impl<K> Routes<K> {
    /// The usual addresses of a kind of thing, with their names.
    ///
    /// ```
    /// # mod books_controller {
    /// #     pub async fn index() {} pub async fn create() {} pub async fn store() {} pub async fn show() {}
    /// #     pub async fn edit() {} pub async fn update() {} pub async fn destroy() {}
    /// # }
    /// use housekey_http::{Routes, actions};
    ///
    /// fn web(route: &mut Routes) {
    ///     route.resource("books").actions(actions!(books_controller));
    /// }
    /// # web(&mut Routes::new());
    /// ```
    ///
    /// | action | | name |
    /// |---|---|---|
    /// | `index` | `GET /books` | `books.index` |
    /// | `create` | `GET /books/new` | `books.create` |
    /// | `store` | `POST /books` | `books.store` |
    /// | `show` | `GET /books/{book}` | `books.show` |
    /// | `edit` | `GET /books/{book}/edit` | `books.edit` |
    /// | `update` | `PUT /books/{book}` | `books.update` |
    /// | `destroy` | `DELETE /books/{book}` | `books.destroy` |
    ///
    /// The name of a resource inside another leaves the parameter out: `authors/{author}/books` is `authors.books.index`.
    pub fn resource(&mut self, path: &str) -> ResourceBuilder<'_, K> {
        let attributes = self.attributes().clone();
        let path = path.trim_matches('/').to_owned();
        let parameter = singular(path.rsplit('/').next().unwrap_or_default()).replace('-', "_");
        ResourceBuilder { routes: self, attributes, path, parameter, guards: |_| Vec::new() }
    }
}

/// A resource before its actions are named, made by [`Routes::resource`].
#[derive(Debug)]
#[must_use = "a resource does nothing until `.actions(…)` says what it can do"]
pub struct ResourceBuilder<'a, K = Untyped> {
    routes: &'a mut Routes<K>,
    attributes: Attributes,
    path: String,
    parameter: String,
    guards: GuardsOf,
}

/// The guards of an action, by its name.
type GuardsOf = fn(&str) -> Vec<GuardSpec>;

impl<K> ResourceBuilder<'_, K> {
    /// What the parameter is called, where one thing is not the name without its `s`: `resource("people").parameter("person")`.
    pub fn parameter(mut self, name: &str) -> Self {
        name.clone_into(&mut self.parameter);
        self
    }

    /// Constrains the parameter: `where_("[0-9]+")`.
    pub fn where_(mut self, expression: &str) -> Self {
        self.attributes.constraints.push((self.parameter.clone(), expression.to_owned()));
        self
    }

    /// Puts guards in front of every action.
    pub fn middleware(mut self, guards: impl IntoGuards) -> Self {
        self.attributes.guards.extend(guards.into_guards());
        self
    }

    /// Puts guards in front of each action, by its name: what an extension such as a policy does.
    pub fn middleware_by_action(mut self, guards: fn(&str) -> Vec<GuardSpec>) -> Self {
        self.guards = guards;
        self
    }

    /// Says what it can do. What is not named is not there.
    ///
    /// ```
    /// # async fn index() {}
    /// # async fn update() {}
    /// use housekey_http::Routes;
    ///
    /// fn web(route: &mut Routes) {
    ///     route.resource("books").actions(|book| {
    ///         book.index(index);
    ///         book.update(update).middleware("throttle:6,1");
    ///     });
    /// }
    /// # web(&mut Routes::new());
    /// ```
    ///
    /// Where the functions of a module are called as the actions are, [`actions!`](crate::actions) names them.
    pub fn actions(self, name: impl FnOnce(&mut Resource<K>)) {
        let words = self.path.split('/').filter(|segment| !segment.starts_with('{'));
        let mut resource = Resource {
            routes: Routes::with_attributes(self.attributes),
            name: words.collect::<Vec<_>>().join(".").replace('-', "_"),
            all: format!("/{}", self.path),
            one: format!("/{}/{{{}}}", self.path, self.parameter),
            guards: self.guards,
        };
        name(&mut resource);
        self.routes.absorb(resource.routes);
    }
}

/// The actions of a resource: see [`Routes::resource`].
#[derive(Debug)]
pub struct Resource<K = Untyped> {
    routes: Routes<K>,
    name: String,
    all: String,
    one: String,
    guards: GuardsOf,
}

/// The same actions for routes of both kinds, which differ in what a handler has to be.
macro_rules! actions_of {
    ($kind:ty, $handler:ident) => {
        impl Resource<$kind> {
            /// `GET /books`: all of them.
            #[track_caller]
            pub fn index<H: $handler<T>, T: 'static>(&mut self, handler: H) -> RouteBuilder<'_> {
                let (name, guards) = self.of("index");
                self.routes.get(&self.all, handler).name(&name).middleware(guards)
            }

            /// `GET /books/new`: the form for a new one.
            #[track_caller]
            pub fn create<H: $handler<T>, T: 'static>(&mut self, handler: H) -> RouteBuilder<'_> {
                let (name, guards) = self.of("create");
                self.routes.get(&format!("{}/new", self.all), handler).name(&name).middleware(guards)
            }

            /// `POST /books`: adds one.
            #[track_caller]
            pub fn store<H: $handler<T>, T: 'static>(&mut self, handler: H) -> RouteBuilder<'_> {
                let (name, guards) = self.of("store");
                self.routes.post(&self.all, handler).name(&name).middleware(guards)
            }

            /// `GET /books/{book}`: one of them.
            #[track_caller]
            pub fn show<H: $handler<T>, T: 'static>(&mut self, handler: H) -> RouteBuilder<'_> {
                let (name, guards) = self.of("show");
                self.routes.get(&self.one, handler).name(&name).middleware(guards)
            }

            /// `GET /books/{book}/edit`: the form that changes one.
            #[track_caller]
            pub fn edit<H: $handler<T>, T: 'static>(&mut self, handler: H) -> RouteBuilder<'_> {
                let (name, guards) = self.of("edit");
                self.routes.get(&format!("{}/edit", self.one), handler).name(&name).middleware(guards)
            }

            /// `PUT /books/{book}`: changes one.
            #[track_caller]
            pub fn update<H: $handler<T>, T: 'static>(&mut self, handler: H) -> RouteBuilder<'_> {
                let (name, guards) = self.of("update");
                self.routes.put(&self.one, handler).name(&name).middleware(guards)
            }

            /// `DELETE /books/{book}`: removes one.
            #[track_caller]
            pub fn destroy<H: $handler<T>, T: 'static>(&mut self, handler: H) -> RouteBuilder<'_> {
                let (name, guards) = self.of("destroy");
                self.routes.delete(&self.one, handler).name(&name).middleware(guards)
            }
        }
    };
}

impl<K> Resource<K> {
    /// The name and the guards of an action.
    fn of(&self, action: &str) -> (String, Vec<GuardSpec>) {
        (format!("{}.{action}", self.name), (self.guards)(action))
    }
}

actions_of!(Untyped, HttpHandler);
actions_of!(Typed, TypedHandler);

/// The actions of a [resource](Routes::resource) that a module holds: its functions `index`, `create`, `store`, `show`, `edit`, `update`
/// and `destroy`. One that is missing does not compile; `only` and `except` say which there are.
///
/// ```
/// # mod books_controller {
/// #     pub async fn index() {} pub async fn show() {} pub async fn store() {} pub async fn update() {} pub async fn destroy() {}
/// # }
/// # use housekey_http::{Routes, actions};
/// # fn web(route: &mut Routes) {
/// route.resource("books").actions(actions!(books_controller, only [index, show]));
/// // What answers in JSON has no pages with forms.
/// route.resource("api/books").actions(actions!(books_controller, except [create, edit]));
/// # }
/// # web(&mut Routes::new());
/// ```
#[macro_export]
macro_rules! actions {
    ($($controller:ident)::+) => {
        $crate::actions!(@only [$($controller)::+] index create store show edit update destroy)
    };
    ($($controller:ident)::+, only [$($action:ident),* $(,)?]) => {
        $crate::actions!(@only [$($controller)::+] $($action)*)
    };
    ($($controller:ident)::+, except [$($action:ident),* $(,)?]) => {
        |resource: &mut $crate::routing::Resource<_>| {
            // A word that is no action would leave out nothing.
            $(let _ = $crate::routing::resource_actions::$action;)*
            $crate::actions!(@unless resource [$($controller)::+] index [$($action)*]);
            $crate::actions!(@unless resource [$($controller)::+] create [$($action)*]);
            $crate::actions!(@unless resource [$($controller)::+] store [$($action)*]);
            $crate::actions!(@unless resource [$($controller)::+] show [$($action)*]);
            $crate::actions!(@unless resource [$($controller)::+] edit [$($action)*]);
            $crate::actions!(@unless resource [$($controller)::+] update [$($action)*]);
            $crate::actions!(@unless resource [$($controller)::+] destroy [$($action)*]);
        }
    };
    (@only $controller:tt $($action:ident)*) => {
        |resource: &mut $crate::routing::Resource<_>| {
            $($crate::actions!(@add resource $controller $action);)*
        }
    };
    (@add $resource:ident [$($controller:tt)+] $action:ident) => {
        let _ = $resource.$action($($controller)+::$action);
    };
    (@unless $resource:ident $controller:tt index [index $($rest:ident)*]) => {};
    (@unless $resource:ident $controller:tt create [create $($rest:ident)*]) => {};
    (@unless $resource:ident $controller:tt store [store $($rest:ident)*]) => {};
    (@unless $resource:ident $controller:tt show [show $($rest:ident)*]) => {};
    (@unless $resource:ident $controller:tt edit [edit $($rest:ident)*]) => {};
    (@unless $resource:ident $controller:tt update [update $($rest:ident)*]) => {};
    (@unless $resource:ident $controller:tt destroy [destroy $($rest:ident)*]) => {};
    (@unless $resource:ident $controller:tt $action:ident [$other:ident $($rest:ident)*]) => {
        $crate::actions!(@unless $resource $controller $action [$($rest)*]);
    };
    (@unless $resource:ident $controller:tt $action:ident []) => {
        $crate::actions!(@add $resource $controller $action);
    };
}

/// The words that [`actions!`](crate::actions) knows.
#[doc(hidden)]
pub mod resource_actions {
    #![allow(non_upper_case_globals, reason = "these are words of a macro")]

    pub const index: () = ();
    pub const create: () = ();
    pub const store: () = ();
    pub const show: () = ();
    pub const edit: () = ();
    pub const update: () = ();
    pub const destroy: () = ();
}

/// The usual word for one of them: `stories` → `story`, `boxes` → `box`, `books` → `book`.
#[doc(hidden)]
pub fn singular(plural: &str) -> String {
    let ends = |endings: &[&str]| endings.iter().any(|ending| plural.ends_with(ending));
    match plural.strip_suffix("ies") {
        Some(stem) if !ends(&["movies", "cookies", "series"]) => format!("{stem}y"),
        _ if ends(&["sses", "xes", "zzes", "ches", "shes"]) => plural[..plural.len() - 2].to_owned(),
        _ if ends(&["series"]) => plural.to_owned(),
        _ => plural.strip_suffix('s').unwrap_or(plural).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_many_is_named_in_the_singular() {
        for (many, one) in [
            ("books", "book"),
            ("stories", "story"),
            ("keys", "key"),
            ("boxes", "box"),
            ("matches", "match"),
            ("addresses", "address"),
            ("houses", "house"),
            ("movies", "movie"),
            ("series", "series"),
            ("library-cards", "library-card"),
            ("sheep", "sheep"),
        ] {
            assert_eq!(singular(many), one);
        }
    }
}
