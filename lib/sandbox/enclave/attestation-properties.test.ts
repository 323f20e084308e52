import { describe, expect, it, vi } from 'vitest';
import { exportAttestation, readExportedAttestation } from '@/lib/protocol/tee/exported-attestation';
import { readNvidiaPayload } from '@/lib/protocol/tee/gpu/nvidia-payload';
import { readSpdmMeasurements } from '@/lib/protocol/tee/gpu/gpu-evidence';
import { readCollateral } from '@/lib/protocol/tee/hardware/collateral';
import { parseQeIdentity } from '@/lib/protocol/tee/hardware/qe-identity';
import { parseTcbInfo } from '@/lib/protocol/tee/hardware/tcb-info';
import { readAttestationReport } from '@/lib/protocol/tee/attestation-report';
import { Malformed } from '@/lib/protocol/tee/malformed';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { type AttestationVerdict, verifyAttestation } from '@/lib/protocol/tee/verify-attestation';
import { readEventLog } from '@/lib/protocol/tee/workload/workload';
import { readWorkloadPins } from '@/lib/protocol/tee/workload/pins-file';
import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import { genuineReport } from './testing/genuine-report';
import { mutatedBytes, mutatedJson, mutatedText } from './testing/random-mutations';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 180_000 });

const { nowMs, report, verify } = await genuineReport();
const honest = await verify(report);
const quote = Buffer.from(report['intel_quote'] as string, 'hex');
const collateral = report['collateral'] as Record<string, string>;
const outcomeOf = (verdict: AttestationVerdict, id: string) => verdict.checks.find((check) => check.id === id)?.outcome;

/** Returns the facts that a "verified" verdict establishes. No changed report may get "verified" with other facts. */
const established = ({ key, measurements, workload }: AttestationVerdict) => ({ key, measurements, workload });

function expectNoOtherVerdict(verdict: AttestationVerdict, what: string): void {
  if (verdict.conclusion === 'verified') expect(established(verdict), what).toEqual(established(honest));
  else expect(['failed', 'not-checkable', 'unknown-workload'], what).toContain(verdict.conclusion);
}

it('a genuine report is verified in every check, so that what follows starts from the whole of it', () => {
  expect(honest).toMatchObject({ conclusion: 'verified', workload: 'guide' });
  expect(honest.checks.map(({ outcome }) => outcome)).toEqual(honest.checks.map(() => 'passed'));
});

describe('a genuine report with random changes', () => {
  it('is never verified with a changed quote, whatever was flipped, cut, repeated or made up', async () => {
    const random = new SeededRandom(16);
    for (let round = 0; round < 90; round++) {
      const bytes = mutatedBytes(quote, random);
      // The verifier ignores zeros after the quote, so they are the only addition it accepts.
      if (bytes.subarray(0, quote.length).equals(quote) && bytes.subarray(quote.length).every((byte) => byte === 0))
        continue;
      const { conclusion, key } = await verify({ ...report, intel_quote: bytes.toString('hex') });
      expect({ round, conclusion, key }).toEqual({ round, conclusion: 'failed', key: null });
    }
  });

  it.each(Object.keys(collateral))('is never verified with another %s', async (field) => {
    const random = new SeededRandom(field.length * 31);
    for (let round = 0; round < 10; round++) {
      const text = mutatedText(collateral[field] as string, random);
      const isSame = text.toLowerCase() === collateral[field]?.toLowerCase();
      const verdict = await verify({ ...report, collateral: { ...collateral, [field]: text } });
      if (isSame) expectNoOtherVerdict(verdict, field);
      else
        expect({ round, text: text.slice(0, 200), conclusion: verdict.conclusion }).toEqual({
          round,
          text: text.slice(0, 200),
          conclusion: 'failed',
        });
    }
  });

  it('does not have its GPU evidence pass with a change to what GPUs signed or what certifies them', async () => {
    const random = new SeededRandom(17);
    const payload = JSON.parse(report['nvidia_payload'] as string) as {
      evidence_list: { certificate: string; evidence: string }[];
    };
    for (let round = 0; round < 60; round++) {
      const part = random.pick(['certificate', 'evidence'] as const);
      const index = random.integer(0, 1);
      const original = Buffer.from(payload.evidence_list[index]?.[part] ?? '', 'base64');
      const bytes = mutatedBytes(original, random);
      if (isPaddedSame(bytes, original)) continue;
      const evidence = payload.evidence_list.map((gpu, each) =>
        each === index ? { ...gpu, [part]: bytes.toString('base64') } : gpu,
      );
      const verdict = await verify({
        ...report,
        nvidia_payload: JSON.stringify({ ...payload, evidence_list: evidence }),
      });
      expect({ round, part, conclusion: verdict.conclusion, check: outcomeOf(verdict, 'gpu-evidence') }).toEqual({
        round,
        part,
        conclusion: 'failed',
        check: 'failed',
      });
    }
  });

  it('does not have NVIDIA’s verdict pass with a change to it, its keys, or their certificates', async () => {
    const random = new SeededRandom(18);
    for (let round = 0; round < 60; round++) {
      const name = random.pick(['nvidia_verdict', 'nvidia_keys'] as const);
      const { value, path } = mutatedJson(report[name], random);
      const verdict = await verify({ ...report, [name]: value });
      expectNoOtherVerdict(verdict, path);
      if (outcomeOf(verdict, 'gpu') === 'passed')
        expect(spokenByNvidia({ ...report, [name]: value }), `round ${round}: ${path}`).toEqual(spokenByNvidia(report));
    }
  });

  it('never leads to other registers with another event log', async () => {
    const random = new SeededRandom(19);
    for (let round = 0; round < 80; round++) {
      const { value, path } = mutatedJson(report['event_log'], random);
      const verdict = await verify({ ...report, event_log: value });
      expectNoOtherVerdict(verdict, `round ${round}: ${path}`);
      if (outcomeOf(verdict, 'event-log') !== 'passed') continue;
      const led = digestsByRegister(value);
      for (const register of new Set([...led.keys(), 3]))
        expect(led.get(register), `round ${round}: ${path}`).toEqual(
          digestsByRegister(report['event_log']).get(register),
        );
    }
  });

  it('says nothing else under "verified", wherever it was changed', async () => {
    const random = new SeededRandom(20);
    for (let round = 0; round < 80; round++) {
      const { value, path } = mutatedJson(report, random);
      expectNoOtherVerdict(await verify(value), `round ${round}: ${path}`);
    }
  });
});

