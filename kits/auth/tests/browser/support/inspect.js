// One look at a page as different people meet it: by day and by night, on a desk and in a hand, with and without motion.

import assert from 'node:assert/strict'

import { findings } from './axe.js'
import { visit, withoutRefusals } from './browser.js'

const looks = /** @type {const} */ ([
  ['light', 1280],
  ['dark', 1280],
  ['dark', 360],
])

/**
 * A visitor who looks closely and writes down what is wrong with what they see, until the end.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 */
export async function inspector(browser, url) {
  const { context, page, problems } = await visit(browser, url)
  /** @type {string[]} */
  const complaints = []
  return {
    context,
    page,
    /** @param {string} state what the page shows now */
    async look(state) {
      complaints.push(...(await inspect(page, state)))
    },
    /** @param {number[]} [refusals] the statuses that the test provoked */
    async end(refusals) {
      assert.deepEqual(complaints, [])
      assert.deepEqual(withoutRefusals(problems, refusals), [])
      await context.close()
    },
  }
}

/**
 * What is wrong with the page as it stands, in words; nothing if all is well. A barrier that axe finds, something wider
 * than the screen, something that moves although the visitor asked for rest.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} state what the page shows, for who reads the complaint
 * @returns {Promise<string[]>}
 */
export async function inspect(page, state) {
  const complaints = []
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    const found = await findings(page)
    if ((await overhang(page)) > 0) found.push('wider than the screen')
    complaints.push(...found.map((finding) => `${state}, ${colorScheme}, ${width} px: ${finding}`))
  }
  complaints.push(...(await movements(page)).map((movement) => `${state}: moves: ${movement}`))
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
  return complaints
}

/**
 * By how many pixels the page is wider than its window.
 *
 * @param {import('playwright-core').Page} page
 */
function overhang(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/**
 * The elements that would move, and for how long. Visitors of these tests have asked for reduced motion.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>}
 */
export function movements(page) {
  return page.evaluate(() => {
    const seconds = (/** @type {string} */ list) =>
      Math.max(...list.split(',').map((time) => Number.parseFloat(time) / (time.trim().endsWith('ms') ? 1000 : 1)))
    return [...document.querySelectorAll('*')].flatMap((element) => {
      const style = getComputedStyle(element)
      const longest = Math.max(seconds(style.animationDuration), seconds(style.transitionDuration))
      return longest > 0.001 ? [`${element.tagName.toLowerCase()}.${element.getAttribute('class')}: ${longest} s`] : []
    })
  })
}
