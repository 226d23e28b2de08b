import { housekey } from '@housekey/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

// The entries that a view asks for with `assets([...])`. `npm run build` writes them to public/build.
export default defineConfig({
  plugins: [
    // Left to Vite, which knows for which browsers.
    tailwindcss({ optimize: false }),
    // Tailwind reads the class names in the views, so a changed view is a changed style sheet: the page reloads.
    housekey({ input: ['resources/css/app.css', 'resources/js/app.ts'] }),
  ],
  build: {
    // Browsers that know light-dark() themselves: all since May 2024. What stands in for it in older ones cannot show day
    // and night on one page.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Fonts and images stay files: the content security policy does not let a style sheet carry them inside.
    assetsInlineLimit: 0,
  },
})
