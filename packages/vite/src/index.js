// The plugin: wires the parts of this folder into Vite's hooks.
//
// Nothing here imports `vite` at run time. An app made from a checkout links this folder (`file:`), and Node resolves
// imports from the real path of a link, where the app's own Vite cannot be found.

import { appOrigins } from './origins.js'
import { endWithHousekeyDev } from './dev-pipe.js'
import { HotFile } from './hot-file.js'
import { ignoresAppOutput, reloadOnChange } from './refresh.js'
import { resolveOptions } from './options.js'
import { serverOrigin } from './server-origin.js'
import { collectTags, pointAtDevServer } from './tags.js'

/**
 * @param {import('./index.d.ts').HousekeyOptions} given
 * @returns {import('vite').Plugin}
 */
export function housekey(given) {
  /** @type {import('./options.js').Options} */
  let options
  /** @type {import('vite').ResolvedConfig} */
  let config

  return {
    name: 'housekey',
    enforce: 'post',

    config(user, { command }) {
      options = resolveOptions(given, user.root)
      return {
        base: user.base ?? (command === 'build' ? `/${options.buildDirectory}/` : '/'),
        // The server publishes public/ itself; copying it into the build would serve every file twice.
        publicDir: user.publicDir ?? false,
        // An app made from a checkout links @housekey/client, and from its real path another copy of the framework would
        // be found, or none. Two copies do not see each other's state.
        resolve: { dedupe: ['react', 'react-dom', 'svelte', 'vue'] },
        build: {
          manifest: user.build?.manifest ?? true,
          outDir: user.build?.outDir ?? options.outDir,
          // For a project in frontend/ the build lies outside the root, where Vite empties only when told so.
          emptyOutDir: user.build?.emptyOutDir ?? true,
          // An inlined file is a data: URL, which the app's content security policy does not allow for fonts and scripts.
          assetsInlineLimit: user.build?.assetsInlineLimit ?? 0,
          rolldownOptions: { input: user.build?.rolldownOptions?.input ?? options.input },
        },
        server: {
          cors: user.server?.cors ?? { origin: appOrigins(options.app, options.origins) },
          watch: { ignored: ignoresAppOutput(options) },
        },
      }
    },

    configResolved(resolved) {
      config = resolved
    },

    configureServer(server) {
      if (!server.httpServer) {
        server.config.logger.warn('housekey: Vite runs in middleware mode, so the app is not told about it.')
        return
      }
      endWithHousekeyDev()
      const hot = new HotFile(options.hotFile)
      server.httpServer.once('listening', async () => {
        const origin = serverOrigin(server)
        // Files named in CSS and scripts must come from here, not from the app the page came from.
        server.config.server.origin ??= origin
        const tags = await collectTags(config, { server })
        hot.write({ origin, pid: process.pid, client: `${config.base}@vite/client`, tags: pointAtDevServer(tags, origin) })
      })
      // Vite's own address has no page of the app, and whoever is shown it opens it.
      server.printUrls = () => {
        const [page] = appOrigins(options.app, [])
        server.config.logger.info(`  ➜  Open ${page}. The bundler serves its styles and scripts.`, { clear: false })
      }
      server.httpServer.once('close', () => hot.remove())
      reloadOnChange(server, options)
    },

    generateBundle: {
      order: 'post',
      async handler(_output, bundle) {
        // Only the browser build has tags; a server bundle made with the same config has none.
        if (this.environment && this.environment.name !== 'client') return
        const tags = await collectTags(config, { bundle })
        this.emitFile({ type: 'asset', fileName: '.vite/tags.json', source: `${JSON.stringify(tags, null, 2)}\n` })
      },
    },
  }
}
