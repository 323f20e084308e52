/**
 * Measures every page of the console at E2E_BASE_URL. `npm run pages` starts a console and calls this. Exits with 1 if
 * a page exceeds a bound.
 */
import { chromium } from '@playwright/test';
import { parseArgs } from 'node:util';
import { kilobytes, missedBounds } from './bounds.ts';
import { measurePage, type PageFigures } from './page-figures.ts';
import { connectedWalletState } from './wallet-state.ts';

const { values: options } = parseArgs({
  options: { json: { type: 'boolean' }, page: { type: 'string', multiple: true }, rounds: { type: 'string' } },
});
const baseUrl = process.env.E2E_BASE_URL ?? 'http://localhost:3000';
const executablePath = process.env.CHROMIUM_PATH;
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const walletState = await connectedWalletState(browser, baseUrl);
  const measured = { browser, baseUrl, walletState, rounds: Number(options.rounds ?? 3) };
  const all: PageFigures[] = [];
  if (!options.json) console.log(row(['page', 'script KB', 'CLS', 'slow API', 'wallet', 'INP ms', 'failed']));
  for (const path of options.page ?? (await consolePaths())) {
    const figures = await measurePage(measured, path);
    all.push(figures);
    if (!options.json) console.log(row(cells(figures)));
  }
  const missed = all.flatMap(missedBounds);
  if (options.json) console.log(JSON.stringify({ pages: all, missed }, undefined, 2));
  else for (const sentence of missed) console.log(sentence);
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  await browser.close();
}

/** Returns the paths of the pages that the console links to. */
async function consolePaths(): Promise<string[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  try {
    await page.goto(baseUrl);
    const links = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all();
    const paths = await Promise.all(links.map((link) => link.getAttribute('href')));
    return [...new Set(paths.filter((path) => path !== null))];
  } finally {
    await page.close();
  }
}

function cells({ path, scriptBytes, shift, interactionMs, failed }: PageFigures): string[] {
  return [
    path,
    String(kilobytes(scriptBytes)),
    shift.plain.toFixed(3),
    shift.slowApi.toFixed(3),
    shift.withWallet.toFixed(3),
    String(Math.round(interactionMs)),
    String(failed.length),
  ];
}

function row([page = '', ...figures]: string[]): string {
  return `${page.padEnd(12)}${figures.map((figure) => figure.padStart(11)).join('')}`;
}
