import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { RecordingManifest, RecordedResponse } from '@/lib/protocol/attestation/recording/recording';
import type { Recording } from '@/lib/protocol/attestation/testing/verify-recording';
import type { RecordedOutcome } from './recorded-outcome';

/** Recording in the form that is sent to a page: bodies in base64. */
export interface SentRecording {
  manifest: RecordingManifest;
  responses: (Omit<RecordedResponse, 'body'> & { body: string | null })[];
}

/** Functions of Playwright's `Page` that a verification in a browser needs. */
export interface VerifyingPage {
  route(
    url: string,
    handle: (route: { fulfill(answer: { contentType: string; body: string }): Promise<void> }) => Promise<void>,
  ): Promise<unknown>;
  goto(url: string): Promise<unknown>;
  evaluate<Argument, Result>(
    what: string | ((argument: Argument) => Result | Promise<Result>),
    argument?: Argument,
  ): Promise<Result>;
}

/** Origin that the page never contacts. HTTPS, because browsers offer Web Crypto only to secure origins. */
const ORIGIN = 'https://recordings.invalid/';
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

interface InPage {
  recordedOutcome(sent: SentRecording): Promise<RecordedOutcome>;
  timeRecorded(sent: SentRecording): Promise<{ tookMs: number; enclaves: number }>;
}

/** Builds the verifying code for a browser, as one script without modules. */
export async function recordedProgram(repository = REPOSITORY): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: repository,
    entryPoints: ['test/recorded-in-page/program.ts'],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    tsconfig: 'tsconfig.json',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

/** Loads the code into a page without using the network. */
export async function openVerifyingPage(page: VerifyingPage, program: string): Promise<void> {
  await page.route(`${ORIGIN}**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Recordings</title>' }),
  );
  await page.goto(ORIGIN);
  await page.evaluate(program);
}

/** Verifies a recording in the page. */
export function outcomeInPage(page: VerifyingPage, recording: Recording): Promise<RecordedOutcome> {
  return page.evaluate(
    (sent: SentRecording) => (globalThis as unknown as InPage).recordedOutcome(sent),
    sentOf(recording),
  );
}

/** Measures a verification in the page. Before the first verification, the browser has not yet compiled the code. */
export function timeInPage(page: VerifyingPage, recording: Recording): Promise<{ tookMs: number; enclaves: number }> {
  return page.evaluate(
    (sent: SentRecording) => (globalThis as unknown as InPage).timeRecorded(sent),
    sentOf(recording),
  );
}

function sentOf({ manifest, responses }: Recording): SentRecording {
  return {
    manifest,
    responses: responses.map(({ body, ...head }) => ({
      ...head,
      body: body === null ? null : Buffer.from(body).toString('base64'),
    })),
  };
}
