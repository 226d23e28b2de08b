// An account without a mouse: every step is a key, and at every step one sees where one is.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { startApp } from './support/app.js'
import { startBrowser, visit, withoutRefusals } from './support/browser.js'
import { focused, press, reach, write } from './support/keyboard.js'
import { mailLink } from './support/mailbox.js'
import { shownKey } from './support/member.js'
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

// spec: STA-1, STA-2, STA-3, STA-4, STA-8
test('the keyboard alone makes an account, sets up two-factor, signs out and in again', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visit(browser, app.url)
  const email = `keys.${Date.now()}@example.com`
  const password = 'correct horse battery staple'

  await page.goto('/')
  await press(page, 'Create an account')
  await page.waitForURL('**/sign-up')
  await write(page, 'Name', 'Ada Lovelace')
  await write(page, 'E-mail', email)
  await write(page, 'Password', password)
  // Its neighbour shows what was typed, and Space presses it.
  await reach(page, 'Show password')
  await page.keyboard.press('Space')
  assert.equal(await page.locator('#password').getAttribute('type'), 'text')
  await press(page, 'Create account')
  await page.waitForURL('**/dashboard')

  await page.goto(await mailLink(context, email, '/verify-email/confirm'))
  await press(page, 'Yes, this is my address')
  await page.waitForURL('**/dashboard')

  await press(page, 'Turn on two-factor sign-in')
  await page.waitForURL('**/settings/two-factor')
  await press(page, 'Set it up')
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor()
  assert.equal((await focused(page))?.name, 'Password', 'the page begins where one types')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'QR code with your key' }).waitFor()
  const phone = authenticatorApp(await shownKey(page))
  await write(page, 'Six-digit code', phone.code())
  await page.getByText('Two-factor sign-in is on.').waitFor()

  // A dialog takes the focus, keeps it, and gives it back when it is closed.
  await press(page, 'Make new codes')
  const dialog = page.locator('dialog[open]')
  for (const name of ['Make new codes', 'Cancel']) {
    if ((await focused(page))?.name !== name) await reach(page, name)
    assert.ok(await dialog.evaluate((element) => element.contains(document.activeElement)), `${name} is in the dialog`)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal((await focused(page))?.name, 'Make new codes')

  await page.goto('/dashboard')
  await press(page, /^AL Ada Lovelace/)
  await press(page, 'Sign out')
  await page.getByText('You are signed out.').waitFor()

  await press(page, 'Sign in')
  await page.waitForURL('**/sign-in')
  await write(page, 'E-mail', email)
  await write(page, 'Password', password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/two-factor-challenge')
  await reach(page, /^Trust this device/)
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+Tab')
  await write(page, 'Six-digit code', phone.code())
  await page.waitForURL('**/dashboard')
  assert.deepEqual(withoutRefusals(problems), [])
  await context.close()
})

test('the first thing Tab finds leads past everything to the content', async () => {
  const { context, page } = await visit(browser, app.url)
  await page.goto('/')
  await page.keyboard.press('Tab')
  assert.deepEqual(await focused(page), { name: 'Skip to the content', visible: true })
  await page.keyboard.press('Enter')
  assert.ok(await page.locator('main').evaluate((main) => main === document.activeElement))
  await context.close()
})

// spec: RTE-2
test('at every control of the guest pages one sees where one is', async () => {
  const { context, page } = await visit(browser, app.url)
  for (const path of ['/', '/sign-in', '/sign-up', '/forgot-password']) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      await page.emulateMedia({ colorScheme })
      await page.goto(path)
      await page.locator('body').evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur())
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
