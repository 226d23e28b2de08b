// What the pages do for the person in front of them: fields, menus, the theme, a second press.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { startApp } from './support/app.js'
import { findings } from './support/axe.js'
import { startBrowser, visit } from './support/browser.js'
import { signUp } from './support/member.js'

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

test('the keyboard reaches every control of the sign-in page in the order it is read', async () => {
  const { context, page } = await visit(browser, app.url)
  await page.goto('/sign-in')
  assert.equal(await focused(page), 'email')
  const order = []
  for (let step = 0; step < 6; step += 1) {
    await page.keyboard.press('Tab')
    order.push(await focused(page))
  }
  assert.deepEqual(order.slice(0, 5), ['password', 'Show password', 'Forgot it?', 'remember', 'Sign in'])
  await context.close()
})

/** @param {import('playwright-core').Page} page */
function focused(page) {
  return page.evaluate(() => {
    const element = document.activeElement
    return element?.id || element?.getAttribute('aria-label') || element?.textContent?.trim()
  })
}

test('a refused form says what is wrong and where, and begins at the first wrong field', async () => {
  const { context, page } = await visit(browser, app.url)
  await page.goto('/sign-up')
  await page.locator('form[action="/sign-up"]').evaluate((/** @type {HTMLFormElement} */ form) => (form.noValidate = true))
  await page.getByLabel('Name').fill('Ada <b>Lovelace</b>')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForSelector('[aria-invalid=true]')

  assert.equal(await focused(page), 'email')
  assert.equal(await page.getByLabel('Name').inputValue(), 'Ada <b>Lovelace</b>')
  assert.equal(await page.getByLabel('Name').getAttribute('aria-invalid'), null)
  for (const field of ['email', 'password']) {
    assert.equal(await page.locator(`#${field}`).getAttribute('aria-invalid'), 'true')
    const explained = (await page.locator(`#${field}`).getAttribute('aria-describedby')) ?? ''
    assert.ok(explained.split(' ').includes(`${field}-error`), explained)
    assert.notEqual(await page.locator(`#${field}-error`).textContent(), '')
  }
  assert.equal(await page.getByRole('alert').getByRole('link').count(), 2)
  assert.deepEqual(await findings(page), [])
  await context.close()
})

test('the account menu opens by keyboard and closes on Escape', async () => {
  const { context, page } = await visit(browser, app.url)
  await signUp(page)
  await page.goto('/settings/profile')
  const menu = page.locator('header summary:visible').last()
  await menu.focus()
  await page.keyboard.press('Enter')
  assert.ok(await page.getByRole('button', { name: 'Sign out' }).isVisible())
  assert.deepEqual(await findings(page), [])
  await page.keyboard.press('Escape')
  assert.ok(!(await page.getByRole('button', { name: 'Sign out' }).isVisible()))
  assert.ok(await menu.evaluate((element) => element === document.activeElement))
  await context.close()
})

test('a field for a file looks like one to write in, and a read-only one does not', async () => {
  const { context, page } = await visit(browser, app.url)
  await page.goto('/forgot-password')
  const look = await page.getByLabel('E-mail').evaluate((/** @type {HTMLInputElement} */ field) => {
    field.style.transition = 'none'
    const now = () => [getComputedStyle(field).backgroundColor, getComputedStyle(field).color].join(' ')
    field.blur()
    field.type = 'text'
    const text = now()
    field.type = 'file'
    const file = now()
    field.type = 'text'
    field.readOnly = true
    return { text, file, readonly: now() }
  })
  assert.equal(look.file, look.text)
  assert.notEqual(look.readonly, look.text)
  await context.close()
})

test('a password can be looked at while it is typed', async () => {
  const { context, page } = await visit(browser, app.url)
  await page.goto('/sign-in')
  const field = page.locator('#password')
  const reveal = page.getByRole('button', { name: 'Show password' })
  await field.fill('secret')
  await reveal.click()
  assert.deepEqual([await field.getAttribute('type'), await reveal.getAttribute('aria-pressed')], ['text', 'true'])
  await reveal.click()
  assert.deepEqual([await field.getAttribute('type'), await reveal.getAttribute('aria-pressed')], ['password', 'false'])
  await context.close()
})

test('a chosen theme is there before anything is painted, and on every page', async () => {
  const { context, page, problems } = await visit(browser, app.url, { colorScheme: 'light' })
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Dark' }).click()
  // Without the bundle only the inline script is left to set the theme.
  await page.route('**/*.js', (route) => route.abort())
  await page.goto('/sign-up')
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  assert.equal(await scheme(), 'dark')
  await page.unroute('**/*.js')
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'System' }).click()
  assert.equal(await scheme(), 'light dark')
  assert.deepEqual(problems.filter((problem) => !problem.includes('ERR_FAILED')), [])
  await context.close()
})

test('a form is sent once, however often its button is pressed', async () => {
  const { context, page } = await visit(browser, app.url)
  await page.goto('/forgot-password')
  await page.getByLabel('E-mail').fill('ada@example.com')
  const sent = await page.getByRole('button', { name: 'Send the link' }).evaluate((/** @type {HTMLButtonElement} */ button) => {
    let count = 0
    // The last to hear of it: what was not prevented until here would be sent. It is stopped, so that the page stays.
    addEventListener('submit', (event) => {
      if (!event.defaultPrevented) count += 1
      event.preventDefault()
    })
    for (let press = 0; press < 3; press += 1) button.click()
    return count
  })
  assert.equal(sent, 1)
  await context.close()
})

test('without script every guest page shows its form and nothing that cannot work', async () => {
  const { context, page } = await visit(browser, app.url, { javaScriptEnabled: false })
  for (const path of ['/sign-in', '/sign-up', '/forgot-password']) {
    await page.goto(path)
    assert.ok(await page.locator('form[method=post] button[type=submit]').first().isVisible(), path)
    for (const button of await page.locator('[data-action]').all()) assert.ok(!(await button.isVisible()), path)
  }
  await context.close()
})
