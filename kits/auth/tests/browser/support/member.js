// People who have an account.

import { mailLink } from './mailbox.js'
import { places } from './places.js'

/**
 * Signs somebody up through the form, and leaves the page where that leads.
 *
 * @param {import('playwright-core').Page} page
 * @param {{ name?: string, email?: string, password?: string }} [details]
 */
export async function signUp(page, details = {}) {
  const person = {
    name: 'Ada Lovelace',
    email: `ada.${Date.now()}.${Math.floor(Math.random() * 1e6)}@example.com`,
    password: 'correct horse battery staple',
    ...details,
  }
  await page.goto(places.signUp)
  await page.getByLabel('Name').fill(person.name)
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/dashboard')
  return person
}

/**
 * Opens the link that proves an address, and presses its button.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} email
 */
export async function confirmAddress(page, email) {
  await page.goto(await mailLink(page.context(), email, places.confirmAddress))
  await page.getByRole('button', { name: 'Yes, this is my address' }).click()
  await page.waitForURL('**/dashboard')
}

/**
 * Fills in and sends the form of the sign-in page that is open.
 *
 * @param {import('playwright-core').Page} page
 * @param {{ email: string, password: string }} person
 */
export async function signIn(page, person) {
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** @param {import('playwright-core').Page} page */
export async function signOut(page) {
  await page.locator('header summary:visible').last().click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
}

/**
 * Answers the page, or the dialog, that asks whether it is really you.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} password
 */
export async function confirmPassword(page, password) {
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Go on' }).click()
}

/**
 * Unfolds the form for a recovery code on the page that asks for the second step, and sends a code with it.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} code
 */
export async function useRecoveryCode(page, code) {
  const field = page.getByLabel('Recovery code')
  const unfold = page.getByText('Use a recovery code')
  await unfold.waitFor()
  if (!(await field.isVisible())) await unfold.click()
  await field.fill(code)
  await page.getByRole('button', { name: 'Sign in with this code' }).click()
}

/**
 * The key that the page shows for an authenticator app.
 *
 * @param {import('playwright-core').Page} page
 */
export async function shownKey(page) {
  return (await page.locator('main code').first().textContent()) ?? ''
}

/**
 * The recovery codes that the page shows.
 *
 * @param {import('playwright-core').Page} page
 */
export async function recoveryCodes(page) {
  const codes = page.getByRole('region', { name: 'Keep these recovery codes' }).getByRole('listitem')
  return (await codes.allTextContents()).map((code) => code.trim())
}
