use housekey::prelude::*;

use super::icon::Icon;

/// The time to wait after too many attempts, counted down by a script. Without one the sentence says how long, and no clock
/// stands still beside it.
#[component]
pub fn countdown<'a>(text: &'a str, seconds: u64) -> impl Renderable {
    let clock = format!("{}:{:02}", seconds / 60, seconds % 60);
    let spoken = i64::try_from(seconds).unwrap_or(i64::MAX);
    rsx! {
        <div data-countdown=(seconds) class="flex gap-2.5 rounded-control bg-warning-soft px-3.5 py-3 text-[0.9375rem] text-warning">
            <span class="mt-0.5 text-lg leading-none">(Icon::Clock)</span>
            <p role="alert" class="grow">
                (text)
                // Heard once; seen every second.
                <span class="sr-only unscripted:not-sr-only">" " (t_plural("Try again in one second.|Try again in :count seconds.", spoken))</span>
            </p>
            <p aria-hidden="true" data-clock class="font-mono font-semibold tabular-nums unscripted:hidden">(clock)</p>
        </div>
    }
}
