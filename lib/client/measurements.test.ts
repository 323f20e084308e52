import { expect, it } from 'vitest';
import { checkMeasurementLog, type LogVerdict } from '@/lib/protocol/attestation/measurement-log';
import { attestedGateway } from '@/test/attested-gateway';
import { fetchMeasurementLog, measuredSince } from './measurements';

it('a genuine report puts what it measured into the log, and another of the same adds nothing', async () => {
  const { get, origin } = await attestedGateway();
  for (const nonce of ['ab', 'cd'])
    expect((await get(`/tee/attestation?model=tee&nonce=${nonce.repeat(32)}`)).json['verdict']).toBe('simulated');
  const log = () => fetchMeasurementLog({ baseUrl: origin });
  await expect.poll(log, { timeout: 10_000 }).toMatchObject({ head: { seq: 1 } });
  const known = { seq: 1, sha256: 'ab'.repeat(32) };
  expect(await fetchMeasurementLog({ baseUrl: origin }, { known })).toMatchObject({ fault: 'fork' });
  expect(await log()).toMatchObject({
    fault: null,
    entries: [{ seq: 1, model: 'tee', role: 'model', hardware: 'intel-tdx', changed: [] }],
  });
});

it('the log is read page by page, and a bad one is an error value', async () => {
  const asked: string[] = [];
  const answer = (path: string) => {
    if (path.endsWith('jwks.json')) return { keys: [] };
    return { entries: [{ signature: path }], head: null, next: path.endsWith('=0') ? 50 : null };
  };
  const fetched = (input: unknown) => {
    const path = String(input instanceof Request ? input.url : input).replace('http://gateway.example', '');
    asked.push(path);
    return Promise.resolve(Response.json(answer(path)));
  };
  const log = await fetchMeasurementLog({ baseUrl: 'http://gateway.example', fetch: fetched as typeof fetch });
  expect(log).toMatchObject({ fault: 'broken' });
  expect(asked).toEqual([
    '/api/v1/tee/measurements?after=0',
    '/api/v1/tee/measurements?after=50',
    '/.well-known/jwks.json',
  ]);
});

it('a measurement is known since its entry, and not where the log lacks any of it', () => {
  const entry = { model: 'm', role: 'model', hardware: 'intel-tdx', changed: [], version: 1, previous: null };
  const entries = [
    { ...entry, seq: 1, at: 1_000, registers: { mrTd: '00' } },
    { ...entry, seq: 2, at: 1_001, registers: { mrTd: 'aa' } },
  ];
  const log = { fault: null, entries, head: null } as unknown as LogVerdict;
  const verdict = (conclusion: string, ...mrTds: string[]) => ({
    conclusion,
    enclaves: mrTds.map((mrTd) => ({
      role: 'model',
      hardware: 'intel-tdx',
      isUsed: true,
      measurements: { kind: 'intel-tdx', mrTd },
    })),
  });
  const since = (model: string, of: unknown, by = log) => measuredSince(by, model, of as never);
  expect(since('m', verdict('verified', '00'))).toBe(1_000);
  expect(since('m', verdict('verified', '00', 'aa'))).toBe(1_001);
  expect(since('m', verdict('verified', '00', 'bb'))).toBe(null);
  expect(since('other', verdict('verified', '00'))).toBe(null);
  expect(since('m', verdict('failed', '00'))).toBe(null);
  expect(since('m', verdict('verified', '00'), checkMeasurementLog({ signatures: ['x'], keys: null }))).toBe(null);
});
