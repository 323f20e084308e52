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
    return { entries: [{ seq: 1, signature: path }], head: null, next: path.endsWith('=0') ? 50 : null };
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

/** Answers like a gateway whose log has `length` entries, every hundredth of them of the model `m`. */
function longLog(length: number) {
  const asked: string[] = [];
  const entries = (after: number, model: string | null) =>
    Array.from({ length }, (_, index) => index + 1).filter((seq) => seq > after && (model === null || seq % 100 === 0));
  const fetched = (input: unknown) => {
    const url = new URL(String(input instanceof Request ? input.url : input));
    asked.push(`${url.pathname}${url.search}`);
    if (url.pathname.endsWith('jwks.json')) return Promise.resolve(Response.json({ keys: [] }));
    const all = entries(Number(url.searchParams.get('after')), url.searchParams.get('model'));
    const page = all.slice(0, 50);
    const next = all.length > 50 ? page.at(-1) : null;
    return Promise.resolve(
      Response.json({
        entries: page.map((seq) => ({ seq, signature: `${seq}` })),
        head: { seq: length, sha256: '' },
        next,
      }),
    );
  };
  const options = { baseUrl: 'http://gateway.example', fetch: fetched as typeof fetch };
  return { asked, options };
}

it('a long log is read near its end, from the known head, with the earlier entries of the model', async () => {
  const pages = async (known: number | null, model?: string) => {
    const { asked, options } = longLog(10_000);
    await fetchMeasurementLog(options, {
      known: known === null ? null : { seq: known, sha256: '' },
      ...(model !== undefined && { model }),
    });
    const read = asked.filter((path) => !path.includes('jwks'));
    return [read.length, read[1], read.find((path) => path.includes('model='))];
  };
  const log = '/api/v1/tee/measurements';
  expect(await pages(null)).toEqual([91, `${log}?after=5500`, undefined]);
  expect(await pages(9_999, 'm')).toEqual([93, `${log}?after=5500`, `${log}?model=m&after=0`]);
  // A head that is far from the end is followed for at most 100 pages.
  expect(await pages(3)).toEqual([101, `${log}?after=2`, undefined]);
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
