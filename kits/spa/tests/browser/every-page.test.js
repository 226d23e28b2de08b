// Every page in every state it can be in: no barrier, no error, nothing wider than a phone, nothing that moves unasked.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { startApp } from './support/app.js'
import { addAuthenticator } from './support/authenticator.js'
import { startBrowser, visit } from './support/browser.js'
import { inspector, movements } from './support/inspect.js'
import { mailLink } from './support/mailbox.js'
import { confirmAddress, confirmPassword, shownKey, signIn, signOut, signUp, useRecoveryCode } from './support/member.js'
import { places } from './support/places.js'
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
      await visitor.page.getByRole('heading', { level: 1 }).waitFor()
      await visitor.page.waitForLoadState('networkidle')
      await visitor.look(path)
    },
  }
}

// spec: KIT-4, RTE-13
test('guests meet no barrier and no error on any page, whatever it has to say', { timeout: 600_000 }, async () => {
  const { context, page, look, open, end } = await inspectorOf(app.url)
  for (const path of ['/', places.signIn, places.signUp, '/auth/forgot-password', '/auth/nowhere']) await open(path)

  await page.goto(places.signIn)
  await signIn(page, { email: 'nobody@example.com', password: 'not the password' })
  await page.getByRole('alert').waitFor()
  await look('sign-in, refused')

  // In development there is always a provider: the app's own.
  await page.goto(`${places.signIn}?error=account_not_linked&error_description=made+up`)
  await page.getByRole('alert').waitFor()
  await look('sign-in, refused by a provider')

  await page.goto(places.signUp)
  await page.locator('form').first().evaluate((/** @type {HTMLFormElement} */ form) => (form.noValidate = true))
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('alert').waitFor()
  await look('sign-up, refused')

  const owner = await visit(browser, app.url)
  const ada = await signUp(owner.page)
  await owner.context.close()
  await page.goto('/auth/forgot-password')
  await page.getByLabel('E-mail').fill(ada.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('If there is an account with this address').waitFor()
  await look('forgot-password, sent')
  await page.goto(await mailLink(context, ada.email, places.resetPassword))
  await page.getByLabel('New password').fill('a wholly different horse')
  await look('reset-password')
  await page.getByLabel('The same once more').fill('another one')
  await page.getByRole('button', { name: 'Save the password' }).click()
  await page.locator('[aria-invalid=true]').first().waitFor()
  await look('reset-password, refused')
  await open(`${places.resetPassword}?token=made-up`)
  for (const path of [places.confirmAddress, places.changeAddress]) {
    await page.goto(`${path}?token=made-up`)
    await page.getByRole('heading', { name: 'This link is spent' }).waitFor()
    await look(`${path}, spent`)
  }
  await end([404, 422])
})

// spec: KIT-4, KIT-8, RTE-12
test('members meet no barrier and no error on any page, whatever it has to say', { timeout: 600_000 }, async () => {
  const { context, page, look, open, end } = await inspectorOf(app.url)
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  // A name and an address as long as they get: they fit on a phone nowhere by chance.
  const ada = await signUp(page, { name: 'Maximiliane Wilhelmine Donaudampfschifffahrtsgesellschaft', email: `${'ada'.repeat(18)}.${Date.now() % 1000}@example-of-a-long-domain.com` })
  await page.getByText('0 of 3 done').waitFor()
  await look('dashboard, nothing done yet')
  await open('/verify-email')
  const answered = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Send it again' }).click()
  await answered
  await look('verify-email, sent again')
  await open('/settings/profile')
  await page.goto(await mailLink(context, ada.email, places.confirmAddress))
  await page.getByRole('button', { name: 'Yes, this is my address' }).waitFor()
  await look('confirm the address')
  await confirmAddress(page, ada.email)
  await page.getByText('1 of 3 done').waitFor()
  await look('dashboard, one step done, with a message')
  await page.locator('header summary:visible').last().click()
  await look('dashboard, menu open')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 360, height: 800 })
  await page.locator('header summary:visible').last().click()
  await look('dashboard, menu open in a hand')
  for (const path of ['/', '/verify-email', '/settings/password', '/settings/two-factor', '/settings/passkeys', '/settings/sessions', '/settings/account', '/nowhere']) await open(path)

  await page.goto('/settings/profile')
  await page.getByLabel('New address').fill(ada.email.replace('@', '.new@'))
  await page.getByRole('button', { name: 'Change the address' }).click()
  await dialog.waitFor()
  await look('423, the dialog')
  await confirmPassword(page, 'not my password')
  await dialog.locator('[aria-invalid=true]').waitFor()
  await look('423, refused')
  await confirmPassword(page, ada.password)
  await page.getByRole('button', { name: 'Cancel the change' }).waitFor()
  await look('profile, a change is waiting')
  await page.goto(await mailLink(context, ada.email, places.changeAddress))
  await page.getByRole('button', { name: 'Yes, it was me' }).waitFor()
  await look('agree to a new address')
  await page.getByRole('button', { name: 'Yes, it was me' }).click()
  await page.getByText('One step is left').waitFor()
  await page.goto(await mailLink(context, ada.email.replace('@', '.new@'), places.confirmAddress))
  await page.getByRole('button', { name: 'Use this address' }).waitFor()
  await look('move to a new address')

  await page.goto('/settings/password')
  await page.getByLabel('Current password').fill('not my password')
  await page.getByLabel('New password').fill('an even longer horse, of course')
  await page.getByLabel('The new one once more').fill('something else')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.locator('[aria-invalid=true]').first().waitFor()
  await look('password, refused')

  await page.goto('/settings/two-factor')
  await page.getByRole('button', { name: 'Set it up' }).click()
  await page.getByRole('img', { name: 'QR code with your key' }).waitFor()
  await look('two-factor, pending')
  const phone = authenticatorApp(await shownKey(page))
  await page.getByLabel('Six-digit code').fill('000000')
  await page.locator('main [aria-invalid=true]').waitFor()
  await look('two-factor, pending, wrong code')
  await page.getByLabel('Six-digit code').fill(phone.code())
  await page.getByRole('heading', { name: 'Keep these recovery codes' }).waitFor()
  await look('two-factor, on, with fresh codes')
  await open('/settings/two-factor')
  await page.getByRole('button', { name: 'Turn it off' }).click()
  await page.getByRole('dialog').waitFor()
  await look('two-factor, dialog')

  const device = await addAuthenticator(page)
  await page.goto('/settings/passkeys')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.waitFor()
  await confirmPassword(page, ada.password)
  await page.getByRole('button', { name: /^Rename/ }).click()
  await look('passkeys, one, being renamed')
  await open('/dashboard')

  const other = await visit(browser, app.url, { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1' })
  await other.page.goto(places.signIn)
  await signIn(other.page, ada)
  await other.page.waitForURL(`**${places.challenge}`)
  await other.page.getByLabel('Six-digit code').fill(phone.code())
  await other.page.waitForURL('**/dashboard')
  await other.context.close()
  await open('/settings/sessions')
  await page.getByRole('button', { name: /^End the session of/ }).first().click()
  await page.getByRole('dialog').waitFor()
  await look('sessions, dialog')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

  // Or it would sign in by itself from the e-mail field.
  await device.remove()
  await signOut(page)
  await look('welcome, signed out')
  await page.goto(places.signIn)
  await signIn(page, ada)
  await page.waitForURL(`**${places.challenge}`)
  await page.getByLabel('Six-digit code').waitFor()
  await look('two-factor-challenge')
  await page.getByLabel('Six-digit code').fill('000000')
  await page.locator('[aria-invalid=true]').waitFor()
  await look('two-factor-challenge, wrong code')
  await page.getByText('Use a recovery code').click()
  await look('two-factor-challenge, recovery code')
  await useRecoveryCode(page, 'AAAAA-AAAAA')
  await page.locator('[autocomplete=off][aria-invalid=true]').waitFor()
  await look('recovery code, wrong')
  await end()
})

test('pages that say no meet the same standard', { timeout: 300_000 }, async () => {
  const { context, page, look, end } = await inspectorOf(app.url)
  await page.goto(places.signIn)
  const clock = page.getByText(/^\d:\d\d$/)
  for (let attempt = 0; attempt < 10 && (await clock.count()) === 0; attempt += 1) {
    const answer = page.waitForResponse((response) => response.request().method() === 'POST')
    await signIn(page, { email: 'nobody@example.com', password: `wrong ${attempt}` })
    await answer
    await page.getByRole('alert').first().waitFor()
  }
  await look('429')

  // The document is there, the server is not.
  const member = await inspectorOf(app.url)
  await signUp(member.page)
  await member.page.route('**/api/**', (route) => route.abort('connectionfailed'))
  await member.page.goto('/settings/profile')
  await member.page.getByRole('heading', { name: 'We cannot be reached.' }).waitFor()
  await member.look('unreachable')
  await member.page.unroute('**/api/**')
  await member.page.getByRole('button', { name: 'Try again' }).click()
  await member.page.getByLabel('Name').waitFor()
  await member.page.route('**/api/settings/**', (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502</h1>' }))
  await member.page.getByRole('link', { name: 'Sessions' }).click()
  await member.page.getByRole('alert').waitFor()
  await member.look('what the page wanted did not come')
  await member.page.unroute('**/api/settings/**')
  await member.page.getByRole('button', { name: 'Try again' }).click()
  await member.page.getByText('This device').waitFor()
  await member.context.close()
  await end()
  assert.ok(context)
})

test('who did not ask for rest sees things move, or this file would notice nothing', async () => {
  const { context, page } = await visit(browser, app.url, { reducedMotion: 'no-preference' })
  await page.goto(places.signIn)
  await page.getByLabel('E-mail').waitFor()
  assert.notDeepEqual(await movements(page), [])
  await context.close()
})
