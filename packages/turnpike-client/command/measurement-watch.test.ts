import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
  const watch = new MeasurementWatch({ url: `${origin}/`, env, signal });
  watch.attested(attestation);
  const told = await watch.end();
  expect(told).toMatch(/^\nWARNING: The gateway shows two histories .*had 9 entries before/);
  expect(told).toContain(`kept   entry 9, SHA-256 ${head.sha256}, key one, read 1970-01-01`);
  expect(watch.heard()).toBe('');
});

test('a conversation does not wait for a log that does not come', async () => {
  const { attestation } = await attested();
  const { origin } = await serve(() => undefined);
  const watch = new MeasurementWatch({ url: origin, env: {}, signal });
  watch.attested(attestation);
  expect([watch.heard(), await watch.end()]).toEqual(['', '']);
});

test('the file is in the folder for state, and nowhere if there is none', () => {
  expect(keptFile({ XDG_STATE_HOME: '/s', HOME: '/h' })).toBe('/s/turnpike/measurements.json');
  expect(keptFile({ HOME: '/h' })).toBe('/h/.local/state/turnpike/measurements.json');
  expect(keptFile({ LOCALAPPDATA: '/l', HOME: '/h' })).toBe('/l/turnpike/measurements.json');
  expect(keptFile({})).toBeNull();
});
