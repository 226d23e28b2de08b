// Better Auth on Node as `cargo xtask bench engine` runs it. It is started like the engine's own server: a setup as one
// line of JSON on the input, the address as one line on the output, and the end when the input closes.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const conformance = new URL('../../tests/conformance/', import.meta.url);
const Database = createRequire(new URL('package.json', conformance))('better-sqlite3');
const { startReference } = await import(new URL('harness/reference.mjs', conformance).href);

const lines = createInterface(process.stdin);
const setup = await new Promise((resolve) => lines.once('line', (line) => resolve(JSON.parse(line))));

// The journal mode stays with the file. In this mode better-sqlite3 synchronises as our engine does (NORMAL), and it
// checks references by itself.
const file = new Database(setup.database);
file.pragma('journal_mode = WAL');
file.close();

const { origin } = await startReference(setup);
console.log(origin);
lines.once('close', () => process.exit());
