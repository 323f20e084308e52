import fc from 'fast-check';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { describe, expect, test } from 'vitest';
import { CALLS, SURFACES } from './client-bench';
import { FAMILIES } from './endpoint';
import { ENDPOINTS } from './endpoints';
import { mintToken } from './mint-tokens';
import { faultsOfLed, faultsOfMinting, faultsOfMoney, faultsOfText, sentAuthorizations } from './faults';
import { edit, edited, TRAP } from './hostile-values';
import { DELIVERIES, STREAM_FORMS } from './lies';
import { whateverIsTold } from './property';
import type { SeenRequest } from './scenario';
import { outgoing } from './sent-answer';
import { toldCalls } from './told-lies';

const ANSWER = { status: 200, headers: {}, json: { data: [{ amount: '1' }, { amount: '2' }], next: null } };
const REQUEST: SeenRequest = { endpoint: 'mint', method: 'POST', path: '/', headers: {}, body: Buffer.alloc(0) };
const DOLLARS = {
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  to: '0x',
  value: 5_000_000n,
  validBefore: Math.floor(Date.now() / 1_000) + 600,
  nonce: '0x1',
};

describe('the list of endpoints', () => {
  test('is asked by some call of the client, each of them, and each way of using it has its calls', () => {
    const asked = new Set(SURFACES.flatMap((surface) => CALLS[surface].flatMap(({ asks }) => asks)));
    expect(ENDPOINTS.map(({ id }) => id).filter((id) => !asked.has(id))).toEqual([]);
    expect(FAMILIES.filter((family) => !CALLS.library.some((call) => call.family === family))).toEqual([]);
    for (const surface of SURFACES)
      expect(new Set(CALLS[surface].map(({ name }) => name)).size).toBe(CALLS[surface].length);
  });
});

describe('a lie', () => {
  test('changes one value of a body, whatever it is, and nothing of what is shared', () => {
    fc.assert(
      fc.property(edit, (change) => {
        const body = structuredClone(ANSWER.json);
        expect(JSON.stringify(edited(body, change)) ?? 'nothing').toBeTypeOf('string');
        expect(outgoing(ANSWER, [{ kind: 'members', edits: [change] }], 'http://127.0.0.1:1').bytes).toBeInstanceOf(
          Buffer,
        );
      }),
      { seed: 1 },
    );
    expect(ANSWER.json).toEqual({ data: [{ amount: '1' }, { amount: '2' }], next: null });
  });

  test('has the address of the trap in the place of its name', () => {
    const { bytes, headers } = outgoing(
      ANSWER,
      [
        { kind: 'text', text: `{"url":"${TRAP}/x"}` },
        { kind: 'redirect', status: 307, to: `${TRAP}/stolen` },
      ],
      'http://127.0.0.1:1',
    );
    expect(bytes.toString()).toBe('{"url":"http://127.0.0.1:1/x"}');
    expect(headers).toContainEqual(['location', 'http://127.0.0.1:1/stolen']);
  });

  test('comes in every form and delivery', () => {
    const kinds = new Set<string>(
      fc.sample(toldCalls(CALLS.proxy), { numRuns: 4_000, seed: 1 }).flatMap(({ lies }) =>
        Object.values(lies)
          .flat()
          .map((lie) => (lie.kind === 'stream' ? lie.form : lie.kind === 'delivery' ? lie.delivery : lie.kind)),
      ),
    );
    expect(
      [...DELIVERIES, ...STREAM_FORMS, 'members', 'text', 'refusal', 'status', 'header', 'redirect', 'own'].filter(
        (kind) => !kinds.has(kind),
      ),
    ).toEqual([]);
  });
});

