// A browser without a window, and visitors in it.

import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

/** Where a chromium usually is; `CHROMIUM` names another one. */
const places = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Milliseconds to wait for anything. It ends what would never come; a machine that is busy is only slow. */
export const TIMEOUT_MS = 120_000

/** @returns {Promise<import('playwright-core').Browser>} */
export async function startBrowser() {
  const executablePath = places.find((place) => place && existsSync(place))
  if (!executablePath) {
    throw new Error('These tests need chromium or Chrome. Install one, or say where it is: CHROMIUM=/path npm run test:browser')
  }
  return chromium.launch({ executablePath, timeout: TIMEOUT_MS, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] })
}

let visitors = 0

/** The address of somebody who was not here before. Limits count by address. */
export function freshAddress() {
  visitors += 1
  return { 'x-forwarded-for': `198.18.${process.pid % 256}.${visitors}` }
}

/**
 * A visitor with cookies and an address of their own. `problems` collects what no page of theirs may do: an error in the
 * console, a script that fails, something the content security policy had to block.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function visit(browser, url, options = {}) {
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', extraHTTPHeaders: freshAddress(), ...options })
  context.setDefaultTimeout(TIMEOUT_MS)
  // Not every block is written to the console: the page itself is told of all of them.
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`blocked by the policy: ${event.effectiveDirective} ${event.blockedURI}`)
    })
  })
  /** @type {string[]} */
  const problems = []
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.page()?.url()}: ${message.text()}`)
  })
  context.on('weberror', (error) => problems.push(`${error.page()?.url()}: ${error.error()}`))
  return { context, page: await context.newPage(), problems }
}

/**
 * What went wrong on the pages, without the refusals that a test provoked: a browser writes every one of them to its
 * console.
 *
 * @param {string[]} problems
 * @param {number[]} [statuses]
 */
export function withoutRefusals(problems, statuses = [419, 422, 423, 429]) {
  return problems.filter((problem) => !statuses.some((status) => problem.includes(`responded with a status of ${status}`)))
}

/**
 * Takes a visitor's cookies away, all or some, as time or another tab does. The page is left first: what it still fetches
 * would be refused, and the refusal stands in the console of a test that provoked none.
 *
 * @param {import('playwright-core').Page} page
 * @param {Parameters<import('playwright-core').BrowserContext['clearCookies']>[0]} [which]
 */
export async function loseCookies(page, which) {
  await page.goto('about:blank')
  await page.context().clearCookies(which)
}
