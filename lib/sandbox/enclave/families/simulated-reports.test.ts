import { describe, expect, it, vi } from 'vitest';
import { pinsFor } from '@/lib/protocol/attestation/pins';
import { DEFAULT_ENCLAVE_POLICY } from '@/lib/protocol/attestation/policy';
import { sortRecordedAnswers } from '@/lib/protocol/attestation/recording/recorded-answers';
import type { RecordedResponse } from '@/lib/protocol/attestation/recording/recording';
import { verifyReport } from '@/lib/protocol/attestation/verify-report';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { parseCertificate } from '@/lib/protocol/tee/x509/certificate';
import { type CollateralChanges, issueCollateral } from '../hardware/collateral';
import { generatePlatformKeys } from '../hardware/platform-keys';
import type { QuoteForm } from '../hardware/quote';
import {
  chutesAnswers,
  collateralResponses,
  nearCloudReport,
  nearReport,
  phalaReport,
  type SimulatedMachine,
} from './simulated-reports';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const nowMs = Date.UTC(2026, 10, 1);
const platform = generatePlatformKeys(nowMs);
const nonce = Buffer.alloc(32, 7);
const machine: SimulatedMachine = { platform, nowMs };

type Json = Record<string, unknown>;

const answered = (json: unknown): RecordedResponse => ({
  method: 'GET',
  url: 'https://provider.example/report',
  status: 200,
  headers: {},
  body: Buffer.from(JSON.stringify(json)),
});

async function verify(
  answers: readonly unknown[],
  {
    changes = {},
    asked = nonce,
    withCollateral = true,
  }: { changes?: CollateralChanges; asked?: Buffer; withCollateral?: boolean } = {},
) {
  const responses = [
    ...answers.map(answered),
    ...(withCollateral ? collateralResponses(issueCollateral(platform, nowMs, changes)) : []),
  ];
  const { answers: read, endorsements } = sortRecordedAnswers(responses);
  const policy = { ...DEFAULT_ENCLAVE_POLICY, roots: [configuredRoot(platform.certificates.root, true)] };
  const verdict = await verifyReport({
    answers: read,
    endorsements,
    expected: { nonce: asked.toString('hex'), model: null },
    policy,
    nowMs,
  });
  return {
    ...verdict,
    failed: verdict.enclaves.map(({ checks }) =>
      checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id),
    ),
  };
}

/** Answers of each family's provider on a simulated machine. */
const FAMILIES: readonly [family: string, answersOf: (machine: SimulatedMachine) => unknown[]][] = [
  ['near-ed25519', (on) => [nearReport(on, nonce)]],
  ['near-ed25519', (on) => [nearReport(on, nonce, null)]],
  ['near-cloud', (on) => [nearCloudReport(on, nonce)]],
  ['chutes', (on) => [chutesAnswers(on, nonce).keys, chutesAnswers(on, nonce).evidence]],
  ['phala-cloud', (on) => [phalaReport(on, nonce)]],
];
// Chutes answers keys and evidence in two calls, which must be about the same instances.
const chutes = (on: SimulatedMachine, count = 2): [Json, Json] => {
  const { evidence, keys } = chutesAnswers(on, nonce, count);
  return [keys, evidence];
};
const familiesOf = FAMILIES.map(
  ([family, answersOf]) => [family, family === 'chutes' ? (on: SimulatedMachine) => chutes(on) : answersOf] as const,
);

