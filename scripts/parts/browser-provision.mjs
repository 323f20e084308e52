import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { runToEnd } from './process-groups.mjs';
import { inRepository } from './repository.mjs';

/** Chromium without window drawing, which needs a fifth less processor time for the same pages. */
const shell = 'chromium-headless-shell';

const isCi = /^(1|true)$/i.test(process.env.CI ?? '');
const aptEnvironment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };

/** Browser for the tests: path of the program and its origin. @typedef {{path: string, origin: string}} Browser */

/** A machine without a network must not wait for apt's own timeouts. */
const IMPATIENT = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=15'];

/**
 * Provides a Chromium for the browser tests. Tries CHROMIUM_PATH, an installed browser, Playwright's earlier download,
 * Debian's package if this user can install it, and last a download by Playwright. In CI, adds Debian's headless shell
 * to an installed browser.
 *
 * @param {(line: string) => void} onLine called with progress lines
 * @returns {Promise<Browser | undefined>} undefined if every way fails
 */
export async function provideBrowser(onLine) {
  return (
    named() ??
    (await headless(onLine)) ??
    installed() ??
    (await playwrights()) ??
    (await fromDebian(onLine)) ??
    (await downloaded(onLine))
  );
}

/** @returns {Browser | undefined} */
function named() {
  const file = process.env.CHROMIUM_PATH;
  return file && fs.existsSync(file) ? { path: file, origin: `CHROMIUM_PATH, ${file}` } : undefined;
}

/**
 * Returns the headless shell if another browser is installed and Debian's package can be added to it, in CI only.
 *
 * @param {(line: string) => void} onLine
 */
async function headless(onLine) {
  const other = installed();
  if (!other || path.basename(other.path) === shell || !isCi || !canInstallFromDebian()) return undefined;
  const { code } = await installFromDebian(shell, onLine).catch(() => ({ code: 1 }));
  return code === 0 ? installed() : undefined;
}

/** @returns {Browser | undefined} */
function installed() {
  const names = [shell, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
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
    // Ubuntu's package is only a script that requires snap, which containers lack.
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
  if (!canInstallFromDebian()) return undefined;
  try {
    let { code } = await installFromDebian(shell, onLine);
    if (code !== 0) {
      // A new image has no package lists.
      await runToEnd('apt-get', ['update'], { env: aptEnvironment, onLine });
      ({ code } = await installFromDebian(shell, onLine));
    }
    // Not every Debian release has the headless shell.
    if (code !== 0) await installFromDebian('chromium', onLine);
  } catch {
    return undefined;
  }
  const browser = installed();
  return browser && { path: browser.path, origin: `Debian's package ${path.basename(browser.path)}` };
}

function canInstallFromDebian() {
  return /^ID=debian$/m.test(readOr('/etc/os-release', '')) && process.getuid?.() === 0;
}

/** @param {string} name @param {(line: string) => void} onLine */
function installFromDebian(name, onLine) {
  const args = [...IMPATIENT, 'install', '-y', '--no-install-recommends', name];
  return runToEnd('apt-get', args, { env: aptEnvironment, onLine });
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
