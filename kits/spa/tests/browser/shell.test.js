// Two documents, one for guests and one for members: who gets which, and what comes with it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { startApp } from './support/app.js'
import { startBrowser, visit } from './support/browser.js'
import { confirmAddress, signIn, signOut, signUp } from './support/member.js'
import { places } from './support/places.js'

/** @type {import('playwright-core').Browser} */
let browser
/** @type {{ url: string, stop: () => Promise<void> }} */
let app

before(async () => {
  app = await startApp()
  browser = await startBrowser()
})

after(async () => {
  await browser?.close()
  await app?.stop()
})

const deepLinks = [
  ['/dashboard', /^Hello, Ada/], ['/settings/profile', 'Profile'], ['/settings/password', 'Password'], ['/settings/two-factor', 'Two-factor'],
  ['/settings/passkeys', 'Passkeys'], ['/settings/sessions', 'Sessions'], ['/settings/account', 'Account'], ['/nowhere/at/all', 'Nobody lives at this address.'],
]

/**
 * The scripts that a page loads, by path.
 *
 * @param {import('playwright-core').Page} page
 */
function scripts(page) {
  /** @type {Set<string>} */
  const loaded = new Set()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) loaded.add(pathname)
  })
  return loaded
}

/** @param {import('playwright-core').Page} page */
const entry = async (page) => new URL((await page.locator('script[type=module][src]').first().getAttribute('src')) ?? '', app.url).pathname

// spec: SHL-2, SHL-9, SVC-6
test('a guest downloads no byte of what members see', async () => {
  const member = await visit(browser, app.url)
  const guest = await visit(browser, app.url)
  const guests = scripts(guest.page)
  for (const path of [places.signIn, places.signUp, '/auth/forgot-password', '/auth/nowhere', '/dashboard', '/settings/profile']) {
    await guest.page.goto(path)
    await guest.page.getByRole('heading', { level: 1 }).waitFor()
  }
  await guest.page.waitForLoadState('networkidle')
  const door = await entry(guest.page)

  const ada = await signUp(member.page)
  await confirmAddress(member.page, ada.email)
  const members = scripts(member.page)
  await member.page.goto('/settings/profile')
  await member.page.getByLabel('Name').waitFor()
  await member.page.waitForLoadState('networkidle')
  const inside = await entry(member.page)

  assert.notEqual(door, inside)
  assert.ok(guests.has(door) && members.has(inside))
  assert.ok(!guests.has(inside), `${inside} is for members`)
  assert.ok(!members.has(door), `${door} is for guests`)
  // The profile's own file too, and whatever else only members need.
  for (const script of members) assert.ok(!guests.has(script) || !/Profile|SettingsLayout|main/.test(script), script)
  await guest.context.close()
  await member.context.close()
})

// spec: SHL-9, RTE-3
test('a signed-out visitor is redirected before any byte of the app, wherever they go', async () => {
  const { context, page } = await visit(browser, app.url)
  for (const [path] of deepLinks) {
    const answer = await context.request.get(String(path), { maxRedirects: 0, headers: { accept: 'text/html' } })
    assert.equal(answer.status(), 302, String(path))
    assert.equal(answer.headers()['location'], places.signIn)
    assert.doesNotMatch(await answer.text(), /<script|data-spa-root|\/build\//)
  }
  await page.goto('/settings/sessions')
  assert.equal(new URL(page.url()).pathname, places.signIn)
  await context.close()
})

// spec: RTE-13, SHL-3
test('a hard reload on any deep link shows the same page', async () => {
  const { context, page, problems } = await visit(browser, app.url)
  const ada = await signUp(page)
  await confirmAddress(page, ada.email)
  for (const [path, heading] of deepLinks) {
    await page.goto(String(path))
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    assert.equal(new URL(page.url()).pathname, path)
  }
  assert.deepEqual(problems, [])
  await context.close()
})

test('the address that a guest wanted is where the sign-in leads', async () => {
  const { context, page } = await visit(browser, app.url)
  const ada = await signUp(page)
  await page.goto('/settings/profile')
  await signOut(page)
  await page.goto('/settings/sessions')
  await signIn(page, ada)
  await page.waitForURL('**/settings/sessions')
  await context.close()
})

// spec: SHL-2
test('who is signed in and goes to the door is led inside', async () => {
  const { context, page } = await visit(browser, app.url)
  await signUp(page)
  await page.goto(places.signIn)
  await page.waitForURL('**/dashboard')
  await context.close()
})

test('the back button after a sign-out leads to the door, and from there to where it wanted to go', async () => {
  const { context, page } = await visit(browser, app.url)
  const ada = await signUp(page)
  await page.goto('/settings/sessions')
  await signOut(page)
  await page.goBack()
  await page.waitForURL(`**${places.signIn}`)
  await signIn(page, ada)
  await page.waitForURL('**/settings/sessions')
  await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  await context.close()
})

test('moving between pages loads no document, and says where one is: title and focus', async () => {
  const { context, page } = await visit(browser, app.url)
  const ada = await signUp(page)
  await confirmAddress(page, ada.email)
  /** @type {string[]} */
  const documents = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(request.url())
  })
  for (const name of ['Settings', 'Two-factor', 'Sessions', 'Dashboard']) {
    await page.locator('nav:visible').getByRole('link', { name, exact: true }).first().click()
    const title = name === 'Settings' ? 'Profile' : name
    await page.waitForFunction((expected) => document.title.startsWith(expected), title)
    assert.ok(await page.locator('main').evaluate((main) => main === document.activeElement), `the focus is on ${name}`)
  }
  await page.goBack()
  await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  assert.deepEqual(documents, [])
  await context.close()
})

test('no page jumps while it loads', async () => {
  const { context, page } = await visit(browser, app.url)
  const guests = ['/', places.signIn, places.signUp, '/auth/forgot-password']
  for (const path of guests) assert.ok((await shift(page, path)) < 0.02, `${path} jumps`)
  const ada = await signUp(page)
  await confirmAddress(page, ada.email)
  for (const [path] of deepLinks) {
    const jumped = await shift(page, String(path))
    assert.ok(jumped < 0.02, `${path} jumps: ${jumped}`)
  }
  await context.close()
})

/**
 * How far things moved under the eyes of somebody who waited, as browsers count it (0.1 is what they call good).
 *
 * @param {import('playwright-core').Page} page
 * @param {string} path
 */
async function shift(page, path) {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += /** @type {PerformanceEntry & { value: number }} */ (entry).value
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 100)
      }),
  )
}

test('a chosen theme is there before anything is painted', async () => {
  const { context, page } = await visit(browser, app.url, { colorScheme: 'light' })
  await page.goto(places.signIn)
  await page.getByRole('button', { name: 'Dark' }).click()
  // Without the bundle only the inline script is left to set the theme.
  await page.route('**/*.js', (route) => route.abort())
  await page.goto(places.signUp)
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'dark')
  await context.close()
})