describe('parsers of what others say', () => {
  const payload = JSON.parse(report['nvidia_payload'] as string) as { evidence_list: { evidence: string }[] };
  const spdm = Buffer.from(payload.evidence_list[0]?.evidence ?? '', 'base64');
  const request = {
    report,
    expected: { nonce: null, model: null, needsPublicKey: false },
    policy: DEFAULT_POLICY,
    nowMs,
  };
  const pins = JSON.stringify({
    workloads: [{ name: 'x', composeHash: 'ab'.repeat(32) }],
    images: [
      {
        hash: 'ab'.repeat(32),
        mrTd: '00'.repeat(48),
        rtMr0: '00'.repeat(48),
        rtMr1: '00'.repeat(48),
        rtMr2: '00'.repeat(48),
      },
    ],
  });

  it.each<[string, (random: SeededRandom) => unknown]>([
    ['reports', (random) => readAttestationReport(mutatedJson(report, random).value)],
    ['collateral', (random) => readCollateral(mutatedJson(collateral, random).value)],
    ['TCB info', (random) => parseTcbInfo(mutatedDocument(collateral['tcb_info'], random))],
    ['QE identities', (random) => parseQeIdentity(mutatedDocument(collateral['qe_identity'], random))],
    ['GPU evidence', (random) => readNvidiaPayload(mutatedDocument(report['nvidia_payload'], random))],
    ['what GPUs sign', (random) => readSpdmMeasurements(mutatedBytes(spdm, random))],
    ['event logs', (random) => readEventLog(mutatedJson(report['event_log'], random).value)],
    ['exports', (random) => readExportedAttestation(mutatedDocument(exportAttestation(request, honest), random))],
    ['pins', (random) => readWorkloadPins(mutatedDocument(pins, random))],
  ])('of %s throw nothing but that it is malformed', (_, parse) => {
    const random = new SeededRandom(21);
    let refused = 0;
    for (let round = 0; round < 400; round++) {
      try {
        parse(random);
      } catch (error) {
        if (!(error instanceof Malformed)) throw error;
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(20);
  });

  /** Mutates the raw text in 30 % of calls, which mostly breaks the JSON. Otherwise mutates the parsed JSON. */
  function mutatedDocument(text: unknown, random: SeededRandom): string {
    return random.chance(0.3)
      ? mutatedText(text as string, random)
      : (JSON.stringify(mutatedJson(JSON.parse(text as string), random).value) ?? '');
  }
});

describe('enormous reports', () => {
  const deep = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
  const event = (report['event_log'] as object[])[0];
  const payload = JSON.parse(report['nvidia_payload'] as string) as { evidence_list: object[] };

  it.each<[string, () => object]>([
    ['a field of 100 MB', () => ({ info: 'x'.repeat(100_000_000) })],
    ['a quote of 100 MB', () => ({ intel_quote: 'ab'.repeat(50_000_000) })],
    ['a million events', () => ({ event_log: Array.from({ length: 1_000_000 }, () => event) })],
    ['a log of 10,000 events', () => ({ event_log: Array.from({ length: 10_000 }, () => event) })],
    [
      'a chain of 100,000 certificates',
      () => ({
        collateral: {
          ...collateral,
          tcb_info_issuer_chain: (collateral['tcb_info_issuer_chain'] ?? '').repeat(50_000),
        },
      }),
    ],
    ['a revocation list of 40 MB', () => ({ collateral: { ...collateral, pck_crl: '30'.repeat(20_000_000) } })],
    ['GPU evidence nested 100,000 deep', () => ({ nvidia_payload: deep(100_000) })],
    [
      'GPU evidence in text nested 100,000 deep',
      () => ({ nvidia_payload: `{"nonce":${'['.repeat(100_000)}${']'.repeat(100_000)}}` }),
    ],
    ['an event log in text nested 100,000 deep', () => ({ event_log: '['.repeat(100_000) + ']'.repeat(100_000) })],
    ['a field that nobody reads nested 100,000 deep', () => ({ other: deep(100_000) })],
    [
      'evidence of 100,000 GPUs',
      () => ({
        nvidia_payload: JSON.stringify({
          ...payload,
          evidence_list: Array.from({ length: 100_000 }, () => ({ certificate: '', evidence: '' })),
        }),
      }),
    ],
    [
      'keys of NVIDIA’s with 100,000 certificates',
      () => ({ nvidia_keys: { keys: [{ kid: 'nv', x5c: Array(100_000).fill('AAAA') }] } }),
    ],
    ['100,000 keys of NVIDIA’s', () => ({ nvidia_keys: { keys: Array(100_000).fill({ kid: 'nv' }) } })],
  ])('fail at once with %s, and can be exported', async (_, change) => {
    const changed = { ...report, ...change() };
    const started = process.cpuUsage();
    const verdict = await verify(changed);
    const { user, system } = process.cpuUsage(started);
    expect(verdict.conclusion).toBe('failed');
    expect((user + system) / 1_000, 'milliseconds of CPU').toBeLessThan(5_000);
    const request = {
      report: changed,
      expected: { nonce: null, model: null, needsPublicKey: false },
      policy: DEFAULT_POLICY,
      nowMs,
    };
    expect(() => exportAttestation(request, verdict)).not.toThrow();
  });

  it('are not believed for being empty or of another kind either', async () => {
    for (const other of [
      undefined,
      null,
      0,
      '',
      [],
      () => 1,
      Symbol('report'),
      new Date(0),
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('no');
          },
        },
      ),
    ]) {
      const { conclusion, key } = await verifyAttestation({
        report: other,
        expected: { nonce: null, model: null, needsPublicKey: false },
        policy: DEFAULT_POLICY,
        nowMs,
      });
      expect(['failed', 'not-checkable']).toContain(conclusion);
      expect(key).toBeNull();
    }
  });
});

