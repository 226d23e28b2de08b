// Mails, read where a developer reads them: /dev/mailbox.

import { TIMEOUT_MS } from './browser.js'

/** The mailbox is for whoever sits at the machine, not for the visitors from afar that the tests are (see `visit`). */
const headers = { 'x-forwarded-for': '127.0.0.1' }

/**
 * The first link in the newest mail to this address whose address begins with `path`, such as `/verify-email/confirm`.
 * Waits until there is one: mail goes out behind the answer.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} to
 * @param {string} path
 * @param {{ after?: string }} [options] `after`: a link that was seen before, so that a newer mail is waited for
 * @returns {Promise<string>}
 */
export async function mailLink(context, to, path, options = {}) {
  const end = Date.now() + TIMEOUT_MS
  while (Date.now() < end) {
    for (const mail of await mailsTo(context, to)) {
      const link = (await linksOf(context, mail)).find((candidate) => new URL(candidate).pathname === path)
      if (link && link !== options.after) return link
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No mail to ${to} with a link to ${path} came.`)
}

/**
 * Where the newest mail to somebody can be read; `/html` after it is the mail alone.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} to
 * @returns {Promise<string>}
 */
export async function mailPage(context, to) {
  const end = Date.now() + TIMEOUT_MS
  while (Date.now() < end) {
    const [newest] = await mailsTo(context, to)
    if (newest) return newest
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No mail to ${to} came.`)
}

/**
 * The six digits in the newest mail to somebody that has some.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} to
 * @param {{ after?: string }} [options] `after`: a code that was seen before, so that a newer mail is waited for
 * @returns {Promise<string>}
 */
export async function mailCode(context, to, options = {}) {
  const end = Date.now() + TIMEOUT_MS
  while (Date.now() < end) {
    for (const mail of await mailsTo(context, to)) {
      const code = /^\s*(\d{6})\s*$/m.exec(await letterOf(context, mail))?.[1]
      if (code && code !== options.after) return code
      if (code) break
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No mail to ${to} with a code came.`)
}

/**
 * The addresses of the mails to somebody, newest first.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} to
 */
async function mailsTo(context, to) {
  const page = await (await context.request.get('/dev/mailbox', { headers })).text()
  const entries = page.matchAll(/<a href="(\/dev\/mailbox\/[^"/]+)"[^>]*>\s*<span class="row">\s*<span class="to">([^<]*)</g)
  return [...entries].filter(([, , receiver]) => receiver?.includes(to)).flatMap(([, address]) => address ?? [])
}

/**
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} mail
 */
async function linksOf(context, mail) {
  const letter = await letterOf(context, mail)
  return (letter.match(/https?:\/\/[^\s<>"]+/g) ?? []).map((link) => link.replaceAll('&amp;', '&'))
}

/**
 * What a mail says, as text.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} mail
 */
async function letterOf(context, mail) {
  const page = await (await context.request.get(`${mail}?show=text`, { headers })).text()
  return /<pre class="letter">([^]*?)<\/pre>/.exec(page)?.[1] ?? ''
}
