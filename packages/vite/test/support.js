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
  return { server, hot, note: await noteIn(hot) }
}

/**
 * The note to the app, once it is written to its end: a file is there before anything is in it.
 *
 * @param {string} hot
 */
export async function noteIn(hot) {
  /** @type {any} */
  let note
  await until('the note to the app', () => {
    try {
      note = readJson(hot)
    } catch {
      return false
    }
    return true
  })
  return note
}

/** @param {string} file */
export function readJson(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'))
}

/**
 * Looks again and again. The limit ends what would never happen; a busy machine stays far below it.
 *
 * @param {string} what
 * @param {() => boolean} happened
 */
export async function until(what, happened) {
  const end = Date.now() + 120_000
  while (!happened()) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