/**
 * Returns the parts that NVIDIA signs: its tokens and the certificate of its key. Other names in the report are
 * unsigned.
 */
function spokenByNvidia({ nvidia_verdict: verdict, nvidia_keys: keys }: Readonly<Record<string, unknown>>): unknown {
  const [overall, gpus] = verdict as [unknown[], unknown];
  return [
    overall[1],
    gpus,
    (keys as { keys: { kid: string; x5c: unknown }[] }).keys.find(({ kid }) => kid === 'nv')?.x5c,
  ];
}

/** Returns the event digests of each register in the log. A service may omit all events of a firmware register. */
function digestsByRegister(log: unknown): Map<number, Uint8Array[]> {
  const digests = new Map<number, Uint8Array[]>();
  for (const { register, digest } of readEventLog(log))
    digests.set(register, [...(digests.get(register) ?? []), digest]);
  return digests;
}

/**
 * Returns whether bytes equal the original. For PEM, ignores NUL bytes at the end, because devices pad PEM with them.
 */
function isPaddedSame(bytes: Buffer, original: Buffer): boolean {
  const trimmed = (from: Buffer) => from.subarray(0, from.findLastIndex((byte) => byte !== 0) + 1);
  return bytes.equals(original) || (original.includes('-----BEGIN') && trimmed(bytes).equals(trimmed(original)));
}
