// How much script a browser fetches before an entry runs: the entry and what it imports statically, each file compressed
// the way a server sends it. Prints `<entry> <bytes>` per line, and fails when entries load each other's file.
//
//     node first_load.mjs <build folder>

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const folder = process.argv[2]
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
const entries = Object.keys(manifest).filter((name) => manifest[name].isEntry)

function files(name, found = new Set()) {
  const chunk = manifest[name]
  if (found.has(chunk.file)) return found
  found.add(chunk.file)
  for (const imported of chunk.imports ?? []) files(imported, found)
  return found
}

for (const entry of entries) {
  const loaded = [...files(entry)].filter((file) => file.endsWith('.js'))
  const bytes = loaded.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0)
  console.log(`${entry} ${bytes}`)
  for (const other of entries) {
    if (other !== entry && loaded.includes(manifest[other].file)) {
      console.error(`${entry} loads the code of ${other}`)
      process.exitCode = 1
    }
  }
}
