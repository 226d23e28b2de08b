// The app under test, as its users get it: the real program, on a free port, with a database of its own.

import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TIMEOUT_MS } from './browser.js'

/**
 * Starts the app, or takes the one that runs at `BROWSER_TEST_URL`, which must have been started with this address as
 * its `APP_URL` and with `TRUSTED_PROXIES=127.0.0.1`. With `seed: true` the tables begin with what the seeders bring.
 * Without tables (`migrate: false`) whatever needs them fails: a way to see what an app says when it is broken.
 *
 * @param {{ migrate?: boolean, seed?: boolean }} [options]
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startApp({ migrate = true, seed = false } = {}) {
  const running = process.env['BROWSER_TEST_URL']
  if (running && migrate) return { url: running.replace(/\/$/, ''), stop: async () => {} }

  const folder = await mkdtemp(join(tmpdir(), 'browser-test-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const env = {
    ...process.env,
    // Not `testing`: there mails are caught before anybody can read them.
    APP_ENV: 'development',
    APP_DEBUG: 'false',
    APP_URL: url,
    HOST: '127.0.0.1',
    PORT: String(port),
    DB_CONNECTION: 'sqlite',
    DB_FILE: join(folder, 'browser.sqlite'),
    SESSION_DRIVER: 'memory',
    CACHE_STORE: 'memory',
    LOG_LEVEL: 'error',
    // Visitors say where they come from (see `visit`), so that they do not share one visitor's limits.
    TRUSTED_PROXIES: '127.0.0.1',
  }
  if (migrate) await run(seed ? ['migrate', '--seed'] : ['migrate'], env)
  // What a broken app complains about is wanted, and would only look like a failed test.
  const output = migrate ? 'inherit' : 'ignore'
  const server = spawn('cargo', ['run', '--quiet', '--', 'serve'], { env, stdio: ['ignore', output, output] })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  // Whatever becomes of the tests, nothing stays behind.
  process.once('exit', () => server.kill('SIGKILL'))
  await answering(url, ended)
  return {
    url,
    stop: async () => {
      server.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * @param {string[]} command
 * @param {NodeJS.ProcessEnv} env
 */
async function run(command, env) {
  const child = spawn('cargo', ['run', '--quiet', '--', ...command], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`\`cargo run -- ${command.join(' ')}\` ended with ${code}: see above.`)
}

/**
 * @param {string} url
 * @param {Promise<unknown>} ended
 */
async function answering(url, ended) {
  let over = false
  void ended.then(() => (over = true))
  const end = Date.now() + 2 * TIMEOUT_MS
  for (;;) {
    const answer = await fetch(`${url}/health`).catch(() => undefined)
    if (answer?.ok) return
    if (over) throw new Error('The app ended before it answered: see above.')
    if (Date.now() > end) throw new Error(`The app does not answer at ${url}.`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/**
 * A port that nobody uses. Not one that the system chose: it would give the same one to somebody else before the app
 * has it. Each process of the tests begins to look in another place.
 *
 * @returns {Promise<number>}
 */
async function freePort() {
  for (let step = 0; step < 6_000; step += 1) {
    const port = 26_000 + ((process.pid + step) % 6_000)
    if (await isFree(port)) return port
  }
  throw new Error('No port between 26000 and 32000 is free.')
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
