// The package as a whole: its size, its entries, its types, and the chapters of the guide about it.

import { build } from 'esbuild'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { APP_KEY, binary } from './support/app.js'
import { root } from './support/root.js'

const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, { types: string; default: string }>
  sideEffects: boolean
  dependencies?: object
  peerDependencies: Record<string, string>
  peerDependenciesMeta: Record<string, { optional: boolean }>
}

/** An entry as a production build has it, minified and compressed. `without` stays outside, as if it were loaded already. */
async function size(entry: string, without: string[] = []): Promise<number> {
  const built = await build({
    entryPoints: [path.join(root, 'dist', entry)],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: without,
    write: false,
  })
  return gzipSync(built.outputFiles[0]!.contents, { level: 9 }).length
}

/** What the core brings, and the form and the ceremonies share with it. */
const CORE = ['*/default.js', '*/errors/guards.js']

describe('minified and compressed', () => {
  test('the core is at most 2.5 kB', async () => {
    expect(await size('index.js')).toBeLessThanOrEqual(2500)
  })

  test.each(['vue', 'react', 'svelte'])('the form for %s is at most 1.5 kB', async (framework) => {
    expect(await size(`${framework}.js`, [framework, ...CORE])).toBeLessThanOrEqual(1500)
  })

  test('passkeys are at most 2 kB', async () => {
    expect(await size('passkeys/index.js', CORE)).toBeLessThanOrEqual(2000)
  })

  test('live updates are at most 1.3 kB, and no part of the core', async () => {
    expect(await size('live.js')).toBeLessThanOrEqual(1300)
  })

  test('who imports one guard gets one guard', async () => {
    const built = await build({
      stdin: { contents: `import { isInvalid } from './dist/index.js'; console.log(isInvalid(0))`, resolveDir: root },
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    })
    expect(built.outputFiles[0]!.text).not.toContain('x-csrf-token')
    expect(built.outputFiles[0]!.contents.length).toBeLessThan(300)
  })
})

describe('the manifest', () => {
  test('every entry has code and types', () => {
    expect(Object.keys(manifest.exports)).toEqual(['.', './vue', './react', './svelte', './passkeys', './live'])
    for (const { types, default: code } of Object.values(manifest.exports)) {
      expect(existsSync(path.join(root, types)) && existsSync(path.join(root, code))).toBe(true)
    }
  })

  // spec: VER-2
  test('it depends on nothing, and every framework is optional', () => {
    expect(manifest.dependencies).toBeUndefined()
    expect(manifest.sideEffects).toBe(false)
    const peers = Object.keys(manifest.peerDependencies)
    expect(peers).toEqual(['react', 'svelte', 'vue'])
    for (const peer of peers) expect(manifest.peerDependenciesMeta[peer]).toEqual({ optional: true })
  })

  // spec: CLT-9
  test('only the adapters import anything from outside, and only their framework', () => {
    const files = readdirSync(path.join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter((file) => /\.(js|d\.ts)$/.test(file))
    const imported = files.flatMap((file) => {
      const text = readFileSync(path.join(root, 'dist', file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
      const names = [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((match) => match[1]!)
      return names.filter((name) => !name.startsWith('.')).map((name) => `${file}: ${name}`)
    })
    expect(imported.sort()).toEqual(['react.js: react', 'vue.js: vue'])
  })

  test('one error class per file', () => {
    for (const file of readdirSync(path.join(root, 'src/errors'))) {
      const classes = readFileSync(path.join(root, 'src/errors', file), 'utf8').match(/^export class /gm) ?? []
      expect(classes.length, file).toBe(file === 'guards.ts' ? 0 : 1)
    }
  })
})

describe('types', () => {
  const check = (project: string) => {
    const done = spawnSync(path.join(root, 'node_modules/.bin/tsc'), ['--project', project], { cwd: root, encoding: 'utf8' })
    return done.stdout + done.stderr
  }

  /** A folder that is compiled as if it were an app, which has the package and the frameworks among its own. */
  const project = (options: object) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'housekey-client-types-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    mkdirSync(path.join(folder, 'node_modules/@housekey'), { recursive: true })
    symlinkSync(root, path.join(folder, 'node_modules/@housekey/client'))
    for (const name of ['@types', 'react', 'vue']) symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name))
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
    const compilerOptions = { rootDir: '/', ...options }
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ extends: path.join(root, 'tsconfig.test.json'), compilerOptions, include: ['.'], exclude: [] }))
    return folder
  }

  test('the sources and the tests are sound', () => expect(check('tsconfig.test.json')).toBe(''))

  test('they allow what is right and refuse what is not', () => expect(check('test/types')).toBe(''))

  const chapters = ['client', 'forms', 'frontend', 'installable', 'live', 'types'].map((name) => `../../docs/${name}.md`)
  test.each(['README.md', ...chapters])('the examples of %s compile', (chapter) => {
    const blocks = [...readFileSync(path.join(root, chapter), 'utf8').matchAll(/^```(tsx?)\n([\s\S]*?)^```$/gm)]
    expect(blocks.length).toBeGreaterThan(0)
    const folder = project({ noUnusedLocals: false, noPropertyAccessFromIndexSignature: false })
    blocks.forEach(([, kind, code], at) => writeFileSync(path.join(folder, `block-${at + 1}.${kind}`), `${code}\nexport {}\n`))
    expect(check(folder)).toBe('')
  })

  test('what an app writes from its Rust allows what is right and refuses what is not', () => {
    const folder = project({})
    const run = (...words: string[]) => {
      const done = spawnSync(binary, words, { encoding: 'utf8', env: { APP_ROOT: folder, APP_KEY } })
      return { status: done.status, said: done.stdout + done.stderr }
    }
    expect(run('types')).toMatchObject({ status: 0 })
    expect(run('types', '--check')).toMatchObject({ status: 0 })
    copyFileSync(path.join(root, 'test/generated/calls.ts'), path.join(folder, 'calls.ts'))
    expect(check(folder)).toBe('')
  })
})
