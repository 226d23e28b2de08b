// axe finds what keeps people out: missing names, poor contrast, wrong roles.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe has to say about the page, one line for each finding.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>}
 */
export async function findings(page) {
  // Through the debugger and not as a script element: the page's own policy stays as strict as it is.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(source)
  const { violations } = await page.evaluate("axe.run({ resultTypes: ['violations'] })")
  return violations.flatMap((/** @type {any} */ violation) =>
    violation.nodes.map((/** @type {any} */ node) => `${page.url()}: ${violation.id}: ${violation.help}: ${node.html}`),
  )
}
