// Somebody signs in a command line: with a code that they read off it, with a link that it shows, and not at all because it was
// somebody else's. With a mouse and without one.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { startApp } from './support/app.js'
import { freshAddress, TIMEOUT_MS, startBrowser, visit, withoutRefusals } from './support/browser.js'
import { inspector } from './support/inspect.js'
import { press, write } from './support/keyboard.js'
import { confirmPassword, signIn, signUp } from './support/member.js'
import { places } from './support/places.js'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** @type {import('playwright-core').Browser} */
let browser
/** @type {Awaited<ReturnType<typeof startApp>>} */
let app

before(async () => {
  app = await startApp()
  browser = await startBrowser()
})

after(async () => {
  await browser?.close()
  await app?.stop()
})

/**
 * A command line at another address, which asks for its codes.
 *
 * @param {string} [name] what it calls itself
 */
async function commandLine(name = 'shop-cli') {
  const headers = { ...freshAddress(), 'user-agent': 'curl/8.5.0' }
  const send = (/** @type {string} */ path, /** @type {Record<string, string>} */ fields) =>
    fetch(`${app.url}/api/auth/device${path}`, { method: 'POST', headers, body: new URLSearchParams({ client_id: name, ...fields }) })
  const answer = await send('/code', { scope: 'orders:read profile' })
  assert.equal(answer.status, 200)
  const codes = /** @type {any} */ (await answer.json())
  return {
    /** @type {string} */
    code: codes.user_code,
    /** @type {string} */
    link: codes.verification_uri_complete,
    address: headers['x-forwarded-for'],
    /** Asks until there is an answer; it is told to wait between two questions. */
    async outcome() {
      const end = Date.now() + TIMEOUT_MS
      for (;;) {
        const answer = await send('/token', { grant_type: GRANT, device_code: codes.device_code })
        const body = /** @type {any} */ (await answer.json())
        if (!['authorization_pending', 'slow_down'].includes(body.error)) return body
        assert.ok(Date.now() < end, `still ${body.error}`)
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
    },
  }
}

/**
 * Enters a code on the page that is open.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} code
 */
async function enter(page, code) {
  await page.getByLabel('Code on your device').fill(code)
  await page.getByRole('button', { name: 'Go on' }).click()
}

const question = (/** @type {import('playwright-core').Page} */ page) => page.getByRole('heading', { name: 'Let this device in?' }).waitFor()

// spec: KEY-1, SEC-1
test('a guest opens the link of a command line, signs in, sees who asks, and lets it in', { timeout: 300_000 }, async () => {
  const earlier = await visit(browser, app.url)
  const ada = await signUp(earlier.page)
  await earlier.context.close()
  const { context, page, problems } = await visit(browser, app.url)
  const cli = await commandLine()

  await page.goto(cli.link)
  await page.waitForURL(`**${places.signIn}`)
  await signIn(page, ada)
  await page.waitForURL((url) => url.pathname === '/device')
  const field = page.getByLabel('Code on your device')
  await field.waitFor()
  assert.equal(await field.inputValue(), cli.code)
  assert.equal(await page.getByText('shop-cli').count(), 0)
  await page.getByRole('button', { name: 'Go on' }).click()

  await question(page)
  await page.getByText('Only go on if you started this yourself, and the code is the one on your device.').waitFor()
  const shown = await page.locator('main').innerText()
  for (const fact of [`${cli.code.slice(0, 4)}-${cli.code.slice(4)}`, 'shop-cli', 'orders:read', 'profile', cli.address, 'curl', 'just now', ada.email]) {
    assert.ok(shown.includes(fact), `${fact} is not in:\n${shown}`)
  }
  await page.getByRole('button', { name: 'Let it in' }).click()
  await confirmPassword(page, ada.password)
  await page.getByRole('heading', { name: 'The device is let in' }).waitFor()
  const token = await cli.outcome()
  assert.equal(token.token_type, 'Bearer', JSON.stringify(token))
  assert.equal(token.scope, 'orders:read profile')

  // It stands among the sessions, and in what happened.
  await page.getByRole('link', { name: 'See where you are signed in' }).click()
  await page.getByText('A device was let in').first().waitFor()
  await page.getByText('A device was signed in').first().waitFor()
  assert.deepEqual(withoutRefusals(problems), [])
  await context.close()
})

// spec: KEY-1
test('a wrong code stays where it was typed, a right one is turned away, and then it is spent', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visit(browser, app.url)
  await signUp(page)
  const cli = await commandLine()
  await page.goto('/device')
  await enter(page, 'aaaa-bbbb')
  await page.getByText('There is no such code.').first().waitFor()
  assert.equal(await page.getByLabel('Code on your device').inputValue(), 'aaaa-bbbb')

  const small = cli.code.toLowerCase()
  await enter(page, ` ${small.slice(0, 4)} ${small.slice(4)} `)
  await question(page)
  // A second look is the same look.
  await page.reload()
  await question(page)
  await page.getByRole('button', { name: 'Turn it away' }).click()
  await page.getByRole('heading', { name: 'The device is turned away' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'The device is turned away' }).waitFor()
  assert.equal((await cli.outcome()).error, 'access_denied')

  const other = await commandLine()
  const stranger = await visit(browser, app.url)
  await signUp(stranger.page)
  await stranger.page.goto('/device')
  await enter(stranger.page, other.code)
  await question(stranger.page)
  await page.goto('/device')
  await enter(page, other.code)
  await page.getByText('Somebody else entered this code first.').first().waitFor()
  assert.equal(await page.getByText('shop-cli').count(), 0)

  // Two windows of one person: what the second decided, the first can no longer.
  const window = await stranger.context.newPage()
  await window.goto('/device/confirm')
  await window.getByRole('button', { name: 'Turn it away' }).click()
  await window.getByRole('heading', { name: 'The device is turned away' }).waitFor()
  await stranger.page.getByRole('button', { name: 'Turn it away' }).click()
  await stranger.page.getByText('This code was used already.').first().waitFor()
  assert.deepEqual(withoutRefusals(problems), [])
  assert.deepEqual(withoutRefusals(stranger.problems), [])
  await context.close()
  await stranger.context.close()
})

