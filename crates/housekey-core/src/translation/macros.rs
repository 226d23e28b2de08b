/// A sentence with values in it, by name: whatever prints, or a variable of that name.
///
/// ```
/// use housekey_core::translation::t;
///
/// let name = "Ada";
/// assert_eq!(t!("Hello, :name!", name), "Hello, Ada!");
/// assert_eq!(t!(":done of :all done", done = 1, all = 2 + 1), "1 of 3 done");
/// ```
///
/// A sentence without values is said by the function: `t("Sign in")`.
#[doc(hidden)]
#[macro_export]
macro_rules! __t {
    ($sentence:expr, $($name:ident $(= $value:expr)?),+ $(,)?) => {
        $crate::translation::t_with($sentence, &[$($crate::__t_value!($name $(= $value)?)),+])
    };
}

/// A sentence about a number, with values in it by name.
///
/// ```
/// use housekey_core::translation::t_plural;
///
/// let said = t_plural!(":name has one key|:name has :count keys", 2, name = "Ada");
/// assert_eq!(said, "Ada has 2 keys");
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __t_plural {
    ($sentence:expr, $count:expr, $($name:ident $(= $value:expr)?),+ $(,)?) => {
        $crate::translation::t_plural_with($sentence, $count, &[$($crate::__t_value!($name $(= $value)?)),+])
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __t_value {
    ($name:ident) => {
        $crate::__t_value!($name = $name)
    };
    ($name:ident = $value:expr) => {
        (stringify!($name), ::std::string::ToString::to_string(&$value).as_str())
    };
}

#[doc(inline)]
pub use {__t as t, __t_plural as t_plural};
