import { housekey } from '@housekey/vite'
import { defineConfig } from 'vite'

// The entries that a view asks for with `assets([...])`. `npm run build` writes them to public/build.
export default defineConfig({
  plugins: [housekey({ input: ['resources/css/app.css', 'resources/js/app.ts'] })],
})
