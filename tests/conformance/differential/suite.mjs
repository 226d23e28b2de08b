// Runs scenarios against both engines and holds what they found against the list of intended differences.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { intended, open } from '../differences.mjs';
import { Both } from '../harness/both.mjs';

const listed = [...intended, ...open];
const used = new Set();
let [answers, scenarios] = [0, 0];

/**
 * @param {string} name a sentence about behaviour
 * @param {import('../harness/setup.mjs').Setup} setup
 * @param {(world: Both) => Promise<void>} run
 */
export function scenario(name, setup, run) {
  test(name, async () => {
    const world = await Both.start(setup);
    try {
      await run(world);
    } finally {
      await world.close();
    }
    answers += world.answers;
    scenarios += 1;
    const unlisted = world.differences.filter((difference) => !isListed({ scenario: name, ...difference }));
    assert.equal(unlisted.length, 0, `unlisted differences:\n${unlisted.map(print).join('\n')}`);
  });
}

after(() => {
  const met = (entries) => `${entries.filter((entry) => used.has(entry)).length} of ${entries.length}`;
  console.log(`${scenarios} scenarios, ${answers} answers compared; differences met: ${met(intended)} intended, ${met(open)} open`);
  // Entries can only be called stale by a run of everything.
  if (process.env.CONFORMANCE_PART) return;
  const stale = listed.filter((entry) => !used.has(entry)).map(({ reason, field }) => `${field}: ${reason}`);
  assert.deepEqual(stale, [], 'listed in differences.mjs, but not a difference (any more)');
});

function isListed(difference) {
  const found = listed.filter((entry) => describes(entry, difference));
  for (const entry of found) used.add(entry);
  return found.length > 0;
}

function describes(entry, difference) {
  return ['scenario', 'step', 'method', 'path', 'field', 'reference', 'ours'].every((key) => {
    if (!(key in entry)) return true;
    const wanted = entry[key];
    if (wanted instanceof RegExp) return wanted.test(String(difference[key]));
    return Object.is(wanted, difference[key]);
  });
}

function print({ step, method, path, field, reference, ours }) {
  return `  ${step} (${method} ${path}) ${field}\n    reference: ${JSON.stringify(reference)}\n    ours:      ${JSON.stringify(ours)}`;
}
