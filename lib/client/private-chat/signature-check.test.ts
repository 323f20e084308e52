import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it, vi } from 'vitest';
import { checkSignature, isByOtherKey } from './signature-check';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const MODEL = 'e2ee-guide';
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const attestedAddress = account.address.toLowerCase();
const otherAddress = privateKeyToAccount(`0x${'22'.repeat(32)}`).address.toLowerCase();
const [requestHash, responseHash] = ['a'.repeat(64), 'b'.repeat(64)];
const text = `${requestHash}:${responseHash}`;
const signature = await account.signMessage({ message: text });
const SIGNED = { text, signature, signing_address: account.address, signing_algo: 'ecdsa' };

/** Answers of the gateway in order; the last one repeats. A string is a network error. */
type Scripted = Response | string | (() => Response);

function asked(
  answers: readonly Scripted[],
  { completionId = 'c', retries = 1 }: { completionId?: string | null; retries?: number } = {},
) {
  const paths: string[] = [];
  const connection = {
    baseUrl: 'https://gateway.example',
    fetch: (url: string | URL | Request) => {
      paths.push(String(url));
      const answer = answers[Math.min(paths.length, answers.length) - 1] as Scripted;
      if (typeof answer === 'string') return Promise.reject(new TypeError(answer));
      return Promise.resolve(typeof answer === 'function' ? answer() : answer.clone());
    },
  };
  const check = checkSignature({
    connection,
    model: MODEL,
    answer: { completionId, sent: { hash: requestHash }, received: { hash: responseHash } },
    attestedAddress,
    retryDelaysMs: Array.from({ length: retries }, () => 0),
  });
  return { check, paths };
}

const service = (status: number, code: string) =>
  Response.json({ error: 'The gateway says why.', code }, { status, headers: { 'x-request-id': 'r'.repeat(32) } });

describe('the signature over an answer', () => {
  it('is verified by the attested key, over the bytes that went both ways, and asked for by the id of the answer', async () => {
    const { check, paths } = asked([Response.json(SIGNED)]);
    expect(await check).toEqual({
      outcome: 'verified',
      reason: null,
      text,
      signature,
      namedAddress: account.address,
      signer: attestedAddress,
      requestHash,
      responseHash,
      attestedAddress,
    });
    expect(paths).toEqual([`https://gateway.example/api/v1/tee/signature?model=${MODEL}&request_id=c`]);
  });

  it.each([
    ['over other bytes', { text: `${responseHash}:${requestHash}` }],
    ['that names another address', { signing_address: otherAddress }],
    ['of another algorithm', { signing_algo: 'ed25519' }],
    ['without a text', { text: null }],
    ['that is malformed', { signature: '0x12' }],
  ])('%s does not hold', async (_, change) => {
    const { outcome, reason, unasked } = await asked([Response.json({ ...SIGNED, ...change })]).check;
    expect(outcome).toBe('invalid');
    expect(reason).toMatch(/\.$/);
    expect(unasked).toBeUndefined();
  });

  it('by another key is told from one over other bytes', async () => {
    const other = privateKeyToAccount(`0x${'22'.repeat(32)}`);
    const byOther = await asked([
      Response.json({
        ...SIGNED,
        signature: await other.signMessage({ message: text }),
        signing_address: other.address,
      }),
    ]).check;
    expect(byOther).toMatchObject({ outcome: 'invalid', signer: otherAddress });
    expect(isByOtherKey(byOther, MODEL)).toBe(true);
    const overOther = await asked([
      Response.json({
        ...SIGNED,
        text: 'x',
        signature: await other.signMessage({ message: 'x' }),
        signing_address: other.address,
      }),
    ]).check;
    expect(isByOtherKey(overOther, MODEL)).toBe(false);
  });

  it('that is longer than any does not hold, and is not read to its end', async () => {
    expect(await asked([() => new Response(`"${'x'.repeat(100_000)}"`)]).check).toMatchObject({
      outcome: 'invalid',
      signature: null,
    });
  });
});

describe('a signature that is not there', () => {
  it('was not given where the service itself says so, which is no word about whether anybody was asked', async () => {
    const { check, paths } = asked([service(404, 'SIGNATURE_NOT_FOUND')]);
    const missing = await check;
    expect(missing).toMatchObject({ outcome: 'missing', reason: 'The gateway says why.' });
    expect(missing).not.toHaveProperty('unasked');
    // Enclaves may sign with a delay.
    expect(paths).toHaveLength(2);
  });

  it.each([
    ['a line that broke', 'fetch failed', 'unanswered'],
    ['a proxy that answered in its place', () => new Response('<h1>Bad gateway</h1>', { status: 502 }), 'unanswered'],
    ['a proxy that knows no such page', () => new Response('<h1>Not found</h1>', { status: 404 }), 'unanswered'],
    ['a gateway in trouble', service(503, 'UPSTREAM_UNAVAILABLE'), 'refused'],
    ['a gateway that wants a credential', service(401, 'INVALID_API_KEY'), 'refused'],
  ] as const)('was not asked for because of %s', async (_, answer, unasked) => {
    expect(await asked([answer]).check).toMatchObject({
      outcome: 'missing',
      unasked,
      signature: null,
      requestHash,
      responseHash,
      attestedAddress,
    });
  });

  it('is asked for again where it may come later, and not where asking again changes nothing', async () => {
    const late = asked([service(404, 'SIGNATURE_NOT_FOUND'), 'fetch failed', Response.json(SIGNED)], { retries: 3 });
    expect((await late.check).outcome).toBe('verified');
    expect(late.paths).toHaveLength(3);
    const refused = asked([service(401, 'INVALID_API_KEY')], { retries: 3 });
    await refused.check;
    expect(refused.paths).toHaveLength(1);
  });

  it('will not come where the gateway says that answers of the model are not signed', async () => {
    const never = asked([service(404, 'ANSWERS_NOT_SIGNED')], { retries: 3 });
    const check = await never.check;
    expect(check).toMatchObject({ outcome: 'missing', reason: 'The gateway says why.' });
    expect(check).not.toHaveProperty('unasked');
    expect(never.paths).toHaveLength(1);
  });

  it('cannot be asked for without an id, and nobody is', async () => {
    const { check, paths } = asked([Response.json(SIGNED)], { completionId: null });
    expect(await check).toMatchObject({ outcome: 'missing' });
    expect(paths).toEqual([]);
  });
});
