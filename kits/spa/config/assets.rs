use housekey::{AssetsConfig, default};

/// The front end: what the bundler is given, and where it leaves its work.
pub fn assets() -> AssetsConfig {
    AssetsConfig {
        // The folder with vite.config.ts, seen from the app.
        project_directory: "frontend".into(),

        // Below public/, and the first part of the address. The same as `buildDirectory` in vite.config.ts.
        build_directory: "build".into(),

        // The pages of members, the pages of guests, and what the server draws itself. A production start without a
        // build of them says so.
        entries: vec!["src/main.ts".into(), "src/auth.ts".into(), "src/server.ts".into()],

        // Served at /build/sw.js, allowed to control the whole site and never stale. It is there when frontend/vite.config.ts
        // says that the app is installable.
        service_worker: Some("build/sw.js".into()),

        // A missing script is a 404, never the document of the app.
        guard_build_directory: true,

        // Where `housekey types` writes what the routes take and answer, for TypeScript: seen from the folder above.
        types: Some("src/types".into()),

        ..default()
    }
}