// spec: KIT-3
test('all of it is done with the keyboard alone', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visit(browser, app.url)
  await signUp(page)
  const cli = await commandLine()
  await page.goto('/device')
  await page.locator('[name=user_code]:focus').waitFor()
  await write(page, 'Code on your device', cli.code)
  await page.keyboard.press('Enter')
  await question(page)
  await press(page, 'Turn it away')
  await page.getByRole('heading', { name: 'The device is turned away' }).waitFor()
  assert.deepEqual(withoutRefusals(problems), [])
  await context.close()
})

// spec: KIT-3
test('every state is sound by day and by night, on a desk and in a hand', { timeout: 300_000 }, async () => {
  const { page, look, end } = await inspector(browser, app.url)
  const ada = await signUp(page)
  const cli = await commandLine('A very long name of somebody who wants to push the warning off the page, and more of it')
  await page.goto('/device')
  await page.getByLabel('Code on your device').waitFor()
  await look('the form')
  await enter(page, 'nope')
  await page.getByText('There is no such code.').first().waitFor()
  await look('a wrong code')
  await enter(page, cli.code)
  await question(page)
  await page.getByRole('button', { name: 'Let it in' }).waitFor()
  await look('the question')
  await page.getByRole('button', { name: 'Let it in' }).click()
  await confirmPassword(page, ada.password)
  await page.getByRole('heading', { name: 'The device is let in' }).waitFor()
  await look('let in')
  const other = await commandLine()
  await page.goto('/device')
  await enter(page, other.code)
  await page.getByRole('button', { name: 'Turn it away' }).click()
  await page.getByRole('heading', { name: 'The device is turned away' }).waitFor()
  await look('turned away')
  await page.goto('/device')
  await enter(page, other.code)
  await page.getByText('This code was used already.').first().waitFor()
  await look('a spent code')
  await end()
})
