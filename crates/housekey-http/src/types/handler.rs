use axum::handler::Handler;

use super::Describe;

/// A handler whose signature tells a client all it needs: an `async fn` of up to eight [inputs](super::Input) with an
/// [answer](super::Answer).
///
/// Implemented by every handler of that kind; in an app without the cargo feature `types`, by every handler.
pub trait TypedHandler<T>: Handler<T, ()> {
    /// Tells what the signature says.
    #[doc(hidden)]
    const DESCRIBE: Option<Describe>;
}

#[cfg(not(feature = "types"))]
impl<H: Handler<T, ()>, T> TypedHandler<T> for H {
    const DESCRIBE: Option<Describe> = None;
}

#[cfg(feature = "types")]
mod typed {
    use axum::handler::Handler;

    use super::super::{Answer, Describe, Input, RouteTypes};
    use super::TypedHandler;

    impl<H, T> TypedHandler<T> for H
    where
        H: Handler<T, ()> + Signature<T>,
        H::Inputs: Inputs,
        H::Output: Answer,
    {
        const DESCRIBE: Option<Describe> = Some(|route: &mut RouteTypes| {
            H::Inputs::describe(route);
            H::Output::describe(route);
        });
    }

    /// The types in a function's signature, whatever they are. That they are described is asked in a second step: so
    /// the compiler names the one that is not, instead of the whole function.
    pub(super) trait Signature<T> {
        type Inputs;
        type Output;
    }

    /// A tuple of inputs.
    pub(super) trait Inputs {
        fn describe(route: &mut RouteTypes);
    }

    // How axum tells a function without arguments from the others.
    impl<F, Fut> Signature<((),)> for F
    where
        F: FnOnce() -> Fut,
        Fut: Future,
    {
        type Inputs = ();
        type Output = Fut::Output;
    }

    impl Inputs for () {
        fn describe(_: &mut RouteTypes) {}
    }

    macro_rules! signatures {
        ($($($input:ident)+;)+) => {
            $(
                impl<F, Fut, M, $($input),+> Signature<(M, $($input,)+)> for F
                where
                    F: FnOnce($($input),+) -> Fut,
                    Fut: Future,
                {
                    type Inputs = ($($input,)+);
                    type Output = Fut::Output;
                }

                impl<$($input: Input),+> Inputs for ($($input,)+) {
                    fn describe(route: &mut RouteTypes) {
                        $($input::describe(route);)+
                    }
                }
            )+
        };
    }

    signatures! {
        A;
        A B;
        A B C;
        A B C D;
        A B C D E;
        A B C D E G;
        A B C D E G H;
        A B C D E G H I;
    }
}
