// The pages of the `none` kit while it is developed: assets come from the bundler's dev server.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch, overflow, visit } from './harness.mjs';

/** @type {import('playwright-core').Browser} */
let browser;

before(async () => {
  browser = await launch();
});

after(() => browser?.close());

for (const scheme of ['light', 'dark']) {
  test(`the landing page loads from the dev server within the policy (${scheme})`, async () => {
    const { page, response, problems, close } = await visit(browser, '/', { scheme, width: 360 });
    assert.equal(response.status(), 200);
    assert.ok(await page.locator('script[src*="@vite/client"]').count(), 'the dev server is in use');
    assert.equal(await overflow(page), 0);
    assert.deepEqual(problems, []);
    await close();
  });
}

test('a failing handler shows what happened, to its developer only', async () => {
  const { page, response, problems, close } = await visit(browser, '/try/500', { width: 360 });
  assert.equal(response.status(), 500);
  assert.match(await page.locator('body').innerText(), /a private note/);
  assert.equal(await overflow(page), 0);
  assert.deepEqual(problems, []);
  await close();
});
