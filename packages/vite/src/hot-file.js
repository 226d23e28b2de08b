import fs from 'node:fs'
import path from 'node:path'

/**
 * The note to the app that a dev server runs, and where. It exists exactly as long as the server does, as far as a
 * process can promise that; the app still checks that somebody answers before it believes the note.
 *
 * @typedef {{ origin: string, pid: number, client: string, tags: import('./index.d.ts').InjectedTag[] }} Note
 */
export class HotFile {
  /** @param {string} file */
  constructor(file) {
    this.file = file
    this.written = false
  }

  /** @param {Note} note */
  write(note) {
    // First of all: a signal that comes the moment the note is there must find somebody who takes it away.
    this.written = true
    removeWhenTheProcessEnds(this)
    fs.mkdirSync(path.dirname(this.file), { recursive: true })
    // Renamed into place: the app may read at any moment and must never see half a note.
    const draft = `${this.file}.${process.pid}`
    fs.writeFileSync(draft, `${JSON.stringify(note, null, 2)}\n`)
    fs.renameSync(draft, this.file)
  }

  remove() {
    leftovers.delete(this)
    if (!this.written) return
    this.written = false
    // A second dev server may have written its own note since; that one is not ours to take away.
    if (readNote(this.file)?.pid === process.pid) fs.rmSync(this.file, { force: true })
  }
}

/** @type {Set<HotFile>} */
const leftovers = new Set()
let listening = false

/** @param {HotFile} hot */
function removeWhenTheProcessEnds(hot) {
  leftovers.add(hot)
  if (listening) return
  listening = true
  process.on('exit', () => {
    for (const each of [...leftovers]) each.remove()
  })
  // Without a listener these end the process without an `exit` event.
  for (const [signal, code] of /** @type {const} */ ([['SIGHUP', 129], ['SIGINT', 130], ['SIGTERM', 143]])) {
    process.once(signal, () => process.exit(code))
  }
}

/**
 * @param {string} file
 * @returns {{ pid?: unknown } | undefined}
 */
function readNote(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
