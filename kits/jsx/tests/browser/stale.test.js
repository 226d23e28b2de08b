// A form whose page was open too long, or that was sent too often: what was typed into it is still there.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { startApp } from './support/app.js'
import { addAuthenticator } from './support/authenticator.js'
import { startBrowser, visit } from './support/browser.js'
import { confirmAddress, confirmPassword, signUp } from './support/member.js'

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

/** @typedef {Record<string, string | boolean>} Typed what is put into the fields with these labels */

/**
 * @param {import('playwright-core').Page} page
 * @param {Typed} typed
 */
async function fill(page, typed) {
  for (const [label, value] of Object.entries(typed)) {
    const field = page.getByLabel(label, { exact: true })
    if (typeof value === 'boolean') await field.setChecked(value)
    else await field.fill(value)
  }
}

/**
 * @param {import('playwright-core').Page} page
 * @param {Typed} typed
 */
async function expectStillThere(page, typed) {
  for (const [label, value] of Object.entries(typed)) {
    const field = page.getByLabel(label, { exact: true })
    const kept = typeof value === 'boolean' ? await field.isChecked() : await field.inputValue()
    const isSecret = (await field.getAttribute('type')) === 'password'
    assert.equal(kept, isSecret ? '' : value, `${label} on ${page.url()}`)
  }
}

/**
 * Sends a form whose token is no longer good, by somebody who is still signed in, and goes back to it.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} button
 */
async function sendTooLate(page, button) {
  const path = new URL(page.url()).pathname
  await page.context().clearCookies({ name: /^(?!better-auth)/ })
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('heading', { name: 'This page was open too long.' }).waitFor()
  await page.getByRole('link', { name: 'Back to the form' }).click()
  await page.waitForURL(`**${path}`)
}

// spec: MID-8
test('what guests typed into a form that was open too long is still there, passwords excepted', async () => {
  const { context, page } = await visit(browser, app.url)
  /** @type {[path: string, button: string, typed: Typed][]} */
  const forms = [
    ['/sign-in', 'Sign in', { 'E-mail': 'typed@example.com', Password: 'a secret', 'Keep me signed in': true }],
    ['/sign-up', 'Create account', { Name: 'Typed', 'E-mail': 'typed@example.com', Password: 'a secret of mine' }],
    ['/forgot-password', 'Send the link', { 'E-mail': 'typed@example.com' }],
  ]
  for (const [path, button, typed] of forms) {
    await page.goto(path)
    await fill(page, typed)
    await sendTooLate(page, button)
    await expectStillThere(page, typed)
  }
  const kept = await page.evaluate(() => JSON.stringify(sessionStorage))
  assert.equal(kept.includes('secret'), false, kept)
  await context.close()
})

// spec: MID-8
test('so is what members typed, each form by itself', async () => {
  const { context, page } = await visit(browser, app.url)
  const ada = await signUp(page)
  /** @type {[path: string, button: string, typed: Typed][]} */
  const forms = [
    ['/settings/profile', 'Save', { Name: 'Somebody else' }],
    ['/settings/profile', 'Change the address', { 'New address': 'typed@example.com' }],
    [
      '/settings/password',
      'Change password',
      { 'Current password': 'a', 'New password': 'a secret of mine', 'The new one once more': 'a secret of mine', 'Sign out my other sessions': false },
    ],
  ]
  for (const [path, button, typed] of forms) {
    await page.goto(path)
    await fill(page, typed)
    await sendTooLate(page, button)
    await expectStillThere(page, typed)
    if (typed['New address']) assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), ada.name)
  }

  await confirmAddress(page, ada.email)
  await page.goto('/settings/passkeys/add')
  await confirmPassword(page, ada.password)
  await page.waitForURL('**/settings/passkeys')
  const device = await addAuthenticator(page)
  for (const name of ['First', 'Second']) {
    await page.goto('/settings/passkeys')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('listitem').filter({ hasText: name }).waitFor()
    await device.remove()
    if (name === 'First') Object.assign(device, await addAuthenticator(page))
  }
  const second = page.getByRole('listitem').filter({ hasText: 'Second' })
  await second.locator('summary').click()
  await page.getByLabel('New name for Second').fill('Typed')
  await page.context().clearCookies({ name: /^(?!better-auth)/ })
  await second.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'This page was open too long.' }).waitFor()
  await page.getByRole('link', { name: 'Back to the form' }).click()
  await page.waitForURL('**/settings/passkeys')
  assert.equal(await page.getByLabel('New name for Second').inputValue(), 'Typed')
  assert.ok(await page.getByLabel('New name for Second').isVisible())
  assert.equal(await page.getByLabel('New name for First').inputValue(), 'First')
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue().then((name) => name === 'Typed'), false)
  await context.close()
})

// spec: MID-6
test('a form that was sent too often says for how long, and the way back leads to what was typed', async () => {
  const { context, page } = await visit(browser, app.url)
  const ada = await signUp(page)
  await page.goto('/confirm-password')
  await confirmPassword(page, ada.password)
  await page.waitForURL('**/dashboard')
  await page.goto('/settings/profile')
  for (let attempt = 0; attempt < 8 && (await page.locator('[data-countdown]').count()) === 0; attempt += 1) {
    await page.getByLabel('New address').evaluate((/** @type {HTMLInputElement} */ field) => field.form && (field.form.noValidate = true))
    await page.getByLabel('New address').fill('no address')
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Change the address' }).click()])
  }
  assert.equal(await page.locator('[data-countdown]').count(), 1)
  await page.getByRole('link', { name: 'Back to the form' }).click()
  await page.waitForURL('**/settings/profile')
  assert.equal(await page.getByLabel('New address').inputValue(), 'no address')
  await context.close()
})
