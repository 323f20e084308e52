import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exportAttestation, readExportedAttestation } from '@/lib/protocol/tee/exported-attestation';
import { Malformed } from '@/lib/protocol/tee/malformed';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { type AttestationRequest, verifyAttestation } from '@/lib/protocol/tee/verify-attestation';
import { SimulatedEnclave, type Tampering } from '@/lib/sandbox/enclave/enclave';
import { generateEnclaveKeys } from '@/lib/sandbox/enclave/enclave-keys';
import { runCommand } from '@/test/customer-command';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const nowMs = Date.UTC(2026, 10, 1);
const enclave = new SimulatedEnclave(generateEnclaveKeys(nowMs), '{"name": "guide"}');
const nonce = '07'.repeat(32);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'verify-attestation-'));
const file = path.join(folder, 'export.json');

async function exported(tampering?: Tampering): Promise<string> {
  const report = enclave.attest('e2ee-guide', Buffer.from(nonce, 'hex'), nowMs, tampering);
  const policy = { ...DEFAULT_POLICY, roots: [...DEFAULT_POLICY.roots, configuredRoot(enclave.root, true)] };
  const request: AttestationRequest = {
    report,
    expected: { nonce, model: 'e2ee-guide', needsPublicKey: true },
    policy,
    nowMs,
  };
  return exportAttestation(request, await verifyAttestation(request));
}
const run = (kept: string, ...args: string[]) => runCommand(['verify', '--file', kept, ...args]);

beforeAll(async () => fs.writeFileSync(file, await exported()));
afterAll(() => fs.rmSync(folder, { recursive: true }));

