use housekey_database::Model;
use housekey_http::bound_parameter;
use housekey_http::guard::GuardSpec;
use housekey_http::routing::ResourceBuilder;

use crate::guards::can;

/// Lets the policy of a model stand in front of a resource.
pub trait ResourcePolicy: Sized {
    /// Asks the policy of `M` before each action, and before anything of a form is read: who may not is answered 403, not with
    /// what is wrong in the form.
    ///
    /// | action | ability |
    /// |---|---|
    /// | `index` | none: which rows are listed is the query's matter |
    /// | `create`, `store` | `create` |
    /// | `show` | `view` |
    /// | `edit`, `update` | `update` |
    /// | `destroy` | `delete` |
    ///
    /// ```
    /// # use housekey_database::{FromRow, Model};
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "books")]
    /// # struct Book { id: i64 }
    /// # mod books_controller { pub async fn show() {} pub async fn update() {} }
    /// use housekey_auth::gate::ResourcePolicy;
    /// use housekey_http::{Routes, actions};
    ///
    /// fn web(route: &mut Routes) {
    ///     route.resource("books").policy::<Book>().actions(actions!(books_controller, only [show, update]));
    /// }
    /// # web(&mut Routes::new());
    /// ```
    ///
    /// An ability that the policy does not have is found at boot.
    #[must_use]
    fn policy<M: Model>(self) -> Self;
}

impl<K> ResourcePolicy for ResourceBuilder<'_, K> {
    fn policy<M: Model>(self) -> Self {
        self.middleware_by_action(guards_of::<M>)
    }
}

fn guards_of<M: Model>(action: &str) -> Vec<GuardSpec> {
    match action {
        "create" | "store" => vec![GuardSpec::Named(format!("can:create,{}", bound_parameter::<M>()))],
        "show" => vec![can::<M>("view")],
        "edit" | "update" => vec![can::<M>("update")],
        "destroy" => vec![can::<M>("delete")],
        _ => Vec::new(),
    }
}
