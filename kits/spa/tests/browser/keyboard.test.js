// An account without a mouse: every step is a key, and at every step one sees where one is.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { startApp } from './support/app.js'
import { startBrowser, visit, withoutRefusals } from './support/browser.js'
import { focused, press, reach, write } from './support/keyboard.js'
import { mailLink } from './support/mailbox.js'
import { shownKey } from './support/member.js'
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

// spec: KIT-8, STA-1, STA-2, STA-3, STA-4
test('the keyboard alone makes an account, sets up two-factor, signs out and in again', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visit(browser, app.url)
  const email = `keys.${Date.now()}@example.com`
  const password = 'correct horse battery staple'

  await page.goto('/')
  await press(page, 'Create an account')
  await page.getByLabel('Name').waitFor()
  await write(page, 'Name', 'Ada Lovelace')
  await write(page, 'E-mail', email)
  await write(page, 'Password', password)
  // Its neighbour shows what was typed, and Space presses it.
  await reach(page, 'Show password')
  await page.keyboard.press('Space')
  assert.equal(await page.getByLabel('Password', { exact: true }).getAttribute('type'), 'text')
  await press(page, 'Create account')
  await page.waitForURL('**/dashboard')

  await page.goto(await mailLink(context, email, places.confirmAddress))
  await page.getByRole('button', { name: 'Yes, this is my address' }).waitFor()
  await press(page, 'Yes, this is my address')
  await page.waitForURL('**/dashboard')

  await page.getByRole('link', { name: 'Turn on two-factor sign-in' }).waitFor()
  await press(page, 'Turn on two-factor sign-in')
  await page.getByRole('button', { name: 'Set it up' }).waitFor()
  await press(page, 'Set it up')
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  await dialog.waitFor()
  assert.equal((await focused(page))?.name, 'Password', 'the dialog begins where one types')
  // It keeps the focus: twice round and still inside.
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press('Tab')
    assert.ok(await page.evaluate(() => document.activeElement === document.body || !!document.activeElement?.closest('dialog')))
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  assert.equal((await focused(page))?.name, 'Set it up', 'and gives it back')
  // The form takes a moment to notice that nothing came of it, and is not sent twice until then.
  await page.getByRole('button', { name: 'Set it up', disabled: false }).waitFor()
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'QR code with your key' }).waitFor()
  const phone = authenticatorApp(await shownKey(page))
  await write(page, 'Six-digit code', phone.code())
  await page.getByRole('heading', { name: 'Keep these recovery codes' }).waitFor()

  await page.goto('/dashboard')
  await page.getByText('2 of 3 done').waitFor()
  await press(page, /^AL Ada Lovelace/)
  await press(page, 'Sign out')
  await page.getByText('You are signed out.').waitFor()

  await press(page, 'Sign in')
  await page.getByLabel('E-mail').waitFor()
  await write(page, 'E-mail', email)
  await write(page, 'Password', password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${places.challenge}`)
  await reach(page, /^Trust this device/)
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+Tab')
  await write(page, 'Six-digit code', phone.code())
  await page.waitForURL('**/dashboard')
  assert.deepEqual(withoutRefusals(problems), [])
  await context.close()
})

test('at every control of the guest pages one sees where one is', async () => {
  const { context, page } = await visit(browser, app.url)
  for (const path of ['/', places.signIn, places.signUp, '/auth/forgot-password']) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      await page.emulateMedia({ colorScheme })
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur())
      const controls = await page.locator('a:visible, button:visible, input:not([type=hidden]):visible').count()
      for (let step = 0; step < controls; step += 1) {
        await page.keyboard.press('Tab')
        const here = await focused(page)
        assert.ok(here === undefined || here.visible, `${path}, ${colorScheme}: ${here?.name}`)
      }
    }
  }
  await context.close()
})
