import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fetchMeasurementLog } from '@/lib/client/measurements';
import { attestedGateway } from '@/test/attested-gateway';
import { runCommand } from '@/test/customer-command';

test('verify shows since when the gateway has logged what was measured, and decides nothing by it', async () => {
  const { get, gateway, origin, key, root } = await attestedGateway();
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-verify-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'root'), Buffer.from(root).toString('base64'));
  const verify = (...args: string[]) =>
    runCommand(['verify', 'tee', '--simulated-root', join(folder, 'root'), ...args], {
      env: { TURNPIKE_URL: origin, TURNPIKE_API_KEY: key },
    });
  await get(`/tee/attestation?model=tee&nonce=${'ab'.repeat(32)}`);
  await expect
    .poll(() => fetchMeasurementLog({ baseUrl: origin }), { timeout: 10_000 })
    .toMatchObject({ head: { seq: 1 } });
  const text = await verify();
  expect([text.code, text.out]).toEqual([0, expect.stringMatching(/Measured since +\d{4}-\d\d-\d\dT/)]);
  const { code, out } = await verify('--json');
  expect([code, JSON.parse(out)]).toMatchObject([0, { measuredSince: expect.any(String), measurementLogFault: null }]);
  const [entry] = await gateway.db.selectFrom('measurements').selectAll().execute();
  if (entry)
    await gateway.db
      .insertInto('measurements')
      .values({ ...entry, seq: 2, digest: 'other' })
      .execute();
  const broken = await verify();
  expect([broken.code, broken.out]).toEqual([0, expect.stringMatching(/Measured since +unknown.+ Entry 2/)]);
});
