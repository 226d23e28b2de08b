// The app on a home screen: what its service worker keeps, what it shows without a network, and that it can be taken away
// again. The pages are built once with it and once without; a running app notices, so no other test may run meanwhile.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, before, test } from 'node:test'

import { startApp } from '../support/app.js'
import { findings } from '../support/axe.js'
import { startBrowser, visit } from '../support/browser.js'
import { confirmAddress, signUp } from '../support/member.js'
import { places } from '../support/places.js'

/** @type {import('playwright-core').Browser} */
let browser
/** @type {{ url: string, stop: () => Promise<void> }} */
let app

before(async () => {
  await build({ INSTALLABLE: 'true' })
  app = await startApp()
  browser = await startBrowser()
})

after(async () => {
  await browser?.close()
  await app?.stop()
  // As vite.config.ts has it.
  await build({})
})

/** @param {Record<string, string>} environment */
async function build(environment) {
  const child = spawn('npm', ['run', 'build'], { env: { ...process.env, ...environment }, stdio: ['ignore', 'ignore', 'inherit'] })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`\`npm run build\` ended with ${code}: see above.`)
}

/**
 * The addresses in each cache of the app.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<Record<string, string[]>>}
 */
function kept(page) {
  return page.evaluate(async () => {
    /** @type {Record<string, string[]>} */
    const caches_ = {}
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys()
      caches_[name] = requests.map(({ url }) => new URL(url).pathname)
    }
    return caches_
  })
}

/** @param {import('playwright-core').Page} page */
const controlled = (page) => page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')

// spec: CFG-17
test('the worker may control the whole site and is asked for again every time', async () => {
  const { context } = await visit(browser, app.url)
  const answer = await context.request.get('/build/sw.js')
  assert.equal(answer.status(), 200)
  assert.match(answer.headers()['content-type'] ?? '', /javascript/)
  assert.equal(answer.headers()['service-worker-allowed'], '/')
  assert.equal(answer.headers()['cache-control'], 'no-cache')
  await context.close()
})

test('every document leads to the manifest, and everything it names is there', async () => {
  const { context, page } = await visit(browser, app.url)
  await page.goto(places.signIn)
  const address = await page.locator('link[rel=manifest]').getAttribute('href')
  const manifest = await (await context.request.get(address ?? '')).json()
  assert.equal(manifest.display, 'standalone')
  for (const { src, type } of manifest.icons) {
    const icon = await context.request.get(src)
    assert.deepEqual([icon.status(), icon.headers()['content-type']], [200, type], src)
  }
  await context.close()
})

test('without a network there is a page that says so, and with it the one that was wanted', async () => {
  const { context, page, problems } = await visit(browser, app.url)
  const person = await signUp(page)
  await confirmAddress(page, person.email)
  await controlled(page)
  await page.goto('/settings/profile')
  await page.getByLabel('Name').waitFor()

  await context.setOffline(true)
  const answer = await page.goto('/settings/sessions')
  assert.equal(answer?.status(), 503)
  assert.ok(await page.getByRole('heading', { name: 'We cannot be reached.' }).isVisible())
  assert.deepEqual(await findings(page), [])
  assert.ok(!(await page.content()).includes(person.name), 'it says nothing about anybody')

  await context.setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor()
  assert.deepEqual(problems.filter((problem) => !/status of 503|ERR_INTERNET_DISCONNECTED/.test(problem)), [])
  await context.close()
})

test('what it keeps is the build and the page without a network: no document, nothing below /api', async () => {
  const { context, page } = await visit(browser, app.url)
  await signUp(page)
  await controlled(page)
  await page.goto('/settings/profile')
  await page.getByLabel('Name').waitFor()
  await page.evaluate(() => fetch('/api/settings/sessions').then((answer) => answer.json()))
  await page.waitForLoadState('networkidle')

  const caches = await kept(page)
  assert.equal(Object.keys(caches).length, 1)
  const [paths = []] = Object.values(caches)
  const others = paths.filter((path) => !/^\/build\/assets\/[^/]+-[\w-]{8}\.(js|css|woff2)$/.test(path))
  assert.deepEqual(others.sort(), ['/favicon.svg', '/offline.css', '/offline.html'])
  assert.ok(paths.length > others.length, 'files of the build are kept')
  await context.close()
})

test('a new worker drops what an older one kept, and leaves the rest alone', async () => {
  const { context, page } = await visit(browser, app.url)
  await page.goto('/health')
  await page.evaluate(() => Promise.all([caches.open('app-older'), caches.open('mine')]))
  await page.goto(places.signIn)
  await controlled(page)
  const names = Object.keys(await kept(page))
  assert.ok(!names.includes('app-older') && names.includes('mine'), names.join())
  await context.close()
})

test('turned off, it is taken away from browsers that have it', async () => {
  const { context, page, problems } = await visit(browser, app.url)
  await page.goto(places.signIn)
  await controlled(page)

  await build({})
  await page.reload()
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistrations()).length === 0 && (await caches.keys()).length === 0)
  assert.equal(await page.locator('link[rel=manifest]').count(), 0)
  assert.equal((await context.request.get('/build/sw.js')).status(), 404)
  assert.deepEqual(problems, [])
  await context.close()
})
