// Takes the pictures that the README and the guide show. Run by `cargo xtask pictures`.

import { join } from 'node:path';

import { launch, visit } from './harness.mjs';

const folder = process.argv[2];
if (!folder) throw new Error('say where to put the pictures: node pictures.mjs <folder>');

const shots = [
  { name: 'welcome-light', path: '/', scheme: 'light', width: 1280, height: 800 },
  { name: 'welcome-dark', path: '/', scheme: 'dark', width: 1280, height: 800 },
  { name: 'welcome-phone', path: '/', scheme: 'light', width: 360, height: 740 },
  { name: 'not-found-dark', path: '/nobody-wrote-this', scheme: 'dark', width: 1280, height: 800 },
];

const browser = await launch();
for (const { name, path, ...screen } of shots) {
  const { page, close } = await visit(browser, path, screen);
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
  await close();
}
await browser.close();
