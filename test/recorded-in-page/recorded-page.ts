import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { RecordingManifest, RecordedResponse } from '@/lib/protocol/attestation/recording/recording';
import type { Recording } from '@/lib/protocol/attestation/testing/verify-recording';
import type { RecordedOutcome } from './recorded-outcome';

/** A recording as it gets into a page: bodies in base64. */
export interface SentRecording {
  manifest: RecordingManifest;
  responses: (Omit<RecordedResponse, 'body'> & { body: string | null })[];
}

/** Of a page in a browser what it takes to have it verify something; Playwright's `Page` is one. */
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

/** An origin that is never asked, and secure, since browsers have cryptography for no other. */
const ORIGIN = 'https://recordings.invalid/';
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

interface InPage {
  recordedOutcome(sent: SentRecording): Promise<RecordedOutcome>;
  timeRecorded(sent: SentRecording): Promise<{ tookMs: number; enclaves: number }>;
}

/** The code that verifies, as a browser runs it: a script without modules. */
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

/** Has a page load that code, without a network. */
export async function openVerifyingPage(page: VerifyingPage, program: string): Promise<void> {
  await page.route(`${ORIGIN}**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Recordings</title>' }),
  );
  await page.goto(ORIGIN);
  await page.evaluate(program);
}

/** What a recording comes to in the page. */
export function outcomeInPage(page: VerifyingPage, recording: Recording): Promise<RecordedOutcome> {
  return page.evaluate(
    (sent: SentRecording) => (globalThis as unknown as InPage).recordedOutcome(sent),
    sentOf(recording),
  );
}

/** How long it takes there, its code being new to the page if this is the first. */
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
