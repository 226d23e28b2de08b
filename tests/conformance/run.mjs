// `npm test`: everything, or the parts that are named. Production is what both sides are compared in.

import { spawnSync } from 'node:child_process';

import { requireServer } from './harness/ours.mjs';

requireServer();

const given = process.argv.slice(2);
const options = given.filter((argument) => argument.startsWith('-') || given[given.indexOf(argument) - 1]?.startsWith('-'));
const parts = given.filter((argument) => !options.includes(argument));
const files = (parts.length ? parts : ['browser', 'client', 'differential', 'exchange']).map((part) => `${part}/${part}.test.mjs`);
// Three at once: `differential` takes as long as the others together, and is the third.
const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=3', '--test-reporter=spec', ...options, ...files], {
  cwd: import.meta.dirname,
  env: { ...process.env, NODE_ENV: 'production' },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
