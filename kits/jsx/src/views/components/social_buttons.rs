use housekey::auth::SocialProvider;
use housekey::prelude::*;
use housekey::view::Buffer;

use super::button::{Button, Tone};
use super::form::Form;

/// A button for each provider that is configured: `<SocialButtons providers=(&props.providers) ../>`. Without one, nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct SocialButtons<'a> {
    pub providers: &'a [SocialProvider],
    /// The one this browser used last.
    pub last_used: Option<&'a str>,
    /// Whether an account may be made by it.
    pub sign_up: bool,
    /// The page to go on with, for who is signed in already.
    pub return_to: Option<&'a str>,
}

impl Renderable for SocialButtons<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        rsx_borrow! {
            @if !self.providers.is_empty() {
                <ul class="grid grid-cols-1 gap-3">
                    @for provider in self.providers {
                        <li>
                            <Form action=(&path_to_with("social.start", &[("provider", &provider.id)])) method="POST">
                                @if self.sign_up { <input type="hidden" name="sign_up" value="1"> }
                                @if let Some(page) = self.return_to { <input type="hidden" name="return_to" value=(page)> }
                                <Button
                                    label=(&t!("Continue with :name", name = provider.name))
                                    tone=(Tone::Quiet)
                                    mark=(Some(&provider.id))
                                    note=((self.last_used == Some(&*provider.id)).then(|| t("Last used")).as_deref())
                                    wide=true
                                    ..
                                />
                            </Form>
                        </li>
                    }
                </ul>
            }
        }
        .render_to(buffer);
    }
}
