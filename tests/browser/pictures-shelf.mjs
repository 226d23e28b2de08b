// Takes the picture of the lending library that the tutorial shows, by day and by night. Run by `cargo xtask pictures`.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { origin } from './harness.mjs';

const [folder, app] = process.argv.slice(2);
if (!folder || !app) throw new Error('say where to put the pictures, and where the app is: node pictures-shelf.mjs <folder> <app>');

const tool = (name) => import(pathToFileURL(join(app, 'tests/browser/support', `${name}.js`)).href);
const { startBrowser, visit } = await tool('browser');
const { signIn } = await tool('member');

const demo = { email: 'demo@example.com', password: 'correct horse battery staple' };

const browser = await startBrowser();
for (const colorScheme of ['light', 'dark']) {
  const { context, page } = await visit(browser, origin, { colorScheme, viewport: { width: 1280, height: 800 } });
  await page.goto('/sign-in');
  await signIn(page, demo);
  await page.waitForURL('**/dashboard');
  await page.goto('/books');
  await page.getByRole('link', { name: 'Moby-Dick' }).click();
  await page.getByRole('heading', { name: 'Moby-Dick' }).waitFor();
  const borrow = page.getByRole('button', { name: 'Borrow' });
  if (await borrow.isVisible()) {
    await borrow.click();
    await page.getByText('Enjoy it!').waitFor();
  }
  await page.goto('/books');
  await page.getByRole('row').filter({ hasText: 'Moby-Dick' }).getByText('Lent').waitFor();
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(folder, `shelf-books-${colorScheme}.png`), animations: 'disabled' });
  await context.close();
}
await browser.close();
