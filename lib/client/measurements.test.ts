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
    return { entries: [{ seq: 1, signature: path }], head: null, next: path.includes('after=0&') ? 50 : null };
  };
  const fetched = (input: unknown) => {
    const path = String(input instanceof Request ? input.url : input).replace('http://gateway.example', '');
    asked.push(path);
    return Promise.resolve(Response.json(answer(path)));
  };
  const log = await fetchMeasurementLog({ baseUrl: 'http://gateway.example', fetch: fetched as typeof fetch });
  expect(log).toMatchObject({ fault: 'broken' });
  expect(asked).toEqual([
    '/api/v1/tee/measurements?after=0&limit=200',
    '/api/v1/tee/measurements?after=50&limit=200',
    '/.well-known/jwks.json',
  ]);
});

/** Answers like a gateway with a log of `length` entries, every hundredth of the model `m`. */
function longLog(length: number, { pageMax = 200, allowed = Infinity, retryAfter = '0' } = {}) {
  const asked: string[] = [];
  let left = allowed;
  const entries = (after: number, model: string | null) =>
    Array.from({ length }, (_, index) => index + 1).filter((seq) => seq > after && (model === null || seq % 100 === 0));
  const fetched = (input: unknown) => {
    const url = new URL(String(input instanceof Request ? input.url : input));
    if (url.pathname.endsWith('jwks.json')) return Promise.resolve(Response.json({ keys: [] }));
    asked.push(url.search);
    if (left === 0) {
      left = allowed;
      return Promise.resolve(Response.json({ error: 'No' }, { status: 429, headers: { 'retry-after': retryAfter } }));
    }
    left -= 1;
    const all = entries(Number(url.searchParams.get('after')), url.searchParams.get('model'));
    const page = all.slice(0, Math.min(pageMax, Number(url.searchParams.get('limit') ?? 50)));
    const next = all.length > page.length ? page.at(-1) : null;
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

it('a long log is read near its end, or from the known head alone, with the earlier entries of the model', async () => {
  const pages = async (known: number | null, model?: string, pageMax?: number) => {
    const { asked, options } = longLog(10_000, pageMax === undefined ? {} : { pageMax });
    await fetchMeasurementLog(options, {
      known: known === null ? null : { seq: known, sha256: '' },
      ...(model !== undefined && { model }),
    });
    return [asked.length, ...asked.slice(0, 2)];
  };
  const [log, ofModel] = ['?after=', '?model=m&after=0&limit=200'];
  expect(await pages(null)).toEqual([24, `${log}0&limit=200`, `${log}5500&limit=200`]);
  expect(await pages(9_999)).toEqual([1, `${log}9998&limit=200`]);
  expect(await pages(9_999, 'm')).toEqual([2, `${log}9998&limit=200`, ofModel]);
  expect(await pages(20_000)).toEqual([2, `${log}19999&limit=200`, `${log}9999&limit=200`]);
  // An older gateway ignores the limit. A far head is followed for at most 100 pages.
  expect(await pages(3, undefined, 50)).toEqual([100, `${log}2&limit=200`, `${log}52&limit=200`]);
});

it('a first look at a long log is within the 30 public requests of a minute', async () => {
  const { asked, options } = longLog(10_000, { allowed: 30 });
  await fetchMeasurementLog(options, { model: 'm' });
  expect(asked.length).toBeLessThan(30);
});

it('a refused page is asked for again once, when the gateway allows it, and not if that is long away', async () => {
  const once = longLog(1_000, { allowed: 4 });
  expect(await fetchMeasurementLog(once.options)).toMatchObject({ fault: 'broken' });
  expect(once.asked.slice(3)).toEqual(['?after=600&limit=200', '?after=800&limit=200', '?after=800&limit=200']);
  const twice = longLog(1_000, { allowed: 2 });
  await expect(fetchMeasurementLog(twice.options)).rejects.toMatchObject({ status: 429 });
  expect(twice.asked).toHaveLength(6);
  const never = longLog(1_000, { allowed: 2, retryAfter: '61' });
  await expect(fetchMeasurementLog(never.options)).rejects.toMatchObject({ status: 429 });
  expect(never.asked).toHaveLength(3);
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
