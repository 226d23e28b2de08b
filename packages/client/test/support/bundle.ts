import { build, type Plugin } from 'esbuild'
import { compile } from 'svelte/compiler'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './root.js'

/** The built files of this package under the name an app uses. */
const client: Plugin = {
  name: 'client',
  setup({ onResolve }) {
    const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      exports: Record<string, { default: string }>
    }
    onResolve({ filter: /^@housekey\/client/ }, ({ path: name }) => {
      const entry = exports[name.replace('@housekey/client', '.')]
      return entry ? { path: path.join(root, entry.default) } : { errors: [{ text: `${name} is not exported` }] }
    })
  },
}

const svelte: Plugin = {
  name: 'svelte',
  setup({ onLoad }) {
    onLoad({ filter: /\.svelte$/ }, ({ path: file }) => {
      const { js } = compile(readFileSync(file, 'utf8'), { filename: file, generate: 'client', css: 'injected' })
      return { contents: js.code, loader: 'js' }
    })
  },
}

/** One script out of an entry in `test/apps`, as a bundler of an app would make it. */
export async function bundle(entry: string): Promise<string> {
  const built = await build({
    entryPoints: [path.join(root, 'test/apps', entry)],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    conditions: ['browser', 'production'],
    define: { 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'false', __VUE_PROD_DEVTOOLS__: 'false', __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false' },
    plugins: [client, svelte],
    write: false,
    logLevel: 'silent',
  })
  return built.outputFiles[0]!.text
}
