import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { app, buildApp, readJson } from './support.js'

const FILES = {
  'resources/js/app.ts': "import './app.css'\nimport { shared } from './shared'\nconsole.log(shared)\n",
  'resources/js/other.ts': "import { shared } from './shared'\nexport const other: string = shared\nconsole.log(other)\n",
  'resources/js/shared.ts': "import './shared.css'\nexport const shared = 'shared'\n",
  'resources/js/shared.css': '.shared { color: red }\n',
  'resources/js/app.css': '.app { color: blue }\n',
  'resources/css/app.css': 'body { margin: 0 }\n',
  'public/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
}

test('a build lands in public/build with a manifest the server can read', async (t) => {
  const root = app(t, FILES)
  await buildApp(root, { input: ['resources/js/app.ts', 'resources/js/other.ts', 'resources/css/app.css'] })

  const manifest = readJson(path.join(root, 'public/build/.vite/manifest.json'))
  assert.equal(manifest['resources/js/app.ts'].isEntry, true)
  assert.equal(manifest['resources/css/app.css'].isEntry, true)
  assert.equal(manifest['resources/js/app.ts'].css.length, 1)
  const imported = manifest['resources/js/app.ts'].imports
  assert.equal(manifest[imported[0]].css.length, 1)
  assert.ok(fs.existsSync(path.join(root, 'public/build', manifest['resources/js/app.ts'].file)))
  assert.ok(!fs.existsSync(path.join(root, 'public/build/favicon.svg')), 'public/ is not copied into the build')
  assert.deepEqual(readJson(path.join(root, 'public/build/.vite/tags.json')), [])
})

test('a linked package uses the framework of the app', async (t) => {
  const root = app(t, {
    'app/src/main.js': "import { framework } from 'linked'\nconsole.log(framework)\n",
    'app/node_modules/vue/index.js': "export const framework = 'of the app'\n",
    'checkout/index.js': "export { framework } from 'vue'\n",
    'checkout/node_modules/vue/index.js': "export const framework = 'of the checkout'\n",
  })
  fs.symlinkSync(path.join(root, 'checkout'), path.join(root, 'app/node_modules/linked'))
  await buildApp(path.join(root, 'app'), { input: 'src/main.js' })

  const manifest = readJson(path.join(root, 'app/public/build/.vite/manifest.json'))
  const built = fs.readFileSync(path.join(root, 'app/public/build', manifest['src/main.js'].file), 'utf8')
  assert.match(built, /of the app/)
  assert.doesNotMatch(built, /of the checkout/)
})

test('files named in CSS are addressed under the build directory', async (t) => {
  const root = app(t, {
    'resources/css/app.css': 'body { background: url("./dot.svg") }\n',
    'resources/css/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  })
  await buildApp(root, { input: 'resources/css/app.css', buildDirectory: 'assets/built' })

  const manifest = readJson(path.join(root, 'public/assets/built/.vite/manifest.json'))
  const css = fs.readFileSync(path.join(root, 'public/assets/built', manifest['resources/css/app.css'].file), 'utf8')
  assert.match(css, /url\(\/assets\/built\/assets\/dot-[\w-]+\.svg\)/)
})

test('a project in its own folder builds into the public folder of the app', async (t) => {
  const root = app(t, { 'frontend/src/main.ts': 'console.log(1)\n', 'public/build/stale.js': '' })
  await buildApp(path.join(root, 'frontend'), { input: 'src/main.ts', appDirectory: '..' })

  assert.ok(readJson(path.join(root, 'public/build/.vite/manifest.json'))['src/main.ts'].isEntry)
  assert.ok(!fs.existsSync(path.join(root, 'public/build/stale.js')), 'the folder is emptied first')
})

test('tags of other plugins are written beside the manifest, in the order of their hooks', async (t) => {
  const root = app(t, FILES)
  await buildApp(root, { input: 'resources/js/app.ts' }, [
    { name: 'last', transformIndexHtml: { order: 'post', handler: () => [{ tag: 'meta', attrs: { name: 'last' }, injectTo: 'body' }] } },
    {
      name: 'objects',
      transformIndexHtml: (html) => ({
        html,
        tags: [
          { tag: 'script', attrs: { type: 'module', async: true, defer: false, nomodule: undefined }, children: 'go()' },
          { tag: 'noscript', children: [{ tag: 'link', attrs: { rel: 'stylesheet', href: '/x.css' } }], injectTo: 'head' },
        ],
      }),
    },
    {
      name: 'text',
      transformIndexHtml: {
        order: 'pre',
        handler: (html) =>
          html
            .replace('</head>', '<link rel="manifest" href="/build/app.webmanifest?a=1&amp;b=2"><style>a > b {}</style></head>')
            .replace('</body>', '<script src=/late.js defer></script></body>'),
      },
    },
  ])

  assert.deepEqual(readJson(path.join(root, 'public/build/.vite/tags.json')), [
    { tag: 'link', position: 'head', attrs: { rel: 'manifest', href: '/build/app.webmanifest?a=1&b=2' } },
    { tag: 'style', position: 'head', children: 'a > b {}' },
    { tag: 'script', position: 'body', attrs: { src: '/late.js', defer: true } },
    { tag: 'script', position: 'head-prepend', attrs: { type: 'module', async: true }, children: 'go()' },
    { tag: 'noscript', position: 'head', children: [{ tag: 'link', position: 'head-prepend', attrs: { rel: 'stylesheet', href: '/x.css' } }] },
    { tag: 'meta', position: 'body', attrs: { name: 'last' } },
  ])
})

test('what the app sets itself is kept', async (t) => {
  const root = app(t, FILES)
  const { settings } = await import('./support.js')
  const { resolveConfig } = await import('vite')
  const config = await resolveConfig(
    { ...settings(root, { input: 'resources/js/app.ts' }), base: '/cdn/', publicDir: 'static', build: { assetsInlineLimit: 10 } },
    'build',
  )
  assert.equal(config.base, '/cdn/')
  assert.equal(config.publicDir, path.join(root, 'static'))
  assert.equal(config.build.assetsInlineLimit, 10)
})

test('an empty input and a build directory outside the public folder are refused with advice', async (t) => {
  const root = app(t, FILES)
  await assert.rejects(buildApp(root, { input: [] }), /`input` is empty\. Name the files your views ask for/)
  await assert.rejects(buildApp(root, { input: 'resources/js/app.ts', buildDirectory: '../src' }), /must be a folder inside the public folder/)
  await assert.rejects(buildApp(root, { input: 'resources/js/app.ts', buildDirectory: '/' }), /must be a folder inside the public folder/)
})
