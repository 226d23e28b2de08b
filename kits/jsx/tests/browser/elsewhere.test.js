// Signing in with an account elsewhere: here the one for development, which needs no key. It is the whole way of Google's.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { startApp } from './support/app.js'
import { loseCookies, startBrowser, visit, withoutRefusals } from './support/browser.js'
import { inspect } from './support/inspect.js'
import { press } from './support/keyboard.js'
import { confirmPassword, signUp } from './support/member.js'

const PROVIDER = 'Development account'
const PASSWORD = 'a long horse of my own'

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

/**
 * A visitor at this machine: nobody else sees the pages of the development account.
 *
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
function visitHere(options = {}) {
  return visit(browser, app.url, { extraHTTPHeaders: {}, ...options })
}

/** @param {string} name */
const address = (name) => `${name}.${Date.now()}.${Math.floor(Math.random() * 1e6)}@example.com`

/**
 * Answers the page of the provider that is open.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} email
 */
async function agree(page, email) {
  await page.waitForURL('**/dev/openid/authorize?**')
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/**
 * Presses the provider's button on the page to sign in, and answers.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} email
 */
async function signInElsewhere(page, email) {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: `Continue with ${PROVIDER}` }).click()
  await agree(page, email)
}

// spec: SOC-6, SOC-10
for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with script' : 'without script'
  test(`an account is made elsewhere, gets a password and lets go of the provider, ${how}`, { timeout: 300_000 }, async () => {
    const { context, page, problems } = await visitHere({ javaScriptEnabled })
    const email = address('grace')
    await page.goto('/settings/account')
    await page.waitForURL('**/sign-in')
    await page.getByRole('button', { name: `Continue with ${PROVIDER}` }).click()
    await agree(page, email)
    // Where they wanted to go at first.
    await page.waitForURL('**/settings/account')
    await page.getByText('Your only way in').waitFor()
    assert.equal(await page.getByRole('button', { name: `Disconnect ${PROVIDER}` }).count(), 0)

    await page.getByRole('link', { name: 'Set a password' }).click()
    await page.waitForURL('**/settings/password')
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByLabel('The new one once more').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('You can sign in with your password now.').waitFor()

    await page.goto('/settings/account')
    await page.getByRole('button', { name: `Disconnect ${PROVIDER}` }).click()
    if (javaScriptEnabled) await page.locator('dialog[open]').getByRole('button', { name: 'Disconnect' }).click()
    await confirmPassword(page, PASSWORD)
    await page.getByText(`You can no longer sign in with ${PROVIDER}.`).waitFor()
    await page.getByRole('button', { name: `Connect ${PROVIDER}` }).click()
    await agree(page, email)
    await page.getByText(`${PROVIDER} is connected.`).waitFor()
    assert.deepEqual(withoutRefusals(problems), [])
    await context.close()
  })
}

// spec: SOC-5
test('who comes with an address that has an account is told what to do, and does it', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visitHere()
  const ada = await signUp(page, { email: address('ada') })
  await loseCookies(page)
  await signInElsewhere(page, ada.email)
  await page.waitForURL('**/sign-in?**')
  const reason = (await page.getByRole('alert').textContent()) ?? ''
  assert.match(reason, /Sign in with your password.*connect Development account/)

  await page.getByLabel('E-mail').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/dashboard')
  await page.goto('/settings/account')
  await page.getByRole('button', { name: `Connect ${PROVIDER}` }).click()
  await confirmPassword(page, ada.password)
  await agree(page, ada.email)
  await page.getByText(`${PROVIDER} is connected.`).waitFor()

  await loseCookies(page)
  await signInElsewhere(page, ada.email)
  await page.waitForURL('**/dashboard')
  assert.deepEqual(withoutRefusals(problems), [])
  await context.close()
})

test('who says no at the provider is back at the door, and nothing has happened', { timeout: 120_000 }, async () => {
  const { context, page } = await visitHere()
  await page.goto('/sign-up')
  await page.getByRole('button', { name: `Continue with ${PROVIDER}` }).click()
  await page.waitForURL('**/dev/openid/authorize?**')
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.waitForURL('**/sign-in?**')
  assert.match((await page.getByRole('alert').textContent()) ?? '', /without saying yes/)
  await page.goto('/dashboard')
  await page.waitForURL('**/sign-in')
  await context.close()
})

test('the keyboard alone signs in elsewhere', { timeout: 120_000 }, async () => {
  const { context, page } = await visitHere()
  await page.goto('/sign-in')
  await press(page, `Continue with ${PROVIDER}`)
  await page.waitForURL('**/dev/openid/authorize?**')
  await page.getByLabel('E-mail').fill(address('keys'))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
  await context.close()
})

test('pages about accounts elsewhere meet the standard of all others', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visitHere()
  /** @type {string[]} */
  const complaints = []
  /** @param {string} state */
  const look = async (state) => void complaints.push(...(await inspect(page, state)))
  await page.goto('/sign-in')
  await look('sign-in, with a provider')
  await page.goto('/sign-up')
  await look('sign-up, with a provider')
  await page.goto('/sign-in?provider=development&error=account_not_linked')
  await look('sign-in, refused by a provider')
  await signInElsewhere(page, address('looks'))
  await page.waitForURL('**/dashboard')
  await page.goto('/settings/account')
  await look('account, one way in')
  await page.goto('/settings/account?provider=development&error=email_does_not_match')
  await look('account, not connected')
  await page.goto('/settings/password')
  await look('password, none yet')
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByLabel('The new one once more').fill('something else')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.waitForSelector('[aria-invalid=true]')
  await look('password, none yet, refused')
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByLabel('The new one once more').fill(PASSWORD)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('You can sign in with your password now.').waitFor()
  await page.goto('/settings/account?connected=development')
  await look('account, connected')
  await page.getByRole('button', { name: `Disconnect ${PROVIDER}` }).click()
  await look('account, dialog')
  await context.clearCookies({ name: /session/ })
  await page.goto('/sign-in')
  await page.getByText('Last used').waitFor()
  await look('sign-in, the last used marked')
  assert.deepEqual(complaints, [])
  assert.deepEqual(withoutRefusals(problems), [])
  await context.close()
})
