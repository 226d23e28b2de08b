// Writes the filter of the most used passwords.
//
//     node passwords.mjs <list.json> <filter.bin>

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

/** Shorter words are refused for their length, in every app. */
const SHORTEST = 6
/** Bytes of each hash. */
const WIDTH = 4

const [list, filter] = process.argv.slice(2)
const words = JSON.parse(readFileSync(list, 'utf8')).map((word) => word.toLowerCase())
const kept = new Set(words.filter((word) => word.length >= SHORTEST))
const hashes = [...kept].map((word) => createHash('sha256').update(word).digest('hex').slice(0, 2 * WIDTH))
const entries = [...new Set(hashes)].sort()
writeFileSync(filter, Buffer.from(entries.join(''), 'hex'))
console.log(`${kept.size} words, ${entries.length} entries of ${WIDTH} bytes in ${filter}`)
