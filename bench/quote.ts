import { fork } from 'node:child_process';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { verifyAttestation } from '@/lib/protocol/tee/verify-attestation';
import { SimulatedEnclave } from '@/lib/sandbox/enclave/enclave';
import { generateEnclaveKeys } from '@/lib/sandbox/enclave/enclave-keys';

export const QUOTE = 'quote';

/** Limit for the first verification in a process and for later ones. */
const VERIFY_MS_MAX = 150;
const COLD_PROCESSES = 11;
const WARM_UPS = 10;
const WARM_ROUNDS = 100;

/** Times to verify an attestation, in milliseconds. */
export interface QuoteRow {
  /** Median of the first verification in a new process. */
  coldP50Ms: number;
  /** Median in a process that has verified several before. */
  warmP50Ms: number;
  warmP99Ms: number;
}

interface Question {
  report: object;
  nonce: string;
  /** Root certificate in Base64. */
  root: string;
}

interface Times {
  coldMs: number;
  warmMs: number[];
}

/**
 * Verifies a simulated enclave's report in several processes, one after another. Its quote and collateral have the
 * structure of genuine ones.
 */
export async function measureQuote(progress: (text: string) => void): Promise<QuoteRow> {
  const enclave = new SimulatedEnclave(generateEnclaveKeys(Date.now()), '{}');
  const nonce = Buffer.alloc(32, 7);
  const question: Question = {
    report: enclave.attest('model', nonce, Date.now()),
    nonce: nonce.toString('hex'),
    root: Buffer.from(enclave.root).toString('base64'),
  };
  const times: Times[] = [];
  for (let process = 1; process <= COLD_PROCESSES; process++) {
    progress(`${QUOTE}, process ${process} of ${COLD_PROCESSES}`);
    times.push(await timesOf(question));
  }
  progress('');
  const warm = times.flatMap(({ warmMs }) => warmMs);
  return {
    coldP50Ms: quantile(
      times.map(({ coldMs }) => coldMs),
      0.5,
    ),
    warmP50Ms: quantile(warm, 0.5),
    warmP99Ms: quantile(warm, 0.99),
  };
}

export function renderQuote(row: QuoteRow | null): string {
  if (row === null) return '';
  const verdict = Math.max(row.coldP50Ms, row.warmP50Ms) < VERIFY_MS_MAX ? 'holds' : 'MISSED';
  return `Verifying an attestation: ${row.warmP50Ms.toFixed(1)} ms p50, ${row.warmP99Ms.toFixed(1)} ms p99; the first in a process ${row.coldP50Ms.toFixed(1)} ms p50 (under ${VERIFY_MS_MAX} ms: ${verdict})\n`;
}

/** Verifies in a child process: receives a question from the parent and answers with the times. */
export function serveQuote(): void {
  process.once('message', (question: Question) => {
    void timesHere(question).then((times) => process.send?.(times, () => process.exit(0)));
  });
}

async function timesHere({ report, nonce, root }: Question): Promise<Times> {
  const policy = { ...DEFAULT_POLICY, roots: [configuredRoot(Buffer.from(root, 'base64'), true)] };
  const timed = async (): Promise<number> => {
    const startedMs = performance.now();
    const { conclusion, reason } = await verifyAttestation({
      report,
      expected: { nonce, model: 'model', needsPublicKey: true },
      policy,
      nowMs: Date.now(),
    });
    if (conclusion !== 'simulated') throw new Error(`The verdict on the attestation is ${conclusion}: ${reason}`);
    return performance.now() - startedMs;
  };
  const coldMs = await timed();
  for (let round = 0; round < WARM_UPS; round++) await timed();
  const warmMs: number[] = [];
  for (let round = 0; round < WARM_ROUNDS; round++) warmMs.push(await timed());
  return { coldMs, warmMs };
}

function timesOf(question: Question): Promise<Times> {
  const child = fork(process.argv[1] as string, [`--role=${QUOTE}`], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  return new Promise((resolve, reject) => {
    child.once('message', (times) => resolve(times as Times));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The process ended with code ${code}.`)));
    child.send(question);
  });
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
}
