// The rows of a database file. Sealed values are opened and hashes left out: they would differ for no reason.

import Database from 'better-sqlite3';

import { open, purposeKey } from './sealed.mjs';

/** @returns {Promise<object[]>} the rows in the order in which they were written */
export async function readRows(file, table) {
  const rows = query(file, `select * from "${table}" order by rowid`);
  for (const row of rows) {
    for (const column of Object.keys(row)) row[column] = await readable(column, row[column]);
  }
  return rows;
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

async function readable(column, value) {
  if (value === null) return null;
  if (column === 'password') return 'a hash';
  if (/^(access|refresh)Token$/.test(column) && /^([0-9a-f]{2}){40,}$/.test(value)) return `sealed(${await open(value)})`;
  return column === 'value' ? readableState(value) : value;
}

/** What a state keeps is JSON, and of a link one field is sealed. */
async function readableState(text) {
  if (!text.startsWith('{')) return text;
  const state = JSON.parse(text);
  if (!state.link?.encryptedSessionToken) return state;
  const token = await open(state.link.encryptedSessionToken, purposeKey('oauth-link-session-token'));
  return { ...state, link: { ...state.link, encryptedSessionToken: `sealed(${token})` } };
}
