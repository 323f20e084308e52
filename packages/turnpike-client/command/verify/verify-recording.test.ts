import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { chutesAnswers, collateralResponses } from '@/lib/sandbox/enclave/families/simulated-reports';
import { issueCollateral } from '@/lib/sandbox/enclave/hardware/collateral';
import { generatePlatformKeys } from '@/lib/sandbox/enclave/hardware/platform-keys';
import { INTEL_ROOT } from '@/lib/protocol/tee/trusted-roots';
import { runCommand } from '@/test/customer-command';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const nowMs = Date.UTC(2026, 10, 1);
const platform = generatePlatformKeys(nowMs);
const nonce = Buffer.alloc(32, 7);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recording-'));
const responses = path.join(folder, 'responses');

function write(name: string, head: object, body: Uint8Array | string) {
  fs.writeFileSync(path.join(responses, `${name}.json`), JSON.stringify(head));
  fs.writeFileSync(path.join(responses, `${name}.body`), body);
}

function manifest(change: object = {}) {
  fs.writeFileSync(
    path.join(folder, 'manifest.json'),
    JSON.stringify({
      provider: 'simulated',
      model: null,
      nonce_hex: nonce.toString('hex'),
      captured_at: '2026-11-01T00:00:00.123456789Z',
      simulated_root: platform.certificates.root.toString('base64'),
      ...change,
    }),
  );
}

beforeEach(() => {
  fs.mkdirSync(responses, { recursive: true });
  for (const file of fs.readdirSync(responses)) fs.rmSync(path.join(responses, file));
  const { evidence, keys } = chutesAnswers({ platform, nowMs }, nonce);
  const head = {
    method: 'GET',
    url: 'https://provider.example/',
    status: 200,
    headers: { 'Content-Type': ['application/json'] },
  };
  write('0001_keys', head, JSON.stringify(keys));
  write('0002_evidence', head, JSON.stringify(evidence));
  for (const [index, { body, headers, ...rest }] of collateralResponses(issueCollateral(platform, nowMs)).entries())
    write(
      `001${index}_intel`,
      { ...rest, headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])) },
      body,
    );
  manifest();
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

const run = (...args: string[]) => runCommand(['verify', '--recording', folder, ...args]);

describe('turnpike-client verify --recording', () => {
  it('finds, for the time of the recording, what its enclaves come to', async () => {
    const { code, out, err } = await run('--allow-simulated');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const words of [
      '── model instance-1 · Intel TDX · simulated',
      'not the one that would be used',
      'Family           chutes',
      'SIMULATED, ',
    ])
      expect(out).toContain(words);
    expect((await run()).code).toBe(1);
    const later = new Date(nowMs + 400 * 86_400_000).toISOString();
    expect((await run('--allow-simulated', '--at', later)).code).toBe(1);
  });

  it('gives the verdict as JSON, check by check', async () => {
    const json = JSON.parse((await run('--json')).out) as {
      verdict: string;
      family: string;
      enclaves: {
        role: string;
        hardware: string;
        verdict: string;
        checks: { id: string; outcome: string; detail: string }[];
      }[];
    };
    expect(json).toMatchObject({ verdict: 'simulated', family: 'chutes' });
    expect(json.enclaves.map(({ role, hardware, verdict }) => ({ role, hardware, verdict }))).toEqual(
      Array(2).fill({ role: 'model', hardware: 'intel-tdx', verdict: 'simulated' }),
    );
    for (const { checks } of json.enclaves) {
      expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
      for (const { detail } of checks) expect(typeof detail).toBe('string');
    }
  });

  it('prints pins that make the workload known, and takes them', async () => {
    const pins = path.join(folder, 'pins.json');
    const { code, out } = await run('--print-pins');
    expect(code).toBe(0);
    fs.writeFileSync(pins, out);
    const json = JSON.parse((await run('--json', '--pins', pins)).out) as {
      enclaves: { workload: string; checks: { id: string; outcome: string }[] }[];
    };
    expect(
      json.enclaves.map(({ workload, checks }) => [workload, checks.find(({ id }) => id === 'workload')?.outcome]),
    ).toEqual(Array(2).fill(['chutes model 1', 'passed']));
  });

  it('refuses a body of 50 MB before it reads it', async () => {
    fs.truncateSync(path.join(responses, '0002_evidence.body'), 50 * 1_024 * 1_024);
    expect(await run()).toMatchObject({ code: 1, out: expect.stringContaining('The report is too large.') as unknown });
  });

  it('takes no root from a manifest but one that calls itself simulated', async () => {
    manifest({ simulated_root: Buffer.from(INTEL_ROOT.certificate.der).toString('base64') });
    expect(await run()).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not marked as simulated') as unknown,
    });
    manifest({ simulated_root: undefined });
    expect((await run('--allow-simulated')).code).toBe(1);
  });

  it.each<[string, string[], string]>([
    ['a file beside it', ['export.json'], 'too many arguments'],
    ['a status that nobody may accept', ['--accept-tcb', 'Revoked'], '--accept-tcb is "Revoked"'],
  ])('is used wrongly with %s', async (_, args, words) => {
    expect(await run(...args)).toMatchObject({ code: 2, err: expect.stringContaining(words) as unknown });
  });

  it.each<[string, () => void]>([
    ['without a manifest', () => fs.rmSync(path.join(folder, 'manifest.json'))],
    ['with a manifest of no time', () => manifest({ captured_at: 'yesterday' })],
    ['with a head that is no JSON', () => fs.writeFileSync(path.join(responses, '0001_keys.json'), '{')],
    ['without a body', () => fs.rmSync(path.join(responses, '0001_keys.body'))],
  ])('is no recording %s', async (_, spoil) => {
    spoil();
    const { code, err } = await run();
    expect(code).toBe(2);
    expect(err).not.toBe('');
  });
});
