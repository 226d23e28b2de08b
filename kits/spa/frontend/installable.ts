// What makes the app installable: a service worker beside the build, and the tags that lead a browser to the manifest in
// public/. Part of vite.config.ts, where it is turned on and off.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** What the service worker keeps from the beginning: the page that is shown without a network. */
const kept = ['offline.html', 'offline.css', 'favicon.svg']

export function installable(isOn: boolean): Plugin {
  return {
    name: 'installable',
    config: () => ({ define: { 'import.meta.env.VITE_INSTALLABLE': JSON.stringify(isOn) } }),

    // A build has them. The dev server has not: who develops wants to see every change.
    buildStart() {
      if (!isOn || this.environment.mode !== 'build') return
      // Always the same name: browsers ask for it again and again. config/assets.rs knows it by that name.
      this.emitFile({ type: 'chunk', id: here('src/service-worker.ts'), fileName: 'sw.js' })
    },
    generateBundle(_options, bundle) {
      const worker = bundle['sw.js']
      if (worker?.type !== 'chunk') return
      // Another build or another offline page is another worker, which drops what the one before it kept.
      const build = createHash('sha256').update(Object.keys(bundle).sort().join()).update(worker.code)
      for (const file of kept) build.update(readFileSync(here(`../public/${file}`)))
      worker.code = worker.code.replace('__BUILD__', build.digest('hex').slice(0, 12))
    },
    transformIndexHtml(_html, { bundle }) {
      if (!isOn || !bundle) return []
      return [
        { tag: 'link', injectTo: 'head', attrs: { rel: 'manifest', href: '/manifest.webmanifest' } },
        { tag: 'link', injectTo: 'head', attrs: { rel: 'apple-touch-icon', href: '/icons/icon-180.png' } },
        // --color-canvas in src/styles/tokens.css.
        { tag: 'meta', injectTo: 'head', attrs: { name: 'theme-color', content: '#f4f7f8', media: '(prefers-color-scheme: light)' } },
        { tag: 'meta', injectTo: 'head', attrs: { name: 'theme-color', content: '#0b1319', media: '(prefers-color-scheme: dark)' } },
      ]
    },
  }
}
