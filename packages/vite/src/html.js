/** @typedef {import('./index.d.ts').InjectedTag} Tag */

const VOID = new Set(['link', 'meta', 'base'])
const OPENING = /<(script|style|noscript|template|link|meta|base)\b((?:"[^"]*"|'[^']*'|[^'">])*)>/gi
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g

/**
 * The tags in a page that a plugin rewrote as text instead of naming what it adds. Covers what belongs in a head or at
 * the end of a body; anything else in the text is the plugin's idea of a page we do not have.
 *
 * @param {string} html
 * @returns {Tag[]}
 */
export function tagsIn(html) {
  const bodyAt = html.search(/<body\b/i)
  /** @type {Tag[]} */
  const tags = []
  OPENING.lastIndex = 0
  for (let match = OPENING.exec(html); match; match = OPENING.exec(html)) {
    const name = (match[1] ?? '').toLowerCase()
    /** @type {Tag} */
    const tag = { tag: name, position: bodyAt !== -1 && match.index > bodyAt ? 'body' : 'head' }
    const attrs = attributes(match[2] ?? '')
    if (Object.keys(attrs).length > 0) tag.attrs = attrs
    if (!VOID.has(name)) {
      const start = OPENING.lastIndex
      const closing = html.toLowerCase().indexOf(`</${name}`, start)
      const end = closing === -1 ? html.length : closing
      if (end > start) tag.children = html.slice(start, end)
      OPENING.lastIndex = end
    }
    tags.push(tag)
  }
  return tags
}

/**
 * @param {string} text
 * @returns {Record<string, string | boolean>}
 */
function attributes(text) {
  /** @type {Record<string, string | boolean>} */
  const attrs = {}
  for (const [, name, double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const value = double ?? single ?? bare
    if (name) attrs[name] = value === undefined ? true : decode(value)
  }
  return attrs
}

/** @param {string} value */
function decode(value) {
  return value.replace(/&quot;/g, '"').replace(/&#39;/g, "'").replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&')
}
