// API keys, as people make, use and end them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { startApp } from './support/app.js'
import { startBrowser, visit, withoutRefusals } from './support/browser.js'
import { inspector } from './support/inspect.js'
import { press, write } from './support/keyboard.js'
import { confirmPassword, signUp } from './support/member.js'

const PAGE = '/settings/api-keys'

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
 * Fills in and sends the form for a new key.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name
 * @param {string} [lifetime]
 */
async function ask(page, name, lifetime) {
  await page.getByLabel('Name', { exact: true }).fill(name)
  if (lifetime) await page.getByLabel('How long it lives').selectOption({ label: lifetime })
  await page.getByRole('button', { name: 'Make the key' }).click()
}

/** What is shown of a key that was just made. */
const fresh = (/** @type {import('playwright-core').Page} */ page) => page.getByRole('region', { name: 'Copy your key now' })

/** @param {import('playwright-core').Page} page */
async function shownKey(page) {
  return (await fresh(page).locator('code').textContent()) ?? ''
}

/**
 * The key with a name, in the list.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
const listed = (page, name) => page.getByRole('list', { name: 'API keys' }).getByRole('listitem').filter({ hasText: name })

/**
 * What a program with a key is told: the line that the page shows, without a cookie.
 *
 * @param {string} key
 */
async function me(key) {
  const answer = await fetch(`${app.url}/api/me`, { headers: { 'x-api-key': key } })
  return { status: answer.status, body: /** @type {Record<string, unknown>} */ (await answer.json()) }
}

// spec: KEY-4
test('a key is made after the password, shown once, used, turned off and on, and revoked', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visit(browser, app.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  const ada = await signUp(page)
  await page.goto('/settings/profile')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'API keys' }).click()
  await page.getByText('No key yet.').waitFor()

  await ask(page, 'build server', '30 days')
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor()
  await confirmPassword(page, ada.password)
  await fresh(page).waitFor()
  const key = await shownKey(page)
  await fresh(page).getByText(`curl ${app.url}/api/me -H 'x-api-key: ${key}'`).waitFor()
  await fresh(page).getByRole('button', { name: 'Copy the key' }).click()
  await fresh(page).getByText('Copied.').waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key)
  await listed(page, 'build server').getByText('never used').waitFor()
  assert.deepEqual(await me(key), { status: 200, body: { owner: ada.name, key: 'build server' } })

  // Nobody finds it again, also not with the back button.
  await page.goto(PAGE)
  await listed(page, 'build server').getByText('last used').waitFor()
  assert.equal(await fresh(page).count(), 0)
  assert.ok(!(await page.content()).includes(key.slice(-40)))
  await page.goto('/dashboard')
  await page.goBack()
  await listed(page, 'build server').waitFor()
  assert.ok(!(await page.content()).includes(key.slice(-40)))

  await page.getByRole('button', { name: 'Turn off build server' }).click()
  await listed(page, 'build server').getByText('Off', { exact: true }).waitFor()
  assert.equal((await me(key)).status, 401)
  await page.getByRole('button', { name: 'Turn on build server' }).click()
  await page.getByRole('button', { name: 'Turn off build server' }).waitFor()
  assert.equal((await me(key)).status, 200)

  await page.getByRole('button', { name: 'Revoke build server' }).click()
  await page.getByRole('dialog').getByText('This cannot be undone.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await me(key)).status, 200)
  await page.getByRole('button', { name: 'Revoke build server' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No key yet.').waitFor()
  assert.equal((await me(key)).status, 401)
  assert.deepEqual(withoutRefusals(problems), [])
  await context.close()
})

// spec: KEY-4
test('the keyboard alone makes a key and revokes it', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visit(browser, app.url)
  const ada = await signUp(page)
  await page.goto(PAGE)
  await write(page, 'Name', 'laptop')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor()
  await write(page, 'Password', ada.password)
  await page.keyboard.press('Enter')
  await fresh(page).waitFor()
  assert.equal((await me(await shownKey(page))).status, 200)
  await press(page, 'Revoke laptop')
  await page.getByRole('dialog').waitFor()
  await press(page, 'Revoke')
  await page.getByText('No key yet.').waitFor()
  assert.deepEqual(withoutRefusals(problems), [])
  await context.close()
})

// spec: RTE-6
test('nobody meets a barrier on the page of API keys, whatever it has to say', { timeout: 600_000 }, async () => {
  const { page, look, end } = await inspector(browser, app.url)
  const ada = await signUp(page)
  await page.goto(PAGE)
  await page.getByText('No key yet.').waitFor()
  await look('no key')
  await ask(page, 'a name of as many letters as fit', 'Until it is revoked')
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor()
  await confirmPassword(page, ada.password)
  await fresh(page).waitFor()
  await look('a key that was just made')
  await ask(page, 'Donaudampfschifffahrtsgesellscha', '30 days')
  await listed(page, 'Donaudampfschifffahrtsgesellscha').waitFor()
  await page.getByRole('button', { name: 'Turn off Donau' }).click()
  await page.getByRole('button', { name: 'Turn on Donau' }).waitFor()
  await look('two keys, one of them off')
  await page.getByRole('button', { name: 'Revoke Donau' }).click()
  await page.getByRole('dialog').waitFor()
  await look('asked before one is revoked')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.locator('form', { has: page.getByLabel('How long it lives') }).evaluate((/** @type {HTMLFormElement} */ form) => (form.noValidate = true))
  await ask(page, '')
  await page.locator('[aria-invalid=true]').waitFor()
  await look('refused')
  await end([422, 423])
})
