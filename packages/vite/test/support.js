import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { build, createServer } from 'vite'
import { housekey } from '../src/index.js'

/**
 * A throw-away app with the given files. Deleted when the test ends.
 *
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} files
 */
export function app(t, files) {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'housekey-vite-')))
  t.after(() => fs.rmSync(root, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), content)
  }
  return root
}

/**
 * @param {string} root
 * @param {import('../src/index.d.ts').HousekeyOptions} options
 * @param {import('vite').Plugin[]} [others]
 */
export function settings(root, options, others = []) {
  return /** @type {import('vite').InlineConfig} */ ({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [housekey(options), ...others],
  })
}

/**
 * @param {string} root
 * @param {import('../src/index.d.ts').HousekeyOptions} options
 * @param {import('vite').Plugin[]} [others]
 */
export async function buildApp(root, options, others) {
  await build(settings(root, options, others))
}

/**
 * A listening dev server on a free port, closed when the test ends, with its note to the app.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} root
 * @param {import('../src/index.d.ts').HousekeyOptions} options
 * @param {import('vite').Plugin[]} [others]
 */
export async function devServer(t, root, options, others) {
  const server = await createServer({ ...settings(root, options, others), server: { port: 0, host: '127.0.0.1' } })
  t.after(() => server.close())
  await server.listen()
  const hot = path.join(root, options.hotFile ?? 'public/hot')
  await until(() => fs.existsSync(hot))
  return { server, hot, note: readJson(hot) }
}

/** @param {string} file */
export function readJson(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'))
}

/** @param {() => boolean} condition */
export async function until(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10))
}
