use housekey::prelude::*;

use crate::views::components::{
    Actions, Button, ButtonLink, Card, ErrorSummary, Field, Form, StatusNotice, Tone,
};
use crate::views::layouts::{App, Member, Section};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct Create {
    /// Who is signed in.
    pub member: Member,
}

/// `GET /organizations/create`
pub fn create(props: &Create) -> impl Renderable {
    let title = t("New organization");
    let trail = [(t("Organizations"), path_to("organizations"))];
    rsx! {
        <App title=(&title) member=(&props.member) section=(Section::Organization) trail=(&trail)>
            <div class="grid max-w-2xl grid-cols-1 gap-6">
                <h1 class="font-display text-3xl font-bold tracking-[-0.02em]">(&title)</h1>
                <StatusNotice/>
                <ErrorSummary fields=(&["name", "slug"])/>
                <Card
                    title=(&t("What is it called?"))
                    text=(&t("A company, a club, a family: those who share what is made here. You will be its owner, and can invite the others next."))
                >
                    <Form action=(&path_to("organizations.store")) method="POST">
                        <Field
                            name="name"
                            label=(&t("Name"))
                            autocomplete="organization"
                            maxlength=(Some(120))
                            required=true
                            autofocus=true
                            ..
                        />
                        <Field
                            name="slug"
                            label=(&t("Short name (optional)"))
                            hint=(&t("Small letters, digits and dashes. Without one we make it from the name."))
                            autocomplete="off"
                            maxlength=(Some(48))
                            ..
                        />
                        <Actions>
                            <Button label=(&t("Create organization")) ../>
                            <ButtonLink href=(&path_to("organizations")) label=(&t("Cancel")) tone=(Tone::Quiet) ../>
                        </Actions>
                    </Form>
                </Card>
            </div>
        </App>
    }
}
