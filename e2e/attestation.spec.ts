import { build } from 'esbuild';
import { expect, type Page, test } from '@playwright/test';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import type { verifyAttestation } from '@/lib/protocol/tee/verify-attestation';
import { SimulatedEnclave, type Tampering } from '@/lib/sandbox/enclave/enclave';
import { generateEnclaveKeys } from '@/lib/sandbox/enclave/enclave-keys';
import { mutatedAttestation } from '@/lib/sandbox/enclave/testing/mutations';
import { recordedSample } from '@/lib/protocol/tee/testing/recorded-samples';
import { repositoryRoot } from './api/harness/repository-root';

/** The verifier in a browser. It has the same code as on the server and uses nothing of Node. */
type InBrowser = (question: {
  report: unknown;
  nonce: string | null;
  model?: string;
  needsPublicKey: boolean;
  simulatedRoot: number[] | null;
  nowMs: number;
}) => ReturnType<typeof verifyAttestation>;

const SOURCE = `
  import { verifyAttestation } from './lib/protocol/tee/verify-attestation';
  import { DEFAULT_POLICY } from './lib/protocol/tee/policy';
  import { configuredRoot } from './lib/protocol/tee/trusted-roots';
  globalThis.verifyInBrowser = ({ report, nonce, model, needsPublicKey, simulatedRoot, nowMs }) => {
    const roots = [...DEFAULT_POLICY.roots, ...(simulatedRoot ? [configuredRoot(Uint8Array.from(simulatedRoot), true)] : [])];
    return verifyAttestation({ report, expected: { nonce, model: model ?? null, needsPublicKey }, policy: { ...DEFAULT_POLICY, roots }, nowMs });
  };`;

const PAGE_URL = 'https://verifier.test/';
const nowMs = Date.UTC(2026, 10, 1);
const enclave = new SimulatedEnclave(generateEnclaveKeys(nowMs), '{"name": "guide"}');
const nonce = '07'.repeat(32);

let verifier: string;

test.beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: SOURCE, resolveDir: repositoryRoot, loader: 'ts' },
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  verifier = outputFiles[0]?.text ?? '';
});

test.beforeEach(async ({ page }) => {
  // WebCrypto exists only on secure pages.
  await page.route(PAGE_URL, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Verifier</title>' }),
  );
  await page.goto(PAGE_URL);
  await page.addScriptTag({ content: verifier });
});

function verify(page: Page, question: Parameters<InBrowser>[0]) {
  return page.evaluate(async (given) => {
    const { conclusion, reason, checks, key } = await (
      globalThis as unknown as { verifyInBrowser: InBrowser }
    ).verifyInBrowser(given);
    return {
      conclusion,
      reason,
      address: key?.address ?? null,
      failed: checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id),
      passed: checks.filter(({ outcome }) => outcome === 'passed').length,
    };
  }, question);
}
function verifySimulated(page: Page, tampering?: Tampering, simulatedRoot: number[] | null = [...enclave.root]) {
  return verify(page, {
    report: enclave.attest('e2ee-guide', Buffer.from(nonce, 'hex'), nowMs, tampering),
    nonce,
    needsPublicKey: true,
    simulatedRoot,
    nowMs,
  });
}

test('a simulated quote is told apart in the browser, fails where only Intel is trusted, and with its reason if tampered with', async ({
  page,
}) => {
  expect(await verifySimulated(page)).toMatchObject({
    conclusion: 'simulated',
    reason: null,
    address: enclave.address,
    failed: [],
  });

  expect(await verifySimulated(page, undefined, null)).toMatchObject({ conclusion: 'failed', address: null });

  expect(await verifySimulated(page, 'wrong-key')).toMatchObject({
    conclusion: 'failed',
    reason: 'TEE attestation verification failed',
    failed: ['signing-key'],
  });
  expect(await verifySimulated(page, 'wrong-nonce')).toMatchObject({
    conclusion: 'failed',
    reason: 'Attestation nonce mismatch',
    failed: ['nonce'],
  });
  expect(await verifySimulated(page, 'debug')).toMatchObject({
    conclusion: 'failed',
    reason: 'TDX debug mode detected',
    failed: ['debug-off'],
  });
});

test('every class of mutation fails in the browser, for its reason, and every honest form passes', async ({ page }) => {
  const { nowMs: atMs, nonce: sent, root, address, honest, mutations } = mutatedAttestation();
  const inBrowser = (report: object) =>
    verify(page, {
      report,
      nonce: sent,
      model: 'e2ee-guide',
      needsPublicKey: true,
      simulatedRoot: [...root],
      nowMs: atMs,
    });
  for (const { name, report } of honest)
    expect(await inBrowser(report), name).toMatchObject({ conclusion: 'simulated', address });
  for (const { name, report, fails, reason } of mutations) {
    const verdict = await inBrowser(report);
    expect(verdict, name).toMatchObject({ conclusion: 'failed', reason, address: null });
    expect(verdict.failed, name).toContain(fails);
  }
});

const sample = recordedSample();
if (sample) {
  const { quote, collateral } = sample;
  const HARDWARE_CHECKS = 11;
  const question = (bytes: Uint8Array, change: object = {}) => ({
    report: { intel_quote: Buffer.from(bytes).toString('base64'), collateral: { ...collateral, ...change } },
    nonce: null,
    needsPublicKey: false,
    simulatedRoot: null,
    nowMs: sample.nowMs,
  });

  test('a recorded quote passes every check of the hardware in the browser, inside its window and untouched only', async ({
    page,
  }) => {
    const verdict = await verify(page, question(quote));
    // This recording contains no valid key, so only the check of the signing key fails.
    expect(verdict).toMatchObject({ failed: ['signing-key'], passed: HARDWARE_CHECKS });
    expect((await verify(page, { ...question(quote), nowMs: Date.UTC(2025, 7, 1) })).failed).toContain('tcb-info');

    for (const index of [0, 60, 168, 400, 600, 640, 710, 800, 1_000, 1_160, 1_230, 1_300, 4_000, 5_000]) {
      const touched = quote.slice();
      touched[index] = (touched[index] as number) ^ 1;
      expect(
        (await verify(page, question(touched))).failed.filter((id) => id !== 'signing-key'),
        `byte ${index}`,
      ).not.toEqual([]);
    }
    for (const [field, text] of Object.entries(collateral)) {
      const touched = text.slice(0, 300) + (text[300] === '7' ? '8' : '7') + text.slice(301);
      expect(
        (
          await verify(page, question(quote, { [field]: text.length > 301 ? touched : `7${text.slice(1)}` }))
        ).failed.filter((id) => id !== 'signing-key'),
        field,
      ).not.toEqual([]);
    }
  });
}

test('the policy that is built in trusts one root, and it is no simulator’s', () => {
  expect(DEFAULT_POLICY.roots.map(({ isSimulated }) => isSimulated)).toEqual([false]);
});
