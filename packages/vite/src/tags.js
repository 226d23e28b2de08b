import path from 'node:path'
import { tagsIn } from './html.js'

/** @typedef {import('./index.d.ts').InjectedTag} Tag */

const EMPTY_DOCUMENT = '<!doctype html><html><head></head><body></body></html>'

/**
 * Asks every other plugin what it would put into an HTML page. Our pages are written by the server, so Vite never
 * sees one; this is how a plugin's tags (a refresh preamble, a web manifest, an icon) reach them all the same.
 *
 * @param {import('vite').ResolvedConfig} config
 * @param {{ server?: import('vite').ViteDevServer, bundle?: import('vite').Rolldown.OutputBundle }} source
 * @returns {Promise<Tag[]>}
 */
export async function collectTags(config, source) {
  const context = { path: '/index.html', filename: path.join(config.root, 'index.html'), originalUrl: '/', ...source }
  /** @type {Tag[]} */
  const tags = []
  for (const hook of hooksInOrder(config.plugins)) {
    const result = await hook.call(/** @type {never} */ ({}), EMPTY_DOCUMENT, context)
    if (!result) continue
    if (typeof result === 'string') {
      tags.push(...tagsIn(result))
    } else if (Array.isArray(result)) {
      tags.push(...result.map(normalize))
    } else {
      tags.push(...tagsIn(result.html), ...result.tags.map(normalize))
    }
  }
  return tags
}

/**
 * Rewrites what a plugin addressed at "this server" (`/@react-refresh`), since the page comes from another one.
 *
 * @param {Tag[]} tags
 * @param {string} origin
 * @returns {Tag[]}
 */
export function pointAtDevServer(tags, origin) {
  return tags.map((tag) => {
    const moved = { ...tag }
    if (tag.attrs) {
      moved.attrs = Object.fromEntries(
        Object.entries(tag.attrs).map(([name, value]) => [name, isAddress(name, value) ? `${origin}${value}` : value]),
      )
    }
    if (Array.isArray(tag.children)) moved.children = pointAtDevServer(tag.children, origin)
    // Inline module scripts import by path: `from "/@react-refresh"`.
    else if (tag.tag === 'script' && tag.children) moved.children = tag.children.replace(/(["'`])\/@/g, `$1${origin}/@`)
    return moved
  })
}

/**
 * @param {string} name
 * @param {string | boolean} value
 */
function isAddress(name, value) {
  return (name === 'src' || name === 'href') && typeof value === 'string' && value.startsWith('/') && !value.startsWith('//')
}

/**
 * @param {import('vite').HtmlTagDescriptor} descriptor
 * @returns {Tag}
 */
function normalize(descriptor) {
  /** @type {Tag} */
  const tag = { tag: descriptor.tag.toLowerCase(), position: descriptor.injectTo ?? 'head-prepend' }
  const attrs = Object.entries(descriptor.attrs ?? {}).filter(([, value]) => value !== undefined && value !== false)
  if (attrs.length > 0) tag.attrs = Object.fromEntries(attrs.map(([name, value]) => [name, value === true ? true : String(value)]))
  if (Array.isArray(descriptor.children)) tag.children = descriptor.children.map(normalize)
  else if (descriptor.children) tag.children = descriptor.children
  return tag
}

/**
 * @param {readonly import('vite').Plugin[]} plugins
 * @returns {import('vite').IndexHtmlTransformHook[]}
 */
function hooksInOrder(plugins) {
  /** @type {Record<'pre' | 'normal' | 'post', import('vite').IndexHtmlTransformHook[]>} */
  const byOrder = { pre: [], normal: [], post: [] }
  for (const plugin of plugins) {
    const hook = plugin.transformIndexHtml
    // Vite's own rewrite the document it was given; there is none.
    if (!hook || plugin.name.startsWith('vite:')) continue
    if (typeof hook === 'function') byOrder.normal.push(hook)
    else byOrder[hook.order ?? 'normal'].push(hook.handler)
  }
  return [...byOrder.pre, ...byOrder.normal, ...byOrder.post]
}
