use housekey::{AssetsConfig, default};

/// The front end: what the bundler is given, and where it leaves its work.
pub fn assets() -> AssetsConfig {
    AssetsConfig {
        // The folder with vite.config.ts, seen from the app.
        project_directory: ".".into(),

        // Below public/, and the first part of the address. The same as `buildDirectory` in vite.config.ts.
        build_directory: "build".into(),

        // What the views ask for. A production start without a build of them says so.
        entries: vec!["resources/css/app.css".into(), "resources/js/app.ts".into()],

        // A file below public/ such as "sw.js", which may control the whole site and is never stale.
        service_worker: None,

        // A missing script is a 404, whatever routes there are.
        guard_build_directory: true,

        ..default()
    }
}
