import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { attestationPolicy, attestModel } from '@/lib/client/private-chat';
import { attestedGateway } from '@/test/attested-gateway';
import { serve } from '@/test/test-gateway';
import { keptFile } from './kept-file';
import { MeasurementWatch } from './measurement-watch';

const { signal } = new AbortController();

function stateFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-watch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function attested() {
  const { origin, key, root } = await attestedGateway();
  const policy = attestationPolicy({ simulatedRoot: Buffer.from(root).toString('base64') });
  const connection = { baseUrl: origin, apiKey: key };
  return { origin, attestation: await attestModel({ connection, model: 'tee', policy, needsPublicKey: false }) };
}

test('a conversation is told at its end what contradicts an earlier one, and is told once', async () => {
  const { origin, attestation } = await attested();
  const env = { XDG_STATE_HOME: stateFolder() };
  const file = keptFile(env) ?? '';
  const head = { seq: 9, sha256: 'ab'.repeat(32), key: 'one' };
  mkdirSync(join(file, '..'));
  writeFileSync(file, JSON.stringify([{ origin, model: 'other', ...head, atMs: 0, measured: [] }]));
  const told: string[] = [];
  const watch = new MeasurementWatch({ url: `${origin}/`, env, signal, err: (text) => void told.push(text) });
  watch.attested(attestation);
  await watch.end();
  const text = told.splice(0).join('');
  expect(text).toMatch(/^\nWARNING: The gateway shows two histories .*had 9 entries before/);
  expect(text).toContain(`kept   entry 9, SHA-256 ${head.sha256}, key one, read 1970-01-01`);
  watch.tell();
  expect(told.join('')).toBe('');
});

test('a conversation does not wait for a log that does not come', async () => {
  const { attestation } = await attested();
  const { origin } = await serve(() => undefined);
  const told: string[] = [];
  const watch = new MeasurementWatch({ url: origin, env: {}, signal, err: (text) => void told.push(text) });
  watch.attested(attestation);
  watch.tell();
  await watch.end();
  expect(told.join('')).toBe('');
});

test.each([
  ['refuses', (_: unknown, response: ServerResponse) => void response.writeHead(503).end()],
  ['never sends', () => undefined],
])('a gateway that %s its log silences no warning, and a change is stored only once it is told', async (_, answer) => {
  const { attestation } = await attested();
  const { origin } = await serve(answer);
  const env = { XDG_STATE_HOME: stateFolder() };
  const file = keptFile(env) ?? '';
  const measured = [{ model: 'tee', role: 'model', hardware: 'intel-tdx', registers: { mrTd: 'ab' } }];
  const before = { origin, model: 'tee', seq: 9, sha256: 'ab'.repeat(32), key: 'one', atMs: 0, measured };
  mkdirSync(join(file, '..'));
  writeFileSync(file, JSON.stringify([before]));
  const kept = () => JSON.parse(readFileSync(file, 'utf8')) as (typeof before)[];
  const told: string[] = [];
  const err = (text: string) => {
    if (text !== '') expect(kept()).toEqual([before]);
    told.push(text);
  };
  const watch = new MeasurementWatch({ url: origin, env, signal, err });
  watch.attested(attestation);
  await watch.end();
  expect(told.join('')).toMatch(/^\nWARNING: .* log of measurements could not be read.*\n\nWARNING: The enclave's/);
  expect(kept()).toMatchObject([{ seq: 9, sha256: before.sha256 }]);
  expect(kept()[0]?.measured).not.toEqual(measured);
});

test('the file is in the folder for state, and nowhere if there is none', () => {
  expect(keptFile({ XDG_STATE_HOME: '/s', HOME: '/h' })).toBe('/s/turnpike/measurements.json');
  expect(keptFile({ HOME: '/h' })).toBe('/h/.local/state/turnpike/measurements.json');
  expect(keptFile({ LOCALAPPDATA: '/l', HOME: '/h' })).toBe('/l/turnpike/measurements.json');
  expect(keptFile({})).toBeNull();
});
