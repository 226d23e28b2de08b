import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { app, devServer, noteIn, until } from './support.js'

const FILES = {
  'resources/js/app.ts': "import dot from './dot.svg'\nconsole.log(dot)\n",
  'resources/js/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  '.env': 'APP_URL=http://localhost:4000\n',
}
const INPUT = { input: 'resources/js/app.ts' }

test('the app is told where the dev server is for as long as it listens', async (t) => {
  const root = app(t, FILES)
  const { server, hot, note } = await devServer(t, root, INPUT)

  assert.match(note.origin, /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.equal(note.client, '/@vite/client')
  assert.equal(note.pid, process.pid)
  assert.deepEqual(note.tags, [])
  assert.equal((await fetch(note.origin + note.client)).status, 200)

  await server.close()
  assert.ok(!fs.existsSync(hot))
})

test("people are shown the app's address and not the dev server's, which has no page", async (t) => {
  const root = app(t, FILES)
  const { server, note } = await devServer(t, root, INPUT)
  /** @type {string[]} */
  const said = []
  server.config.logger.info = (line) => said.push(line)
  server.printUrls()
  assert.equal(said.length, 1)
  assert.ok(said[0]?.includes('http://localhost:4000') && !said[0].includes(note.origin), said[0])
})

test('a file imported by a script is addressed at the dev server', async (t) => {
  const root = app(t, FILES)
  const { note } = await devServer(t, root, INPUT)
  const script = await (await fetch(`${note.origin}/resources/js/dot.svg?import`)).text()
  assert.ok(script.includes(`${note.origin}/resources/js/dot.svg`), script)
})

test('only the pages of the app may load from the dev server', async (t) => {
  const root = app(t, FILES)
  const { note } = await devServer(t, root, { ...INPUT, origins: ['https://phone.example'] })
  /** @param {string} origin */
  const allowed = async (origin) => {
    const response = await fetch(`${note.origin}/resources/js/app.ts`, { headers: { origin } })
    return response.headers.get('access-control-allow-origin')
  }
  for (const origin of ['http://localhost:4000', 'http://127.0.0.1:4000', 'https://phone.example']) {
    assert.equal(await allowed(origin), origin)
  }
  for (const origin of ['http://localhost:4001', 'http://localhost:4000.evil.example', 'https://evil.example', 'null']) {
    assert.equal(await allowed(origin), null, origin)
  }
})

test('tags of other plugins are handed over, addressed at the dev server', async (t) => {
  const root = app(t, FILES)
  const { note } = await devServer(t, root, INPUT, [
    {
      name: 'refresh',
      transformIndexHtml: () => [
        { tag: 'script', attrs: { type: 'module' }, children: 'import r from "/@react-refresh"; r("/plain")' },
        { tag: 'script', attrs: { type: 'module', src: '/@id/overlay.js' }, injectTo: 'body' },
        { tag: 'link', attrs: { rel: 'preconnect', href: 'https://elsewhere.example' } },
      ],
    },
  ])
  assert.deepEqual(note.tags, [
    { tag: 'script', position: 'head-prepend', attrs: { type: 'module' }, children: `import r from "${note.origin}/@react-refresh"; r("/plain")` },
    { tag: 'script', position: 'body', attrs: { type: 'module', src: `${note.origin}/@id/overlay.js` } },
    { tag: 'link', position: 'head-prepend', attrs: { rel: 'preconnect', href: 'https://elsewhere.example' } },
  ])
})

test('the page reloads when the app has restarted or a named file changed, and not for a session file', async (t) => {
  const root = app(t, { ...FILES, 'storage/framework/restarted': '1', 'storage/sessions/a': '1', 'notes/deep/a.md': '1' })
  const { server } = await devServer(t, root, { ...INPUT, refresh: ['notes/**/*.md'] })
  /** @type {string[]} */
  const sent = []
  server.ws.send = /** @type {typeof server.ws.send} */ ((/** @type {{ type: string }} */ payload) => void sent.push(payload.type))
  await until('the files to be watched', () => {
    const watched = server.watcher.getWatched()
    return [['storage/framework', 'restarted'], ['notes/deep', 'a.md']].every(([folder, file]) => watched[path.join(root, folder ?? '')]?.includes(file ?? ''))
  })

  fs.writeFileSync(path.join(root, 'storage/sessions/a'), '2')
  fs.writeFileSync(path.join(root, 'storage/framework/restarted'), '2')
  await until('the first reload', () => sent.length === 1)
  fs.writeFileSync(path.join(root, 'notes/deep/a.md'), '2')
  await until('the second reload', () => sent.length === 2)
  assert.deepEqual(sent, ['full-reload', 'full-reload'])
  assert.ok(!Object.keys(server.watcher.getWatched()).some((folder) => folder.endsWith('sessions')))
})

test('the note of another dev server is left alone', async (t) => {
  const root = app(t, FILES)
  const { server, hot, note } = await devServer(t, root, INPUT)
  fs.writeFileSync(hot, JSON.stringify({ ...note, pid: 1 }))
  await server.close()
  assert.ok(fs.existsSync(hot))
})

for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) {
  test(`the note goes when the process is ended by ${signal}`, async (t) => {
    const { child, hot } = await commandLine(t)
    child.kill(signal)
    await once(child, 'exit')
    assert.ok(!fs.existsSync(hot))
  })
}

test('below housekey dev the process ends with its input, and the note goes', async (t) => {
  const { child, hot } = await commandLine(t, { HOUSEKEY_DEV_PIPE: '1' })
  child.stdin.end()
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
  assert.ok(!fs.existsSync(hot))
})

/**
 * Vite's own program on an app, as `npm run dev` starts it, once it has written its note.
 *
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} [variables]
 */
async function commandLine(t, variables) {
  const here = path.dirname(fileURLToPath(import.meta.url))
  const root = app(t, {
    ...FILES,
    'vite.config.mjs': `import { housekey } from ${JSON.stringify(path.join(here, '../src/index.js'))}
      export default { server: { port: 0 }, plugins: [housekey({ input: 'resources/js/app.ts' })] }`,
  })
  const child = spawn(process.execPath, [path.join(here, '../node_modules/vite/bin/vite.js'), '--port', '0'], {
    cwd: root,
    // In CI Vite does not look at its input by itself.
    env: { ...process.env, CI: 'true', ...variables },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const hot = path.join(root, 'public/hot')
  await noteIn(hot)
  return { child, hot }
}

test('a wrong APP_URL is named', async (t) => {
  const root = app(t, { ...FILES, '.env': 'APP_URL=my app\n' })
  await assert.rejects(devServer(t, root, INPUT), /`APP_URL` holds "my app", which is not a URL such as/)
})
