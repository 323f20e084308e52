import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { runToEnd } from './process-groups.mjs';
import { inRepository } from './repository.mjs';

/** Chromium that draws no windows. It needs a fifth less processor time for the same pages. */
const shell = 'chromium-headless-shell';

/** Other Chromiums, in the order of preference. */
const wholeBrowsers = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

/** Browser for the tests: path of the program and its origin. @typedef {{path: string, origin: string}} Browser */

/**
 * Provides a Chromium for the browser tests. Tries in this order: CHROMIUM_PATH, an installed headless shell, Debian's
 * package of the headless shell if this user can install it, another installed browser, an earlier download by
 * Playwright, a new download by Playwright.
 *
 * @param {(line: string) => void} onLine called with progress lines
 * @returns {Promise<Browser | undefined>} undefined if every way fails
 */
export async function provideBrowser(onLine) {
  return (
    named() ??
    installed([shell]) ??
    (await fromDebian(onLine)) ??
    installed(wholeBrowsers) ??
    (await playwrights()) ??
    (await downloaded(onLine))
  );
}

/** @returns {Browser | undefined} */
function named() {
  const file = process.env.CHROMIUM_PATH;
  return file && fs.existsSync(file) ? { path: file, origin: `CHROMIUM_PATH, ${file}` } : undefined;
}

/** @param {readonly string[]} names @returns {Browser | undefined} */
function installed(names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const onPath = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  const elsewhere = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ];
  const file = [...onPath, ...elsewhere].find(isProgram);
  return file ? { path: file, origin: `installed, ${file}` } : undefined;
}

/** @param {string} file */
function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    // Ubuntu's package contains only a script, which needs snap. Containers lack snap.
    const head = readHead(file, 4096);
    return !(head.startsWith('#!') && head.includes('snap install'));
  } catch {
    return false;
  }
}

/** @param {string} file @param {number} bytes */
function readHead(file, bytes) {
  const descriptor = fs.openSync(file, 'r');
  try {
    const head = Buffer.alloc(bytes);
    return head.toString('latin1', 0, fs.readSync(descriptor, head, 0, bytes, 0));
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Returns a browser that Playwright has downloaded before. @returns {Promise<Browser | undefined>} */
async function playwrights() {
  const { chromium } = await import(pathToFileURL(inRepository('node_modules/@playwright/test/index.mjs')).href);
  const file = chromium.executablePath();
  return file && fs.existsSync(file) ? { path: file, origin: 'downloaded by Playwright' } : undefined;
}

/** @param {(line: string) => void} onLine @returns {Promise<Browser | undefined>} */
async function fromDebian(onLine) {
  const isDebian = /^ID=debian$/m.test(readOr('/etc/os-release', ''));
  if (!isDebian || process.getuid?.() !== 0) return undefined;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  /** @param {string} name */
  const install = (name) => runToEnd('apt-get', ['install', '-y', '--no-install-recommends', name], { env, onLine });
  try {
    let { code } = await install(shell);
    if (code !== 0) {
      // In a new container, apt has no package lists.
      await runToEnd('apt-get', ['update'], { env, onLine });
      ({ code } = await install(shell));
    }
    // Not every Debian release has the headless shell.
    if (code !== 0 && !installed(wholeBrowsers)) await install('chromium');
  } catch {
    return undefined;
  }
  const browser = installed([shell, ...wholeBrowsers]);
  return browser && { path: browser.path, origin: `Debian's package ${path.basename(browser.path)}` };
}

/** @param {(line: string) => void} onLine @returns {Promise<Browser | undefined>} */
async function downloaded(onLine) {
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
  const args = [
    inRepository('node_modules/@playwright/test/cli.js'),
    'install',
    ...(asRoot ? ['--with-deps'] : []),
    'chromium',
  ];
  const { code } = await runToEnd(process.execPath, args, { onLine });
  return code === 0 ? playwrights() : undefined;
}

/** @param {string} file @param {string} otherwise */
function readOr(file, otherwise) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}
