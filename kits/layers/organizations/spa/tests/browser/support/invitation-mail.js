// The link of an invitation, whose address nobody knows beforehand.

import { mailPage } from './mailbox.js'

/**
 * The first link in the newest mail to this address that leads below `path`.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} to
 * @param {string} path
 * @returns {Promise<string>}
 */
export async function mailLinkUnder(context, to, path) {
  const mail = await mailPage(context, to)
  const headers = { 'x-forwarded-for': '127.0.0.1' }
  const page = await (await context.request.get(`${mail}?show=text`, { headers })).text()
  const links = (page.match(/https?:\/\/[^\s<>"]+/g) ?? []).map((link) => link.replaceAll('&amp;', '&'))
  const link = links.find((candidate) => new URL(candidate).pathname.startsWith(path))
  if (!link) throw new Error(`The newest mail to ${to} has no link below ${path}.`)
  return link
}
