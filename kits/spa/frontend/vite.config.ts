import { fileURLToPath } from 'node:url'
import { housekey } from '@housekey/vite'
import tailwindcss from '@tailwindcss/vite'
import vue from '@vitejs/plugin-vue'
import { defineConfig, type Plugin } from 'vite'
import { installable } from './installable'

/**
 * Whether people can put the app on their home screen and see a page of yours without a network. `true` adds a service worker
 * (src/service-worker.ts) and public/manifest.webmanifest to every document; `false` takes the worker away again from
 * browsers that have it.
 */
const INSTALLABLE = false

/**
 * Decides between light and dark before anything is painted, so that no page flashes. The only inline script: the server
 * allows it by its hash in the documents of the app, and by a nonce on its own pages. src/lib/theme.ts knows the same key.
 */
const theme: Plugin = {
  name: 'theme',
  transformIndexHtml: () => [
    {
      tag: 'script',
      injectTo: 'head-prepend',
      children:
        "(function(c){var t;try{t=localStorage.getItem('theme')}catch(e){}if(t==='light'||t==='dark')c.add(t)})(document.documentElement.classList)",
    },
  ],
}

/** The two typefaces come along with the document: text that is set again when they arrive would jump. */
const fonts: Plugin = {
  name: 'fonts',
  transformIndexHtml: (_html, { bundle }) =>
    Object.keys(bundle ?? {})
      .filter((file) => /-latin-wght-normal-.*\.woff2$/.test(file))
      .map((file) => ({
        tag: 'link',
        injectTo: 'head-prepend',
        attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/build/${file}`, crossorigin: true },
      })),
}

export default defineConfig({
  plugins: [
    vue(),
    // Left to Vite, which knows for which browsers.
    tailwindcss({ optimize: false }),
    theme,
    fonts,
    // From outside it can be turned on for one build: tests/browser/alone/installable.test.js does.
    installable(INSTALLABLE || process.env['INSTALLABLE'] === 'true'),
    // The pages of members, the pages of guests, and the styles of what the server draws. config/assets.rs has the same list.
    housekey({ input: ['src/main.ts', 'src/auth.ts', 'src/server.ts'], appDirectory: '..' }),
  ],
  resolve: { alias: { '@': fileURLToPath(new URL('src', import.meta.url)) } },
  // What the app does not use of Vue stays out of the build.
  define: { __VUE_OPTIONS_API__: 'false' },
  build: {
    // Browsers that know light-dark() themselves: all since May 2024. What stands in for it in older ones cannot show day
    // and night on one page.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Fonts and images stay files: the content security policy does not let a style sheet carry them inside.
    assetsInlineLimit: 0,
  },
})
