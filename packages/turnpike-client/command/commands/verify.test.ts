import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fetchMeasurementLog } from '@/lib/client/measurements';
import { attestedGateway } from '@/test/attested-gateway';
import { runCommand } from '@/test/customer-command';

async function verifier() {
  const started = await attestedGateway();
  const { get, gateway, origin, key, root } = started;
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-verify-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'root'), Buffer.from(root).toString('base64'));
  const verify = (...args: string[]) =>
    runCommand(['verify', 'tee', '--simulated-root', join(folder, 'root'), ...args], {
      env: { TURNPIKE_URL: origin, TURNPIKE_API_KEY: key, XDG_STATE_HOME: folder },
    });
  await get(`/tee/attestation?model=tee&nonce=${'ab'.repeat(32)}`);
  await expect
    .poll(() => fetchMeasurementLog({ baseUrl: origin }), { timeout: 10_000 })
    .toMatchObject({ head: { seq: 1 } });
  return { ...started, db: gateway.db, verify, file: join(folder, 'turnpike', 'measurements.json') };
}

test('verify shows since when the gateway has logged what was measured, and decides nothing by it', async () => {
  const { db, verify } = await verifier();
  const text = await verify();
  expect([text.code, text.out]).toEqual([0, expect.stringMatching(/Measured since +\d{4}-\d\d-\d\dT/)]);
  const { code, out } = await verify('--json');
  expect([code, JSON.parse(out)]).toMatchObject([0, { measuredSince: expect.any(String), measurementLogFault: null }]);
  const [entry] = await db.selectFrom('measurements').selectAll().execute();
  if (entry)
    await db
      .insertInto('measurements')
      .values({ ...entry, seq: 2, digest: 'other' })
      .execute();
  const broken = await verify();
  expect([broken.code, broken.out]).toEqual([0, expect.stringMatching(/Measured since +unknown.+ Entry 2/)]);
});

test('verify keeps the head of the log, and warns of two histories with both heads until the log is trusted', async () => {
  const { origin, verify, file } = await verifier();
  const first = await verify();
  expect([first.code, first.err]).toEqual([0, '']);
  const [kept] = JSON.parse(readFileSync(file, 'utf8')) as { seq: number; sha256: string; key: string }[];
  expect(kept).toMatchObject({ origin, model: 'tee', seq: 1, measured: [{ role: 'model' }] });
  expect([statSync(file).mode & 0o777, readdirSync(join(file, '..'))]).toEqual([0o600, ['measurements.json']]);
  expect((await verify()).err).toBe('');

  const other = 'ab'.repeat(32);
  writeFileSync(file, JSON.stringify([{ ...kept, sha256: other }]));
  for (let each = 0; each < 2; each += 1) {
    const fork = await verify('--json');
    expect([fork.code, fork.err]).toEqual([0, expect.stringMatching(/^\nWARNING: The gateway shows two histories/)]);
    expect(fork.err).toContain(`kept   entry 1, SHA-256 ${other}, key ${kept?.key}`);
    expect(fork.err).toContain(`shown  entry 1, SHA-256 ${kept?.sha256}, key ${kept?.key}`);
    expect(JSON.parse(fork.out)).toMatchObject({
      measurementLogFault: 'fork',
      measurementWarnings: [{ kind: 'fork' }],
    });
  }
  writeFileSync(file, JSON.stringify([{ ...kept, seq: 4 }]));
  expect((await verify()).err).toContain('The log had 4 entries before, and now has 1.');
  expect((await verify('--trust-log')).err).toBe('');
  expect((await verify()).err).toBe('');
});

test('verify warns of a measurement that changed, with old and new, and keeps the new one', async () => {
  const { verify, file } = await verifier();
  await verify();
  const [kept] = JSON.parse(readFileSync(file, 'utf8')) as { measured: { registers: Record<string, string> }[] }[];
  const real = kept?.measured[0]?.registers['mrTd'] ?? '';
  writeFileSync(file, JSON.stringify([kept]).replaceAll(real, 'ab'.repeat(48)));
  const { code, err, out } = await verify('--json');
  expect([code, err]).toEqual([0, expect.stringMatching(/^\nWARNING: The enclave's measurements differ/)]);
  expect(err).toContain(`model mrTd  ${'ab'.repeat(48)}\n  model mrTd  ${real}`);
  expect(JSON.parse(out)).toMatchObject({ measurementWarnings: [{ kind: 'changed' }] });
  expect((await verify()).err).toBe('');
});

test('verify begins anew where the kept file is damaged or cannot be written, and says so', async () => {
  const { verify, file } = await verifier();
  mkdirSync(join(file, '..'));
  writeFileSync(file, '[{}]');
  expect(await verify()).toMatchObject({ code: 0, err: expect.stringContaining('will be replaced') });
  expect((await verify()).err).toBe('');
  writeFileSync(file, ' '.repeat(600_000));
  expect((await verify()).err).toContain('too long');
  rmSync(file);
  mkdirSync(file);
  expect(await verify()).toMatchObject({ code: 0, err: expect.stringContaining('cannot be written') });
});
