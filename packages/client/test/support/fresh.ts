// Before anything runs: the built files are those of the sources. An app that uses this package by path gets them as they are.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root } from './root.js'

export default function setup(): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'housekey-client-'))
  try {
    const built = spawnSync(process.execPath, [path.join(root, 'scripts/build.mjs'), folder], { encoding: 'utf8' })
    if (built.status !== 0) throw new Error(`the sources do not compile:\n${built.stdout}${built.stderr}`)
    const stale = [...new Set([...files(folder), ...files(path.join(root, 'dist'))])].filter(
      (file) => content(path.join(folder, file)) !== content(path.join(root, 'dist', file)),
    )
    if (stale.length) throw new Error(`dist/ is not what src/ builds (${stale.join(', ')}): run npm run build`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function files(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
}

function content(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
