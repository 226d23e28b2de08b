import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const dist = fileURLToPath(new URL('./dist', import.meta.url))

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/fresh.ts',
    // Browsers and compilers start in here, on machines that are busy with other things.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    // Newer versions have it without being asked.
    execArgv: ['--experimental-websocket'],
  },
  resolve: {
    // What is tested is what an app gets.
    alias: [
      { find: /^@housekey\/client$/, replacement: `${dist}/index.js` },
      { find: /^@housekey\/client\/passkeys$/, replacement: `${dist}/passkeys/index.js` },
      { find: /^@housekey\/client\/(\w+)$/, replacement: `${dist}/$1.js` },
    ],
  },
})
