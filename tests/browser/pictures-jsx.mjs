// Takes the pictures of the jsx kit that the README and the guide show: eight pages by day, by night and on a phone. Run by
// `cargo xtask pictures`, with the tools that the kit's own browser tests bring.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { origin } from './harness.mjs';

const [folder, app] = process.argv.slice(2);
if (!folder || !app) throw new Error('say where to put the pictures, and where the app is: node pictures-jsx.mjs <folder> <app>');

const tool = (name) => import(pathToFileURL(join(app, 'tests/browser/support', `${name}.js`)).href);
const { freshAddress, startBrowser, visit } = await tool('browser');
const { addAuthenticator } = await tool('authenticator');
const { mailPage } = await tool('mailbox');
const { confirmAddress, confirmPassword, shownKey, signIn, signUp } = await tool('member');
const { authenticatorApp } = await tool('totp');

const desk = { width: 1280, height: 800 };
const looks = [
  { look: 'light', email: 'ada@example.com', screen: { colorScheme: 'light', viewport: desk } },
  { look: 'dark', email: 'ada@example.net', screen: { colorScheme: 'dark', viewport: desk } },
  { look: 'phone', email: 'ada@example.org', screen: { colorScheme: 'light', viewport: { width: 360, height: 720 } } },
];
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1';

const browser = await startBrowser();
for (const each of looks) await walk(each);
await browser.close();

/** The same way through the app, once for every look: a page that was resized is not one that was opened so. */
async function walk({ look, email, screen }) {
  const { context, page } = await visit(browser, origin, screen);
  const shoot = async (name) => {
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(folder, `jsx-${name}-${look}.png`), animations: 'disabled' });
  };
  const open = async (path, name) => {
    await page.goto(path);
    await shoot(name);
  };
  await open('/sign-in', 'sign-in');
  await open('/sign-up', 'sign-up');
  const ada = await signUp(page, { email });
  // The mailbox is for whoever sits at the machine.
  await context.setExtraHTTPHeaders({});
  await open(`${await mailPage(context, email)}/html`, 'mail');
  await context.setExtraHTTPHeaders(freshAddress());
  await confirmAddress(page, email);
  // Once more, without what the press before it has left to say.
  await open('/dashboard', 'dashboard');

  await otherDevice(ada);
  await open('/settings/sessions', 'sessions');

  await page.goto('/settings/two-factor');
  await page.getByRole('button', { name: 'Set it up' }).click();
  await confirmPassword(page, ada.password);
  await page.getByRole('img', { name: 'QR code with your key' }).waitFor();
  await shoot('two-factor');
  await page.getByLabel('Six-digit code').fill(authenticatorApp(await shownKey(page)).code());
  await page.getByText('Two-factor sign-in is on.').waitFor();
  await shoot('recovery-codes');

  await addAuthenticator(page);
  await page.goto('/settings/passkeys/add');
  await confirmPassword(page, ada.password);
  await page.waitForURL('**/settings/passkeys');
  await page.getByLabel('Name', { exact: true }).fill('MacBook');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Remove MacBook' }).waitFor();
  await open('/settings/passkeys', 'passkeys');
  await context.close();
}

/** A second session to look at. */
async function otherDevice(person) {
  const { context, page } = await visit(browser, origin, { userAgent: phone });
  await page.goto('/sign-in');
  await signIn(page, person);
  await page.waitForURL('**/dashboard');
  await context.close();
}
