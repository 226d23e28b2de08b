// Every page in every state it can be in: no barrier, no error, nothing wider than a phone, nothing that moves unasked.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { startApp } from './support/app.js'
import { addAuthenticator } from './support/authenticator.js'
import { freshAddress, startBrowser, visit } from './support/browser.js'
import { inspector, movements } from './support/inspect.js'
import { mailLink } from './support/mailbox.js'
import { confirmAddress, confirmPassword, recoveryCodes, shownKey, signIn, signOut, signUp, useRecoveryCode } from './support/member.js'
import { authenticatorApp } from './support/totp.js'

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

/** @param {string} url */
async function inspectorOf(url) {
  const visitor = await inspector(browser, url)
  return {
    ...visitor,
    /** @param {string} path */
    async open(path) {
      await visitor.page.goto(path)
      await visitor.look(path)
    },
  }
}

// spec: RTE-2, RTE-6
test('guests meet no barrier and no error on any page, whatever it has to say', { timeout: 600_000 }, async () => {
  const { context, page, look, open, end } = await inspectorOf(app.url)
  for (const path of ['/', '/sign-in', '/sign-up', '/forgot-password']) await open(path)

  await page.goto('/sign-in')
  await signIn(page, { email: 'nobody@example.com', password: 'not the password' })
  await page.getByRole('alert').waitFor()
  await look('sign-in, refused')

  await page.goto('/sign-up')
  await page.locator('form[action="/sign-up"]').evaluate((/** @type {HTMLFormElement} */ form) => (form.noValidate = true))
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForSelector('[aria-invalid=true]')
  await look('sign-up, refused')

  const owner = await visit(browser, app.url)
  const ada = await signUp(owner.page)
  await owner.context.close()
  await page.goto('/forgot-password')
  await page.getByLabel('E-mail').fill(ada.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('If there is an account with this address').waitFor()
  await look('forgot-password, sent')
  await page.goto(await mailLink(context, ada.email, '/reset-password'))
  await look('reset-password')
  await page.getByLabel('New password').fill('a wholly different horse')
  await page.getByLabel('The same once more').fill('another one')
  await page.getByRole('button', { name: 'Save the password' }).click()
  await page.waitForSelector('[aria-invalid=true]')
  await look('reset-password, refused')
  await open('/reset-password?token=made-up')
  await open('/verify-email/confirm?token=made-up')
  await open('/change-email/confirm?token=made-up')
  await end()
})

// spec: RTE-3, RTE-7, RTE-8, RTE-9
test('members meet no barrier and no error on any page, whatever it has to say', { timeout: 600_000 }, async () => {
  const { context, page, look, open, end } = await inspectorOf(app.url)
  // A name and an address as long as they get: they fit on a phone nowhere by chance.
  const ada = await signUp(page, { name: 'Maximiliane Wilhelmine Donaudampfschifffahrtsgesellschaft', email: `${'ada'.repeat(18)}.${Date.now() % 1000}@example-of-a-long-domain.com` })
  await look('dashboard, nothing done yet')
  await open('/verify-email')
  await page.getByRole('button', { name: 'Send it again' }).click()
  await page.getByRole('status').or(page.locator('[data-countdown]')).first().waitFor()
  await look('verify-email, sent again')
  await open('/settings/profile')
  await page.goto(await mailLink(context, ada.email, '/verify-email/confirm'))
  await look('verify-email/confirm')
  await confirmAddress(page, ada.email)
  await look('dashboard, one step done')
  await page.locator('header summary:visible').last().click()
  await look('dashboard, menu open')
  await page.setViewportSize({ width: 360, height: 800 })
  await page.locator('header summary:visible').last().click()
  await look('dashboard, menu open in a hand')
  for (const path of ['/', '/verify-email', '/confirm-password', '/settings/password', '/settings/two-factor', '/settings/passkeys', '/settings/sessions', '/settings/appearance', '/settings/account']) await open(path)

  await page.goto('/settings/profile')
  await page.getByLabel('New address').fill(ada.email.replace('@', '.new@'))
  await page.getByRole('button', { name: 'Change the address' }).click()
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor()
  await look('423, the answer to what needs a fresh password')
  await confirmPassword(page, 'not my password')
  await page.waitForSelector('[aria-invalid=true]')
  await look('423, refused')
  await confirmPassword(page, ada.password)
  await page.getByRole('button', { name: 'Cancel the change' }).waitFor()
  await look('profile, a change is waiting')
  await page.goto(await mailLink(context, ada.email, '/change-email/confirm'))
  await look('change-email/confirm')
  await page.getByRole('button', { name: 'Yes, it was me' }).click()
  await page.getByText('One step is left').waitFor()
  await look('change-email/confirm, done')

  await page.goto('/settings/password')
  await page.getByLabel('Current password').fill('not my password')
  await page.getByLabel('New password').fill('an even longer horse, of course')
  await page.getByLabel('The new one once more').fill('something else')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.waitForSelector('[aria-invalid=true]')
  await look('password, refused')

  await page.goto('/settings/two-factor')
  await page.getByRole('button', { name: 'Set it up' }).click()
  await page.getByRole('img', { name: 'QR code with your key' }).waitFor()
  await look('two-factor, pending')
  const phone = authenticatorApp(await shownKey(page))
  await page.getByLabel('Six-digit code').fill('000000')
  await page.waitForSelector('#code-error')
  await look('two-factor, pending, wrong code')
  await page.getByLabel('Six-digit code').fill(phone.code())
  await page.getByText('Two-factor sign-in is on.').waitFor()
  await look('two-factor, on, with fresh codes')
  const codes = await recoveryCodes(page)
  await open('/settings/two-factor')
  await page.getByRole('button', { name: 'Turn it off' }).click()
  await look('two-factor, dialog')

  const device = await addAuthenticator(page)
  await page.goto('/settings/passkeys/add')
  await confirmPassword(page, ada.password)
  await page.waitForURL('**/settings/passkeys')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: /^Remove/ }).waitFor()
  await page.locator('summary:has-text("Rename")').click()
  await look('passkeys, one, being renamed')
  await open('/dashboard')

  const other = await visit(browser, app.url, { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1' })
  await other.page.goto('/sign-in')
  await signIn(other.page, ada)
  await other.page.waitForURL('**/two-factor-challenge')
  await other.page.getByLabel('Six-digit code').fill(phone.code())
  await other.page.waitForURL('**/dashboard')
  await other.context.close()
  await open('/settings/sessions')
  await page.getByRole('button', { name: /^End the session of/ }).first().click()
  await look('sessions, dialog')
  await page.locator('dialog[open]').getByRole('button', { name: 'Cancel' }).click()

  // Or it would sign in by itself from the e-mail field.
  await device.remove()
  await signOut(page)
  await look('welcome, signed out')
  await challenge(ada, codes, look, page, context)
  await end()
})

/**
 * The second step of signing in, and the page after nearly all recovery codes are used up.
 *
 * @param {{ email: string, password: string }} person
 * @param {string[]} codes
 * @param {(state: string) => Promise<void>} look
 * @param {import('playwright-core').Page} page
 * @param {import('playwright-core').BrowserContext} context
 */
async function challenge(person, codes, look, page, context) {
  const begin = async () => {
    await context.setExtraHTTPHeaders(freshAddress())
    await page.goto('/sign-in')
    await signIn(page, person)
    await page.waitForURL('**/two-factor-challenge')
  }
  await begin()
  await look('two-factor-challenge')
  await page.getByLabel('Six-digit code').fill('000000')
  await page.waitForSelector('#code-error')
  await look('two-factor-challenge, wrong code')
  await page.getByText('Use a recovery code').click()
  await look('two-factor-challenge, recovery code')
  await useRecoveryCode(page, 'AAAAA-AAAAA')
  await page.waitForSelector('#recovery-code-error')
  await look('two-factor-challenge, wrong recovery code')
  await useRecoveryCode(page, codes[0] ?? '')
  await page.waitForURL('**/dashboard')
  for (const code of codes.slice(1, 7)) {
    await signOut(page)
    await begin()
    await useRecoveryCode(page, code)
    await page.waitForURL('**/dashboard')
  }
  await page.goto('/settings/two-factor')
  await page.getByText('Only 3 recovery codes are left.').waitFor()
  await look('two-factor, few codes left')
}

test('pages that say no meet the same standard', { timeout: 300_000 }, async () => {
  const { context, page, look, open, end } = await inspectorOf(app.url)
  await open('/nowhere')

  await page.goto('/sign-up')
  await context.clearCookies()
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'This page was open too long.' }).waitFor()
  await look('419')

  for (const [path, button] of [['/sign-in', 'Sign in'], ['/sign-up', 'Create account']]) {
    await page.goto(path ?? '')
    for (let attempt = 0; attempt < 20 && (await page.locator('[data-countdown]').count()) === 0; attempt += 1) {
      await page.locator(`form[action="${path}"]`).evaluate((/** @type {HTMLFormElement} */ form) => (form.noValidate = true))
      await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: button ?? '', exact: true }).click()])
    }
    assert.equal(await page.locator('[data-countdown]').count(), 1, `${path} never says that it is enough`)
    await look(`429 of ${path}`)
  }
  await end([404, 419, 422, 429])
})

test('an app that is broken says so in its own look, and not why', async () => {
  const broken = await startApp({ migrate: false })
  try {
    const { page, look, end } = await inspectorOf(broken.url)
    await page.goto('/sign-in')
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await signIn(page, { email: 'ada@example.com', password: 'correct horse battery staple' })
    assert.equal((await answered).status(), 500)
    await page.getByRole('heading', { name: 'The lights went out.' }).waitFor()
    assert.doesNotMatch((await page.locator('body').textContent()) ?? '', /sql|table|database|panick|\.rs/i)
    await look('500')
    await end([500])
  } finally {
    await broken.stop()
  }
})

test('who did not ask for rest sees things move, or this file would notice nothing', async () => {
  const { context, page } = await visit(browser, app.url, { reducedMotion: 'no-preference' })
  await page.goto('/sign-in')
  assert.notDeepEqual(await movements(page), [])
  await context.close()
})
