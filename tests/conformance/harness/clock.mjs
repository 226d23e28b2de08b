// Time stands still on both sides and moves together.

import { mock } from 'node:test';

let running = false;

/** @param {number} now milliseconds since 1970 */
export function freeze(now) {
  if (running) mock.timers.reset();
  mock.timers.enable({ apis: ['Date'], now });
  running = true;
}

/** @param {number} milliseconds */
export function forward(milliseconds) {
  mock.timers.setTime(Date.now() + milliseconds);
}
