// Builds dist/ out of src/. It is part of the repository, because an app made from a checkout uses this package by path
// and has no compiler for it; `npm test` fails when it is not what the sources build.

import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = process.argv[2] ?? `${root}dist`

rmSync(target, { recursive: true, force: true })
const built = spawnSync(`${root}node_modules/.bin/tsc`, ['--project', root, '--outDir', target], { stdio: 'inherit' })
process.exit(built.status ?? 1)