describe('turnpike-client verify --file', () => {
  it('finds again what was found, for the time of the export', async () => {
    const { code, out, err } = await run(file, '--allow-simulated');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('e2ee-guide: SIMULATED, a simulator');
    expect(out).toContain(enclave.address);
    expect(out).toContain('2026-11-01T00:00:00.000Z');
  });

  it('does not accept a simulator that was not allowed', async () => {
    expect(await run(file)).toMatchObject({ code: 1, err: '', out: expect.stringContaining('SIMULATED, ') });
    expect((await run(file, '--allow-unknown-workload')).code).toBe(1);
  });

  it('fails for a time at which the evidence is stale', async () => {
    const later = new Date(nowMs + 400 * 86_400_000).toISOString();
    expect(await run(file, '--allow-simulated', '--at', later)).toMatchObject({
      code: 1,
      out: expect.stringContaining('FAILED, the attestation is not valid (TEE attestation verification failed)'),
    });
  });

  it('gives the whole verdict as JSON', async () => {
    const verdict = JSON.parse((await run(file, '--json')).out) as {
      conclusion: string;
      checks: unknown[];
      key: { publicKey: string };
    };
    expect(verdict).toMatchObject({
      conclusion: 'simulated',
      key: { publicKey: Buffer.from(enclave.publicKey).toString('hex') },
    });
    expect(verdict.checks.length).toBeGreaterThan(10);
  });

  it.each([
    ['wrong-key', 'TEE attestation verification failed'],
    ['wrong-nonce', 'Attestation nonce mismatch'],
    ['debug', 'TDX debug mode detected'],
  ] as const)('fails with %s', async (tampering, reason) => {
    fs.writeFileSync(`${file}.bad`, await exported(tampering));
    expect(await run(`${file}.bad`, '--allow-simulated')).toMatchObject({
      code: 1,
      out: expect.stringContaining(reason),
    });
  });

  it('believes no verdict that the export brings along', async () => {
    const json = {
      ...(JSON.parse(await exported('debug')) as object),
      verdict: { conclusion: 'verified', checks: [] },
    };
    fs.writeFileSync(`${file}.bad`, JSON.stringify(json));
    expect((await run(`${file}.bad`, '--allow-simulated')).code).toBe(1);
  });

  it('takes no root from an export but one that calls itself simulated', async () => {
    const { certificate } = DEFAULT_POLICY.roots[0] as (typeof DEFAULT_POLICY.roots)[number];
    const json = {
      ...(JSON.parse(await exported()) as object),
      simulatedRoot: Buffer.from(certificate.der).toString('base64'),
    };
    expect(() => readExportedAttestation(JSON.stringify(json))).toThrow('is not marked as simulated');
    fs.writeFileSync(`${file}.bad`, JSON.stringify({ ...json, simulatedRoot: null }));
    expect((await run(`${file}.bad`, '--allow-simulated')).code).toBe(1);
  });

  describe('knows a workload', () => {
    const json = async (...args: string[]) =>
      JSON.parse((await run(file, '--json', ...args)).out) as {
        measurements: Record<string, string>;
        workload: string | null;
        checks: { id: string; outcome: string; reason: string | null }[];
      };
    const check = async (...args: string[]) => (await json(...args)).checks.find(({ id }) => id === 'workload');
    const measured = async () => (await json()).measurements;
    const flags = async () => {
      const { mrTd = '', rtMr0 = '', rtMr1 = '', rtMr2 = '', composeHash = '' } = await measured();
      return { '--mr-td': mrTd, '--rtmr0': rtMr0, '--rtmr1': rtMr1, '--rtmr2': rtMr2, '--compose-hash': composeHash };
    };

    it('by firmware, boot and compose file, and by none of them alone', async () => {
      const all = Object.entries(await flags());
      expect(await check(...all.flat())).toMatchObject({ outcome: 'passed' });
      expect((await check(...all.slice(0, 4).flat(), '--rtmr3', (await measured())['rtMr3'] ?? ''))?.outcome).toBe(
        'passed',
      );
      for (const [left] of all)
        expect(await check(...all.filter(([flag]) => flag !== left).flat()), left).toMatchObject({
          outcome: 'not-checkable',
          reason: expect.stringContaining('in addition to'),
        });
      for (const one of all)
        expect(await check(...one), one[0]).toMatchObject({
          outcome: 'not-checkable',
          reason: expect.stringContaining('does not identify the workload'),
        });
      expect(await check(...all.slice(1).flat(), '--mr-td', '9'.repeat(96))).toMatchObject({
        outcome: 'failed',
        reason: expect.stringContaining('differs in MRTD'),
      });
    });

    it('by pins of a file, also where one names an image', async () => {
      const { mrTd, rtMr0, rtMr1, rtMr2, composeHash } = await measured();
      const pins = path.join(folder, 'pins.json');
      const image = { hash: 'd'.repeat(64), mrTd, rtMr0, rtMr1, rtMr2 };
      fs.writeFileSync(
        pins,
        JSON.stringify({
          workloads: [
            { name: 'other', composeHash: '9'.repeat(64) },
            { name: 'mine', composeHash, imageHash: 'd'.repeat(64) },
          ],
          images: [image],
        }),
      );
      expect(await json('--pins', pins)).toMatchObject({ workload: 'mine', conclusion: 'simulated' });
      fs.writeFileSync(pins, JSON.stringify({ workloads: [{ name: 'mine', composeHash, imageHash: 'd'.repeat(64) }] }));
      expect(await check('--pins', pins)).toMatchObject({
        outcome: 'not-checkable',
        reason: expect.stringContaining('The measurements of its image are not pinned.'),
      });
      for (const bad of [
        '',
        '[]',
        '{"workload": []}',
        '{"workloads": [{"name": "x", "mrtd": "00"}]}',
        '{"workloads": [{"name": "", "composeHash": "00"}]}',
        `{"workloads": [{"name": "x", "mrTd": "${'0'.repeat(94)}"}]}`,
        '{"images": [{"hash": "00"}]}',
      ]) {
        fs.writeFileSync(pins, bad);
        expect(await run(file, '--pins', pins), bad).toMatchObject({
          code: 2,
          out: '',
          err: expect.stringContaining('contains no pins'),
        });
      }
    });

    it('and prints what it takes to pin one', async () => {
      const { out } = await run(file);
      for (const value of Object.values(await flags())) expect(out).toContain(value);
    });
  });

  it.each([
    [[], /MODEL is missing/],
    [['--file', file, file], /too many arguments/],
    [['--file', file, '--recording', folder], /--file or --recording, not both/],
    [['--file', `${file}.none`], /cannot be read/],
    [['--file', file, '--at', 'later'], /a time in ISO 8601/],
    [['e2ee-guide', '--at', 'now'], /--at works only with --file or --recording/],
    [['--file', file, '--compose-hash', 'x'], /--compose-hash must be 64 hexadecimal characters/],
    [['--file', file, '--mr-td', 'x'], /--mr-td must be 96 hexadecimal characters/],
    [['--file', file, '--rtmr0', '0'.repeat(64)], /--rtmr0 must be 96 hexadecimal characters/],
    [['--file', file, '--pins', `${file}.none`], /cannot be read/],
    [['--file', file, '--accept-tcb', 'Revoked'], /--accept-tcb is "Revoked"/],
    [['--file', file, '--nvidia-keys', file], /is not a JSON Web Key Set/],
    [['--file', file, '--simulated-root', file], /--simulated-root does not work with --file or --recording/],
    [['--file', file, '--print-pins'], /--print-pins needs a recording/],
    [['--file', file, '--record', 'https://provider.example'], /--record needs the folder/],
    [['e2ee-guide', '--model', 'x'], /--model works only with --record/],
  ])('is used wrongly with %j', async (args, sentence) => {
    expect(await runCommand(['verify', ...args])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(sentence),
    });
  });

  it('refuses a file that is no export in a sentence', async () => {
    fs.writeFileSync(`${file}.bad`, '[]');
    expect(await run(`${file}.bad`)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^The export/) });
  });

  it('prints nothing that a terminal obeys', async () => {
    const json = JSON.parse(await exported()) as { expected: object };
    const model = '\u001b]0;owned\u0007\nforged: VERIFIED';
    fs.writeFileSync(`${file}.bad`, JSON.stringify({ ...json, expected: { ...json.expected, model } }));
    for (const more of [[], ['--json']]) {
      const { out } = await run(`${file}.bad`, ...more);
      expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
      expect(out).not.toMatch(/^forged/m);
    }
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"format": "turnpike-attestation", "version": 2}',
    '{"format": "turnpike-attestation", "version": 1}',
    '{"format": "turnpike-attestation", "version": 1, "expected": {}, "checkedAt": "today"}',
  ])('refuses what is no export: %s', (text) => {
    expect(() => readExportedAttestation(text)).toThrow(Malformed);
  });
});