describe.each(familiesOf)('a simulated report in the shape of %s', (family, answersOf) => {
  it.each<QuoteForm>(['4', '5-td10', '5-td15'])(
    'is simulated, with a quote of form %s and whatever the order of its members',
    async (form) => {
      const answers = answersOf({ ...machine, form });
      const found = await verify(answers);
      expect({ family: found.family, verdict: found.verdict, failed: found.failed.flat() }).toEqual({
        family,
        verdict: 'simulated',
        failed: [],
      });
      expect((await verify(answers.map(reversed))).verdict).toBe('simulated');
      expect(pinsFor(found)).toHaveLength(1);
    },
  );

  it('fails under the root of Intel alone, and is not checkable without collateral', async () => {
    const { answers, endorsements } = sortRecordedAnswers(answersOf(machine).map(answered));
    expect(
      (
        await verifyReport({
          answers,
          endorsements,
          expected: { nonce: nonce.toString('hex'), model: null },
          policy: DEFAULT_ENCLAVE_POLICY,
          nowMs,
        })
      ).verdict,
    ).toBe('failed');
    expect((await verify(answersOf(machine), { withCollateral: false })).verdict).toBe('not-checkable');
  });

  it('fails for another nonce, at the check that holds it', async () => {
    const { verdict, failed } = await verify(answersOf(machine), { asked: Buffer.alloc(32, 8) });
    expect(verdict).toBe('failed');
    for (const ids of failed) expect(ids).toContain('nonce');
  });

  it('fails in debug mode, signed as it should be', async () => {
    const { verdict, failed } = await verify(
      answersOf({ ...machine, attributes: Buffer.from('0100001000000000', 'hex') }),
    );
    expect({ verdict, failed: new Set(failed.flat()) }).toEqual({ verdict: 'failed', failed: new Set(['debug-off']) });
  });

  it.each<[string, CollateralChanges]>([
    ['the processor', { revokedByPlatformAuthority: [parseCertificate(platform.certificates.processor).serial] }],
    [
      'the authority of processors',
      { revokedByRoot: [parseCertificate(platform.certificates.platformAuthority).serial] },
    ],
    ['the signer of documents', { revokedByRoot: [parseCertificate(platform.certificates.documentSigner).serial] }],
  ])('fails where %s is revoked', async (_, changes) => {
    const { verdict, failed } = await verify(answersOf(machine), { changes });
    expect({ verdict, failed: new Set(failed.flat()) }).toEqual({ verdict: 'failed', failed: new Set(['revocation']) });
  });

  it('fails with collateral that expired', async () => {
    const { verdict, failed } = await verify(answersOf(machine), {
      changes: { tcbInfo: { nextUpdate: '2026-10-30T00:00:00Z' } },
    });
    expect({ verdict, includes: failed.flat().includes('tcb-info') }).toEqual({ verdict: 'failed', includes: true });
  });
});

describe('a report of several instances', () => {
  const evidenceOf = ([, evidence]: [Json, Json]) => evidence['evidence'] as Json[];
  const keysOf = ([keys]: [Json, Json]) => keys['instances'] as { instance_id: string; e2e_pubkey: string }[];

  it('fails where two keys are swapped, at both', async () => {
    const [keys, evidence] = chutes(machine, 3);
    const [first, second, ...rest] = keysOf([keys, evidence]);
    const swapped = [
      { ...first, e2e_pubkey: second?.e2e_pubkey },
      { ...second, e2e_pubkey: first?.e2e_pubkey },
      ...rest,
    ];
    const { verdict, failed } = await verify([{ instances: swapped }, evidence]);
    expect({ verdict, failed: failed.map((ids) => ids.includes('signing-key')) }).toEqual({
      verdict: 'failed',
      failed: [true, true, false],
    });
  });

  it('uses no instance without a key, whatever becomes of it', async () => {
    const [keys, evidence] = chutes(machine, 2);
    const [, second] = keysOf([keys, evidence]);
    const [first, other] = evidenceOf([keys, evidence]);
    const found = await verify([{ instances: [second] }, { evidence: [{ ...first, quote: 'AAAA' }, other] }]);
    expect({ verdict: found.verdict, used: found.enclaves.map(({ isUsed }) => isUsed) }).toEqual({
      verdict: 'simulated',
      used: [false, true],
    });
    expect((await verify([{ instances: [] }, evidence])).verdict).toBe('not-checkable');
  });

  it('fails by one forged instance among those that could be used', async () => {
    const [keys, evidence] = chutes(machine, 3);
    const [first, second, third] = evidenceOf([keys, evidence]);
    const forged = Buffer.from(String(third?.['quote']), 'base64');
    forged[400] = (forged[400] ?? 0) ^ 1;
    const { verdict, reason, failed } = await verify([
      keys,
      { evidence: [first, second, { ...third, quote: forged.toString('base64') }] },
    ]);
    expect({ verdict, failed }).toEqual({ verdict: 'failed', failed: [[], [], ['quote-signature']] });
    expect(reason).toContain('instance-3');
  });

  it.each<[string, (answers: [Json, Json]) => unknown[], string]>([
    [
      'an instance twice',
      ([keys, evidence]) => [
        keys,
        { evidence: [...(evidence['evidence'] as Json[]), (evidence['evidence'] as Json[])[0]] },
      ],
      'lists an instance twice',
    ],
    [
      'two keys of one instance',
      ([keys, evidence]) => [keys, { instances: [{ instance_id: 'instance-1', e2e_pubkey: 'AAAA' }] }, evidence],
      'two keys for an instance',
    ],
    [
      '10,000 instances',
      ([keys, evidence]) => [
        keys,
        {
          evidence: Array(10_000).fill({ ...(evidence['evidence'] as Json[])[0], quote: 'AAAA', certificate: 'AAAA' }),
        },
      ],
      'more than 64 items',
    ],
    [
      '10,000 keys',
      ([, evidence]) => [
        {
          instances: Array.from({ length: 10_000 }, (_each, index) => ({
            instance_id: String(index),
            e2e_pubkey: 'AAAA',
          })),
        },
        evidence,
      ],
      'more than 64 items',
    ],
  ])('is refused as a whole with %s', async (_, change, words) => {
    const { verdict, checks, enclaves } = await verify(change(chutes(machine)));
    expect({ verdict, enclaves: enclaves.length, check: checks[0]?.outcome }).toEqual({
      verdict: 'failed',
      enclaves: 0,
      check: 'failed',
    });
    expect(checks[0]?.reason).toContain(words);
  });
});

