// The rows of a database file. Sealed values are opened and hashes left out: they would differ for no reason.

import Database from 'better-sqlite3';

import { open, openFlow, openTokens } from './sealed.mjs';

/** @returns {Promise<object[]>} the rows in the order in which they were written */
export async function readRows(file, table) {
  const rows = query(file, `select * from "${table}" order by rowid`);
  if (table === 'jwks') return Promise.all(rows.map(openKey));
  return Promise.all(rows.map(async (row) => (table === 'verification' ? { ...row, value: await readable(row.value) } : withoutHash(await openTokens(row)))));
}

/** Any other look at a file. */
export function query(file, sql, ...values) {
  const database = new Database(file, { readonly: true });
  try {
    return database.prepare(sql).all(...values);
  } finally {
    database.close();
  }
}

/** @param {string[]} statements */
export function change(file, statements) {
  const database = new Database(file);
  try {
    for (const statement of statements) database.exec(statement);
  } finally {
    database.close();
  }
}

/** What is kept of a flow is JSON, most other values are texts. */
function readable(value) {
  return value.startsWith('{') ? openFlow(JSON.parse(value)) : value;
}

/** The halves of a key are JSON, and the private one is sealed, mostly. */
async function openKey(row) {
  const stored = JSON.parse(row.privateKey);
  const privateKey = typeof stored === 'string' ? { sealed: JSON.parse(await open(stored)) } : stored;
  return { ...row, publicKey: JSON.parse(row.publicKey), privateKey };
}

function withoutHash(row) {
  return row.password ? { ...row, password: 'a hash' } : row;
}
