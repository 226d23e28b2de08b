//! What a kit whose pages are drawn in the browser has beside the others.

use std::fs;

use super::App;
use crate::count::Count;
use crate::suite::Failure;
use crate::workspace::{Workspace, program};
use crate::{http, process, ui};

/// Whatever an address leads to is a page and stands where pages are counted, not among the components.
// spec: KIT-4
pub(super) fn pages_are_counted(app: &App) -> Result<(), Failure> {
    for router in app.files("frontend/src/router", ".ts")? {
        let path = app.path("frontend/src/router").join(&router);
        let text =
            fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        if let Some(stray) = uncounted_page(&text) {
            return Err(format!("{router} leads to {stray}, which is not among the pages").into());
        }
    }
    Ok(())
}

/// The first component of a router that is neither a page nor a layout around pages.
fn uncounted_page(router: &str) -> Option<&str> {
    let components = router.split('\'').filter(|text| text.ends_with(".vue"));
    let is_counted = |path: &str| path.starts_with("@/pages/") || path.starts_with("@/layouts/");
    components.into_iter().find(|path| !is_counted(path))
}

/// What a browser loads before an entry runs.
pub(super) fn weigh(workspace: &Workspace, app: &App, most: &[(&str, u64)]) -> Result<Count, Failure> {
    let mut command = program("node");
    command.arg(workspace.path("xtask/src/kits/first_load.mjs")).arg(app.path("public/build"));
    let said = process::read(&mut command)?;
    let weight =
        |entry: &str| said.lines().find_map(|line| line.strip_prefix(entry)?.trim().parse::<u64>().ok());
    let mut count = Count::default();
    for (entry, most) in most {
        let bytes = weight(entry).ok_or_else(|| format!("the build has no entry {entry}:\n{said}"))?;
        ui::note(format_args!("{entry}: {bytes} bytes of script, gzip"));
        if bytes > *most {
            return Err(format!("{entry} loads {bytes} bytes of script, {most} are allowed").into());
        }
        count += Count::ONE;
    }
    if said.lines().count() != most.len() {
        return Err(format!("the build has other entries than the kit names:\n{said}").into());
    }
    Ok(count)
}

/// `housekey dev` starts the bundler in its own folder, and ends where the demo account signs in.
// spec: SVC-4, SHL-7, SHL-9, KIT-4
pub(super) fn dev(app: &App) -> Result<Count, Failure> {
    let mut server = app.dev()?;
    let health = server.wait_for("/health", |answer| answer.status != 503)?;
    if health.status != 200 {
        return Err(format!("the app does not start. housekey dev said:\n{}", server.program.output()).into());
    }
    server.wait_for("/auth/sign-in", |answer| is_from_dev_server(&answer.body, "src/auth.ts"))?;
    ui::note("the document of guests points at the bundler's dev server");

    let ask = |path: &str, cookies: &str| {
        http::get_with(server.port, path, cookies).map_err(|error| error.to_string())
    };
    let guest = ask("/settings/profile", "")?;
    if guest.status != 302 || guest.header("location") != Some("/auth/sign-in") || !guest.body.is_empty() {
        return Err(format!("a guest got {} and {} bytes", guest.status, guest.body.len()).into());
    }
    let session = ask("/api/session", "")?;
    let token = between(&session.body, "\"csrf\":\"", "\"").ok_or("/api/session has no token")?;
    let form = format!("_token={token}&email=demo%40example.com&password=correct+horse+battery+staple");
    let signed_in = http::post_form(server.port, "/sign-in", &session.cookies.join("; "), &form)
        .map_err(|error| error.to_string())?;
    if signed_in.status != 303 || signed_in.header("location") != Some("/dashboard") {
        return Err(format!("the demo account is answered {}: {}", signed_in.status, signed_in.body).into());
    }
    let member = ask("/settings/profile", &signed_in.cookies.join("; "))?;
    if member.status != 200 || !is_from_dev_server(&member.body, "src/main.ts") {
        return Err(format!("a member got {}: {}", member.status, member.body).into());
    }
    ui::note("the demo account is signed in, and a deep link opens");
    if !server.program.stop() {
        return Err("housekey dev did not stop when asked".into());
    }
    Ok(Count { passed: 5, failed: 0 })
}

/// Whether a document loads an entry from the bundler's dev server.
fn is_from_dev_server(html: &str, entry: &str) -> bool {
    html.contains("/@vite/client") && html.contains(&format!("/{entry}\"")) && html.contains("data-spa-root")
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    text.split_once(start)?.1.split_once(end).map(|(found, _)| found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_among_the_components_is_noticed() {
        let good = "import A from '@/pages/A.vue'\n{ component: () => import('@/layouts/B.vue') }";
        assert_eq!(uncounted_page(good), None);
        let bad = format!("{good}\nimport C from '@/components/C.vue'");
        assert_eq!(uncounted_page(&bad), Some("@/components/C.vue"));
    }
}
