interface ImportMetaEnv {
  /** Whether the build has a service worker: `INSTALLABLE` in vite.config.ts. */
  readonly VITE_INSTALLABLE: boolean
}
