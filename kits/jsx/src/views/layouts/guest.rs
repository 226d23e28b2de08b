use housekey::prelude::*;

use super::Base;
use crate::views::components::{Brand, Door, StatusNotice, ThemeSwitch};

/// The room for one short form, beside the picture of the front door: signing in and all that belongs to it. The title is
/// what the browser's tab says, the heading what the page says.
#[component]
pub fn guest<'a, R: Renderable>(
    title: &'a str,
    heading: &'a str,
    text: &'a str,
    children: &R,
) -> impl Renderable {
    rsx! {
        <Base title=title private=false>
            <div class="grid min-h-svh lg:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]">
                <div class="relative hidden bg-linear-to-b from-sky to-sky-low lg:block">
                    <div class="sticky top-0 h-svh overflow-hidden"><Door/></div>
                </div>
                <div class="flex min-w-0 flex-col px-5 sm:px-10">
                    <header class="flex items-center justify-between gap-4 py-5 sm:py-6">
                        <Brand href=(&path_to("home"))/>
                        <ThemeSwitch/>
                    </header>
                    <main id="main" tabindex="-1" class="mx-auto flex w-full max-w-[26rem] grow flex-col pt-6 pb-16 sm:justify-center">
                        <h1 class="font-display text-[2.125rem] leading-[1.1] font-bold tracking-[-0.02em] sm:text-4xl">(heading)</h1>
                        @if !text.is_empty() { <p class="mt-3 text-balance text-muted">(text)</p> }
                        <div class="mt-7 grid grid-cols-1 gap-5">
                            <StatusNotice/>
                            (children)
                        </div>
                    </main>
                </div>
            </div>
        </Base>
    }
}