describe('the name of a model', () => {
  const check = async (reported: string, asked: string) => {
    const { answers, endorsements } = sortRecordedAnswers([
      answered({ ...nearReport(machine, nonce), model_name: reported }),
      ...collateralResponses(issueCollateral(platform, nowMs)),
    ]);
    const policy = { ...DEFAULT_ENCLAVE_POLICY, roots: [configuredRoot(platform.certificates.root, true)] };
    const { verdict, enclaves } = await verifyReport({
      answers,
      endorsements,
      expected: { nonce: nonce.toString('hex'), model: asked },
      policy,
      nowMs,
    });
    return [verdict, enclaves[0]?.checks.find(({ id }) => id === 'model')?.outcome];
  };

  it.each([
    ['zai/GLM-5', 'zai/GLM-5', 'simulated', 'passed'],
    ['Qwen/Qwen2.5-7B-Instruct', 'phala/qwen-2.5-7b-instruct', 'simulated', 'not-checkable'],
    ['Qwen/Qwen3-235B', 'zai/GLM-5', 'failed', 'failed'],
  ])('%s is held against the one that was asked for, %s', async (reported, asked, verdict, outcome) => {
    expect(await check(reported, asked)).toEqual([verdict, outcome]);
  });
});

describe('a report beyond its bounds', () => {
  it.each<[string, () => unknown]>([
    ['17 million characters', () => ({ ...nearReport(machine, nonce), filler: 'x'.repeat(17_000_000) })],
    ['a million values', () => ({ ...nearReport(machine, nonce), filler: Array(1_000_001).fill(0) })],
    [
      'a hundred levels',
      () => ({
        ...nearReport(machine, nonce),
        filler: Array.from({ length: 100 }).reduce<unknown>((inner) => [inner], 0),
      }),
    ],
  ])('fails early: %s', async (_, report) => {
    const { verdict, checks, enclaves } = await verify([report()]);
    expect({ verdict, enclaves, check: checks[0]?.outcome }).toEqual({
      verdict: 'failed',
      enclaves: [],
      check: 'failed',
    });
  });

  it('fails for a body that nobody read, since it is too long', async () => {
    const { answers, endorsements } = sortRecordedAnswers([{ ...answered({}), body: null }]);
    expect(
      await verifyReport({
        answers,
        endorsements,
        expected: { nonce: null, model: null },
        policy: DEFAULT_ENCLAVE_POLICY,
        nowMs,
      }),
    ).toMatchObject({ verdict: 'failed', reason: 'The report is too large.' });
  });

  it('is of no family, or no report at all, in words', async () => {
    expect(await verify([{ some: 'thing' }])).toMatchObject({
      verdict: 'failed',
      family: null,
      reason: 'The answer is not a report of a supported family.',
    });
    expect(await verify([])).toMatchObject({ verdict: 'not-checkable', reason: 'There is no report.' });
  });
});

function reversed(json: unknown): unknown {
  return Object.fromEntries(Object.entries(json as Json).reverse());
}
