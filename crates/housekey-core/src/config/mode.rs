use std::cell::Cell;

/// What the JSON is for. [`Hook`](super::Hook) and [`Secret`](crate::Secret) look at it while they serialise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    /// To be read back: secrets as they are, a function is an error.
    #[default]
    Freeze,
    /// To be looked at: secrets and functions as placeholders.
    Show,
    /// To be looked at by someone who asked for the secrets.
    ShowSecrets,
}

thread_local! {
    static MODE: Cell<Mode> = const { Cell::new(Mode::Freeze) };
}

/// What this thread writes JSON for right now.
pub(crate) fn mode() -> Mode {
    MODE.get()
}

pub(super) fn during<T>(mode: Mode, work: impl FnOnce() -> T) -> T {
    let before = MODE.replace(mode);
    let done = work();
    MODE.set(before);
    done
}
