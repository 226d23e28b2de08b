use std::collections::{BTreeSet, HashSet, VecDeque};
use std::marker::PhantomData;

use housekey_core::Secret;

use crate::uploads::Upload;

/// What a field's type tells about the input. A type of an app's own tells nothing, nor does an `Option` of it: there the
/// rules say it (`integer`, `array`, `secret`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A box of a form, which says nothing of boxes that are not ticked.
    Bool,
    Number,
    /// An exact amount, which is text in JSON and measured as the number that it is.
    Decimal,
    /// A key that may be repeated. A form says nothing of a list without items.
    List,
    /// The same, where having said nothing makes a difference.
    OptionalList,
    Secret,
    File,
    Other,
}

impl Kind {
    /// Of a field that serde reads by a function: its type does not tell what is sent, except that it is secret.
    #[must_use]
    pub const fn read_by_hand(self) -> Self {
        match self {
            Self::Secret => self,
            _ => Self::Other,
        }
    }

    pub(crate) fn is_list(self) -> bool {
        matches!(self, Self::List | Self::OptionalList)
    }
}

/// The kind of a type, as `KindOf::<T>::KIND`. The compiler answers, so an alias of a type is the type.
///
/// The types below have this constant themselves, and the compiler prefers it to that of the trait, which all have.
#[derive(Debug)]
pub struct KindOf<T>(PhantomData<T>);

/// The kind of every type that has none of its own.
pub trait AnyKind {
    const KIND: Kind = Kind::Other;
}

impl<T> AnyKind for KindOf<T> {}

macro_rules! kinds {
    ($($kind:ident or $optional:ident: $($type:ty),+;)+) => { $($(
        impl KindOf<$type> {
            pub const KIND: Kind = Kind::$kind;
        }

        impl KindOf<Option<$type>> {
            pub const KIND: Kind = Kind::$optional;
        }
    )+)+ };
}

macro_rules! lists {
    ($(<$($parameter:ident),+> $type:ty;)+) => { $(
        impl<$($parameter),+> KindOf<$type> {
            pub const KIND: Kind = Kind::List;
        }

        impl<$($parameter),+> KindOf<Option<$type>> {
            pub const KIND: Kind = Kind::OptionalList;
        }
    )+ };
}

kinds! {
    Bool or Other: bool;
    Number or Number: i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64;
    Secret or Secret: Secret;
    File or File: Upload;
}

#[cfg(feature = "database")]
kinds! {
    Decimal or Decimal: housekey_database::Decimal;
}

lists! {
    <T> Vec<T>;
    <T> Box<[T]>;
    <T> VecDeque<T>;
    <T> BTreeSet<T>;
    <T, S> HashSet<T, S>;
}

impl<T, const N: usize> KindOf<[T; N]> {
    pub const KIND: Kind = Kind::List;
}

#[cfg(test)]
mod tests {
    use super::*;

    type Password = Secret;
    struct Wrapped(#[expect(dead_code, reason = "only its type is looked at")] i64);

    #[test]
    fn a_type_tells_what_is_sent() {
        assert_eq!(KindOf::<bool>::KIND, Kind::Bool);
        assert_eq!(KindOf::<Option<bool>>::KIND, Kind::Other, "not ticked and not asked differ");
        assert_eq!([KindOf::<u8>::KIND, KindOf::<Option<f64>>::KIND], [Kind::Number; 2]);
        assert_eq!([KindOf::<Vec<String>>::KIND, KindOf::<HashSet<Wrapped>>::KIND], [Kind::List; 2]);
        assert_eq!([KindOf::<[u8; 2]>::KIND, KindOf::<Box<[u8]>>::KIND], [Kind::List; 2]);
        assert_eq!(KindOf::<Option<Vec<u8>>>::KIND, Kind::OptionalList);
        assert_eq!([KindOf::<String>::KIND, KindOf::<Wrapped>::KIND], [Kind::Other; 2]);
    }

    #[test]
    fn a_secret_is_one_under_any_name() {
        assert_eq!([KindOf::<Password>::KIND, KindOf::<Option<Password>>::KIND], [Kind::Secret; 2]);
        assert_eq!(KindOf::<Password>::KIND.read_by_hand(), Kind::Secret);
        assert_eq!(KindOf::<Vec<u8>>::KIND.read_by_hand(), Kind::Other);
    }
}
