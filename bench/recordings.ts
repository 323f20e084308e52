import { existsSync } from 'node:fs';
import { recordings } from '@/lib/protocol/attestation/testing/recordings';
import { openVerifyingPage, recordedProgram, timeInPage } from '@/test/recorded-in-page/recorded-page';

export const RECORDINGS = 'recordings';

/** Time limit per enclave of a recording. */
const ENCLAVE_MS_MAX = 300;
const PAGES = 5;
const BROWSERS = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Median times to verify a recording in a browser, in milliseconds. */
export interface RecordedRow {
  name: string;
  enclaves: number;
  /** First verification in a newly opened page. */
  firstMs: number;
  /** Second verification in the same page. */
  againMs: number;
}

/**
 * Verifies each recording of real answers in several pages, opened one after another.
 *
 * @throws Error if there is no recording
 */
export async function measureRecordings(progress: (text: string) => void): Promise<RecordedRow[]> {
  const recorded = recordings();
  if (recorded.size === 0) throw new Error('Set ATTESTATION_SAMPLES to the folder that holds recordings/.');
  const { chromium } = await import('@playwright/test');
  const executablePath = BROWSERS.find((path) => path !== undefined && existsSync(path));
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const program = await recordedProgram(process.cwd());
    const rows: RecordedRow[] = [];
    for (const [name, recording] of recorded) {
      progress(`${RECORDINGS}, ${name}`);
      const times: { first: number; again: number; enclaves: number }[] = [];
      for (let opened = 0; opened < PAGES; opened++) {
        const page = await browser.newPage();
        await openVerifyingPage(page, program);
        const first = await timeInPage(page, recording);
        times.push({
          first: first.tookMs,
          again: (await timeInPage(page, recording)).tookMs,
          enclaves: first.enclaves,
        });
        await page.close();
      }
      rows.push({
        name,
        enclaves: times[0]?.enclaves ?? 0,
        firstMs: medianOf(times.map(({ first }) => first)),
        againMs: medianOf(times.map(({ again }) => again)),
      });
    }
    return rows;
  } finally {
    await browser.close();
  }
}

export function renderRecordings(rows: readonly RecordedRow[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(({ name, enclaves, firstMs, againMs }) => {
    const each = firstMs / enclaves;
    return `| ${name} | ${enclaves} | ${firstMs.toFixed(0)} | ${againMs.toFixed(0)} | ${each.toFixed(0)} | ${each < ENCLAVE_MS_MAX ? 'holds' : 'MISSED'} |`;
  });
  return `${['| recording, in a browser | enclaves | first in a page, ms | again, ms | first, ms an enclave | under 300 |', '|---|--:|--:|--:|--:|---|', ...lines].join('\n')}\n`;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
