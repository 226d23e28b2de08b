import path from 'node:path'

/**
 * @typedef {object} Options
 * @property {string[]} input
 * @property {boolean | string[]} refresh
 * @property {string} app absolute path of the app
 * @property {string} outDir absolute path of the build
 * @property {string} buildDirectory without slashes at its ends
 * @property {string} hotFile absolute path
 * @property {string} restartedFile absolute path; the app's runner touches it when a new process answers
 * @property {string[]} origins
 */

/**
 * Fills in the defaults and makes every path absolute.
 *
 * @param {import('./index.d.ts').HousekeyOptions} given
 * @param {string | undefined} root Vite's root
 * @returns {Options}
 */
export function resolveOptions(given, root) {
  const input = [given?.input ?? []].flat()
  if (input.length === 0) {
    throw new Error(
      "housekey: `input` is empty. Name the files your views ask for, e.g. housekey({ input: ['resources/js/app.ts'] }).",
    )
  }
  const app = path.resolve(root ?? process.cwd(), given.appDirectory ?? '.')
  const publicDirectory = path.resolve(app, given.publicDirectory ?? 'public')
  const buildDirectory = (given.buildDirectory ?? 'build').replace(/^\/+|\/+$/g, '')
  if (buildDirectory === '' || buildDirectory.split('/').includes('..')) {
    throw new Error('housekey: `buildDirectory` must be a folder inside the public folder, such as `build`: it is emptied on every build.')
  }
  return {
    input: input.map((entry) => path.resolve(root ?? process.cwd(), entry)),
    refresh: given.refresh ?? true,
    app,
    outDir: path.join(publicDirectory, buildDirectory),
    buildDirectory,
    hotFile: path.resolve(app, given.hotFile ?? path.join(given.publicDirectory ?? 'public', 'hot')),
    restartedFile: path.join(app, 'storage', 'framework', 'restarted'),
    origins: given.origins ?? [],
  }
}
