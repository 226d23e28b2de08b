// The whole life of an account, in one browser, as its owner lives it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { startApp } from './support/app.js'
import { addAuthenticator } from './support/authenticator.js'
import { freshAddress, startBrowser, visit, withoutRefusals } from './support/browser.js'
import { mailLink } from './support/mailbox.js'
import { confirmPassword, recoveryCodes, shownKey, signIn, signOut, signUp, useRecoveryCode } from './support/member.js'
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

test('an account lives from its sign-up to its farewell', { timeout: 600_000 }, async (life) => {
  const { context, page, problems } = await visit(browser, app.url)
  const path = () => new URL(page.url()).pathname
  const status = () => page.getByRole('status').first().textContent()
  const ada = { name: 'Ada Lovelace', email: '', password: '' }
  /** @type {string[]} */
  let codes = []
  /** @type {ReturnType<typeof authenticatorApp>} */
  let phone
  /** @type {Awaited<ReturnType<typeof addAuthenticator>>} */
  let device

  await life.test('sign up: the dashboard opens, and its first step is to confirm the address', async () => {
    Object.assign(ada, await signUp(page))
    assert.equal(path(), '/dashboard')
    assert.ok(await page.getByText('0 of 3 done').isVisible())
    await page.getByRole('link', { name: 'Confirm your address' }).click()
    await page.waitForURL('**/verify-email')
    assert.ok(await page.getByText(ada.email).first().isVisible())
  })

  await life.test('what is for confirmed addresses only says so', async () => {
    await page.goto('/settings/account')
    await page.getByRole('link', { name: 'Download a copy' }).click()
    await page.waitForURL('**/verify-email')
  })

  await life.test('the link in the mail asks first; only the button spends it', async () => {
    const link = await mailLink(context, ada.email, '/verify-email/confirm')
    await page.goto(link)
    await page.goto('/dashboard')
    assert.ok(await page.getByText('0 of 3 done').isVisible(), 'opening the link changes nothing')

    await page.goto(link)
    await page.getByRole('button', { name: 'Yes, this is my address' }).click()
    await page.waitForURL('**/dashboard')
    assert.match((await status()) ?? '', /confirmed/)
    assert.ok(await page.getByRole('heading', { name: 'Hello, Ada.' }).isVisible())
    assert.ok(await page.getByText('1 of 3 done').isVisible())
  })

  await life.test('and a copy of what is kept can be taken along', async () => {
    await page.goto('/settings/account')
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download a copy' }).click()
    assert.equal((await saved).suggestedFilename(), 'account.json')
  })

  await life.test('the profile takes a new name', async () => {
    await page.goto('/settings/profile')
    await page.getByLabel('Name').fill('Ada King')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Ada King')
    assert.ok(await page.locator('header:visible').getByText('Ada King').first().isVisible())
  })

  await life.test('a new address counts after the old one agreed and the new one was proven', async () => {
    const old = ada.email
    const next = old.replace('@', '.king@')
    await page.getByLabel('New address').fill(next)
    await page.getByRole('button', { name: 'Change the address' }).click()
    await page.getByRole('heading', { name: 'Is it you?' }).waitFor()
    await confirmPassword(page, ada.password)
    await page.getByRole('button', { name: 'Cancel the change' }).waitFor()
    assert.ok(await page.getByText(next).first().isVisible())

    await page.goto(await mailLink(context, old, '/change-email/confirm'))
    await page.getByRole('button', { name: 'Yes, it was me' }).click()
    await page.getByText('One step is left').waitFor()
    await page.goto('/settings/profile')
    assert.ok(await page.locator('header:visible').getByText(old).first().isVisible(), 'not before the new one is proven')

    await page.goto(await mailLink(context, next, '/verify-email/confirm'))
    await page.getByRole('button', { name: 'Use this address' }).click()
    await page.getByText('Your account has its new address.').waitFor()
    await page.goto('/settings/profile')
    assert.ok(await page.locator('header:visible').getByText(next).first().isVisible())
    assert.equal(await page.getByRole('button', { name: 'Cancel the change' }).count(), 0)
    ada.email = next
  })

  await life.test('the password changes with the old one', async () => {
    const next = 'an even longer horse, of course'
    await page.goto('/settings/password')
    for (const [current, message] of [['not my password', /password/i], [ada.password, /changed/]]) {
      await page.getByLabel('Current password').fill(String(current))
      await page.getByLabel('New password').fill(next)
      await page.getByLabel('The new one once more').fill(next)
      await page.getByRole('button', { name: 'Change password' }).click()
      await page.locator(current === ada.password ? '[role=status]' : '[aria-invalid=true]').first().waitFor()
      assert.match((await page.locator('main').textContent()) ?? '', /** @type {RegExp} */ (message))
    }
    ada.password = next
  })

  await life.test('two-factor: the refused press is carried out after the password, and a real code turns it on', async () => {
    await page.goto('/settings/two-factor')
    await page.getByRole('button', { name: 'Set it up' }).click()
    await page.getByRole('heading', { name: 'Is it you?' }).waitFor()
    await confirmPassword(page, 'not my password')
    await page.locator('[aria-invalid=true]').waitFor()
    await confirmPassword(page, ada.password)
    await page.getByRole('img', { name: 'QR code with your key' }).waitFor()
    assert.equal(path(), '/settings/two-factor')

    phone = authenticatorApp(await shownKey(page))
    await page.getByLabel('Six-digit code').fill('000000')
    await page.locator('#code-error').waitFor()
    assert.equal(await page.getByLabel('Six-digit code').inputValue(), '')
    // The sixth digit sends the form: no button is pressed. Pasted with a space, as apps show it.
    await page.getByLabel('Six-digit code').fill(phone.code().replace(/^.../, '$& '))
    await page.getByText('Two-factor sign-in is on.').waitFor()
  })

  await life.test('ten recovery codes are shown once', async () => {
    codes = await recoveryCodes(page)
    assert.equal(new Set(codes).size, 10)
    await page.reload()
    assert.deepEqual(await recoveryCodes(page), [])
    const text = await page.content()
    for (const code of codes) assert.ok(!text.includes(code))
  })

  await life.test('after the sign-out nothing private is left, also not behind the back button', async () => {
    await signOut(page)
    assert.equal(path(), '/')
    await page.goBack()
    await page.waitForURL('**/sign-in')
  })

  await life.test('signing in takes a code; a wrong one says so', async () => {
    await signIn(page, ada)
    await page.waitForURL('**/two-factor-challenge')
    await page.getByLabel('Six-digit code').fill('000000')
    await page.locator('#code-error').waitFor()
    await page.getByLabel('Six-digit code').fill(phone.code())
    // Where the back button wanted to go.
    await page.waitForURL('**/settings/two-factor')
    await page.goto('/dashboard')
    assert.ok(await page.getByText('2 of 3 done').isVisible())
  })

  await life.test('a recovery code opens once, in any spelling', async () => {
    const [first = '', second = '', third = ''] = codes
    for (const typed of [first, second.toLowerCase(), third.toUpperCase().replace('-', '')]) {
      await context.setExtraHTTPHeaders(freshAddress())
      await signOut(page)
      await page.goto('/sign-in')
      await signIn(page, ada)
      await useRecoveryCode(page, first === typed ? 'AAAAA-AAAAA' : first)
      await page.locator('#recovery-code-error').waitFor()
      assert.ok(await page.getByLabel('Recovery code').evaluate((field) => field === document.activeElement), 'the next one is typed at once')
      await useRecoveryCode(page, typed)
      await page.waitForURL('**/dashboard')
    }
    await page.goto('/settings/two-factor')
    assert.match((await page.locator('main').textContent()) ?? '', /7 /)
  })

  await life.test('a passkey is added and has a name', async () => {
    device = await addAuthenticator(page)
    await page.goto('/settings/passkeys')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('heading', { name: 'Is it you?' }).waitFor()
    await confirmPassword(page, ada.password)
    await page.getByText('You can add your passkey now.').waitFor()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('Chrome on Linux').or(page.getByRole('button', { name: /^Remove/ })).first().waitFor()
    assert.equal(await device.count(), 1)
    await page.goto('/dashboard')
    assert.ok(await page.getByText('3 of 3 done').isVisible())
  })

  await life.test('the passkey signs in by button', async () => {
    // Its owner looks away: the e-mail field waits, and makes room for the button.
    await device.answer(false)
    await signOut(page)
    await page.goto('/settings/sessions')
    assert.equal(path(), '/sign-in')
    await page.waitForLoadState('networkidle')
    await device.answer(true)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL('**/settings/sessions')
  })

  await life.test('the passkey signs in from the e-mail field', async () => {
    await signOut(page)
    await page.goto('/sign-in')
    await page.waitForURL('**/dashboard')
  })

  await life.test('another session ends from here, and is refused at once', async () => {
    const other = await visit(browser, app.url)
    await other.page.goto('/sign-in')
    await signIn(other.page, ada)
    await useRecoveryCode(other.page, codes[3] ?? '')
    await other.page.waitForURL('**/dashboard')

    await page.goto('/settings/sessions')
    assert.ok(await page.getByText('This device').isVisible())
    await page.getByRole('button', { name: /^End the session of/ }).first().click()
    await page.locator('dialog[open]').getByRole('button', { name: 'End' }).click()
    await page.getByRole('heading', { name: 'Is it you?' }).waitFor()
    await confirmPassword(page, ada.password)
    await page.getByText('The session is ended.').waitFor()
    assert.equal(path(), '/settings/sessions')

    await other.page.goto('/settings/profile')
    assert.equal(new URL(other.page.url()).pathname, '/sign-in')
    assert.deepEqual(withoutRefusals(other.problems), [])
    await other.context.close()
  })

  await life.test('a passkey is as good as the password where one is asked to confirm', async () => {
    await device.answer(false)
    await signOut(page)
    await page.goto('/sign-in')
    await page.waitForLoadState('networkidle')
    await device.answer(true)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL('**/dashboard')

    await page.goto('/settings/account')
    await page.getByLabel(/^Yes, delete/).check()
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('Your account is deleted. Farewell.').waitFor()
    assert.equal(path(), '/')
  })

  await life.test('nothing is left of it', async () => {
    await device.remove()
    await context.setExtraHTTPHeaders(freshAddress())
    await page.goto('/dashboard')
    assert.equal(path(), '/sign-in')
    await signIn(page, ada)
    await page.getByRole('alert').waitFor()
  })

  await life.test('no page had an error, and the content security policy had nothing to block', () => {
    assert.deepEqual(withoutRefusals(problems), [])
  })
  await context.close()
})