describe('what the client must not do is seen', () => {
  test.each(['\u001b[2J', '\u009b2J', '\u0000', '\r', '\u202e', '\u2066', '\u2028'])('%j on a terminal', (text) => {
    expect(faultsOfText(`before${text}after`, 'standard output')).toHaveLength(1);
    expect(faultsOfText('lines\nand\ttabs, caf\u00e9 and \u65e5\u672c', 'standard output')).toEqual([]);
  });

  test('a stack trace', () => {
    expect(faultsOfText(`TypeError: x\n    at run (file.ts:1:2)\n`, 'standard error')).toHaveLength(1);
  });

  test('more than the budget, another token, a validity of years', () => {
    expect(faultsOfMoney([DOLLARS, DOLLARS], 12)).toEqual([]);
    expect(faultsOfMoney([DOLLARS, DOLLARS, DOLLARS], 12)).toHaveLength(1);
    expect(faultsOfMoney([{ ...DOLLARS, asset: '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf' }], 12)).toHaveLength(1);
    expect(faultsOfMoney([{ ...DOLLARS, network: 'eip155:1' }], 12)).toHaveLength(1);
    expect(faultsOfMoney([{ ...DOLLARS, asset: SANDBOX_CONTRACTS.usdc }], 12)).toEqual([]);
    expect(faultsOfMoney([{ ...DOLLARS, validBefore: 1.8e12 }], 12)).toHaveLength(1);
    expect(faultsOfMoney([{ ...DOLLARS, validBefore: DOLLARS.validBefore + 3_600 }], 12)).toHaveLength(1);
    expect(faultsOfMoney([{ ...DOLLARS, validBefore: NaN }], 12)).toHaveLength(1);
  });

  test('each authorization that was sent, once', () => {
    const { to, validBefore, nonce } = DOLLARS;
    const payment = Buffer.from(
      JSON.stringify({
        accepted: { network: 'eip155:8453', asset: DOLLARS.asset },
        payload: { authorization: { to, value: '5000000', validBefore: String(validBefore), nonce } },
      }),
    ).toString('base64');
    const seen = [1, 2].map(() => ({ ...REQUEST, headers: { 'payment-signature': payment } }));
    expect(sentAuthorizations({ seen })).toEqual([DOLLARS]);
  });

  test('a token of another origin or purpose that was signed', () => {
    const origin = 'http://127.0.0.1:1';
    const minted = (token: string) =>
      faultsOfMinting(
        { seen: [{ ...REQUEST, body: Buffer.from(JSON.stringify({ token, signature: '0x' })) }] },
        origin,
      );
    expect(minted(mintToken({ origin }))).toEqual([]);
    for (const token of [
      mintToken({ origin: 'https://bank.example' }),
      mintToken({ origin, aud: 'other' }),
      mintToken(),
      `${mintToken({ origin })}\n`,
      'a.b.c',
      'I owe you',
    ])
      expect(minted(token)).toHaveLength(1);
  });

  test('a credential, or a word of a question, at another origin', () => {
    expect(faultsOfLed([{ path: '/', credentials: [], body: '' }], 'secret')).toEqual([]);
    expect(
      faultsOfLed(
        [
          { path: '/', credentials: ['authorization'], body: '' },
          { path: '/', credentials: [], body: 'a secret' },
        ],
        'secret',
      ),
    ).toHaveLength(2);
  });
});

describe('a property', () => {
  const calls = toldCalls([{ name: 'a call', asks: ['balance', 'charges'] }]);
  const outcome = (faults: string[]) => Promise.resolve({ faults, isDone: faults.length === 0, ending: 'ended' });

  test('holds where no call fails, and says how many there were, of which seed', async () => {
    expect(await whateverIsTold(calls, { answers: 200, seed: 5 }, 4, () => outcome([]))).toMatchObject({
      outcome: 'held',
      evidence: expect.stringMatching(/^288 calls with false answers, seed 5: 288 ended$/),
    });
  });

  test('does not hold where one does: the least that it was told for that stands in the evidence', async () => {
    const fails = (told: { lies: object }) => JSON.stringify(told).includes('"redirect"');
    const { outcome: came, evidence } = await whateverIsTold(calls, { answers: 2_000, seed: 5 }, 4, (told) =>
      outcome(fails(told) ? ['it was led'] : []),
    );
    expect(came).toBe('not held');
    expect(evidence).toMatch(
      /^it was led \| told \{"call":"a call","lies":\{"(balance|charges)":\[\{"kind":"redirect",[^{}]*\}\]\}\} \| \d+ calls with false answers, seed 5/,
    );
  });

  test('draws the same from the same seed', () => {
    const drawn = () => JSON.stringify(fc.sample(calls, { numRuns: 50, seed: 9 }));
    expect(drawn()).toBe(drawn());
  });
});
