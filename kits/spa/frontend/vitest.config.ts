import { fileURLToPath } from 'node:url'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [vue()],
  resolve: {
    alias: { '@': fileURLToPath(new URL('src', import.meta.url)) },
    // A linked @housekey/client would find another copy of it.
    dedupe: ['vue'],
  },
  test: {
    include: ['tests/**/*.test.ts'],
    environment: 'happy-dom',
    setupFiles: 'tests/support/setup.ts',
    // The client is one of the app's own parts here, so that both have the same Vue.
    server: { deps: { inline: ['@housekey/client'] } },
    restoreMocks: true,
    // Above what `eventually` waits: a test on a busy machine says what it waited for.
    testTimeout: 60_000,
  },
})
