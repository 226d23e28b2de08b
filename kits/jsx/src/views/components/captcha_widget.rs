use housekey::prelude::*;

use super::icon::Icon;

/// What tells people from programs.
#[derive(Clone, Debug)]
pub struct Captcha {
    pub script: &'static str,
    /// By which the script finds its place.
    pub class: &'static str,
    pub site_key: String,
}

/// Where a captcha shows that somebody is no robot: `<CaptchaWidget captcha=(props.captcha.as_ref())/>`, within the form. Without one,
/// nothing, and no script of anybody else's.
#[component]
pub fn captcha_widget<'a>(captcha: Option<&'a Captcha>) -> impl Renderable {
    rsx! {
        @if let Some(captcha) = captcha {
            <div class="grid grid-cols-1 gap-1.5">
                // As high as the widget will be, so that the page does not jump.
                <div class={ (captcha.class) " min-h-[65px]" } data-sitekey=(&captcha.site_key) data-size=[size(captcha.class)]></div>
                <p class="text-sm text-muted scripted:hidden">(t("This form needs JavaScript, to tell people from programs."))</p>
                @if let Some(error) = errors().first("captcha") {
                    <p role="alert" class="flex gap-1.5 text-sm font-medium text-danger">
                        <span class="mt-0.5">(Icon::Alert)</span>
                        (error)
                    </p>
                }
                <script src=(captcha.script) async defer></script>
            </div>
        }
    }
}

/// As wide as the form, for the one that can be.
fn size(class: &str) -> Option<&'static str> {
    (class == "cf-turnstile").then_some("flexible")
}
