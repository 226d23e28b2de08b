/** What `housekey()` takes. Only `input` is required. */
export interface HousekeyOptions {
  /** The files the views ask for with `assets([...])`, relative to the Vite root. */
  input: string | string[]
  /**
   * What reloads the page. `true` (the default) follows the restarts of the app: views are compiled, so the page is
   * reloaded when the new process answers, not when the file is saved. Paths or globs given here, relative to the app,
   * reload at once in addition. `false` never reloads.
   */
  refresh?: boolean | string[]
  /** The folder of the app (with `public/` and `storage/`), relative to the Vite root. Default `.`; `..` for a project in `frontend/`. */
  appDirectory?: string
  /** The folder the server publishes, relative to the app. Default `public`. */
  publicDirectory?: string
  /** Where the build goes inside the public folder, and its URL prefix. Default `build`. Same as `build_directory` in `config/assets.rs`. */
  buildDirectory?: string
  /** Tells the app that the dev server runs. Default `public/hot`. Same as `hot_file` in `config/assets.rs`. */
  hotFile?: string
  /** Origins allowed to load from the dev server, beside the one in `APP_URL`. */
  origins?: string[]
}

/** A tag that another plugin asked for, as handed to the server. */
export interface InjectedTag {
  tag: string
  attrs?: Record<string, string | boolean>
  children?: string | InjectedTag[]
  position: 'head-prepend' | 'head' | 'body-prepend' | 'body'
}

/**
 * A plugin as any Vite takes it. What else it has is not told: where this package lies in a folder of its own, its Vite is not
 * the app's, and TypeScript holds the plugins of two Vites for strangers.
 */
export interface HousekeyPlugin {
  name: string
}

/** Connects Vite with a Housekey app. */
export function housekey(options: HousekeyOptions): HousekeyPlugin
