use crate::Model;

/// A field of a model that holds rows of another: [`BelongsTo`](crate::BelongsTo), [`HasOne`](crate::HasOne),
/// [`HasMany`](crate::HasMany), [`ManyToMany`](crate::ManyToMany).
pub trait RelationField: Clone + Default + Send + 'static {
    /// Whose rows it holds.
    type Model: Model;

    /// A field with these rows; `None` when it cannot be without one.
    #[doc(hidden)]
    fn holding(rows: Vec<Self::Model>) -> Option<Self>;

    #[doc(hidden)]
    fn put(&mut self, loaded: Self) {
        *self = loaded;
    }
}

/// A field whose rows can be counted without being read.
#[diagnostic::on_unimplemented(
    message = "the rows of `{Self}` are not counted",
    note = "counts are for `HasMany` and `ManyToMany`"
)]
pub trait CountedField: RelationField {
    #[doc(hidden)]
    fn put_count(&mut self, count: u64);
}

/// What somebody is told who looks at what was not loaded.
#[cold]
#[track_caller]
pub(super) fn not_loaded(kind: &str, model: &str) -> ! {
    let model = model.rsplit("::").next().unwrap_or(model);
    panic!(
        "a {kind}<{model}> was looked at that was never loaded: ask for it with `.with(…)` on the query, or `.load(…)` on the \
         rows; `.loaded()` looks whether it is there"
    )
}
