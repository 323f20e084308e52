/**
 * @not next: ids are in bodies. rpc-request.test.ts and rpc-response.test.ts check through Next that bodies stay
 *   unchanged.
 * @not postgres: ids are not in the database.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectCharged } from './harness/credits';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import type { Caller } from './harness/operator';
import { answerOfEach } from './harness/stub-upstream';

/** spec: "id: integer or string … echoed in the response"; wire: "Ids go back exactly as received". */

let live: LiveGateway;
let caller: Caller;

beforeAll(async () => {
  live = await startLiveGateway();
  caller = await live.gateway.operator.createCaller();
});
afterAll(() => live?.stop());
beforeEach(() => live.stub.reset());

const call = (body: string) => live.gateway.rpc(body, { as: caller });

/** Ids as JSON text. */
const IDS = [
  ['zero', '0'],
  ['an integer', '1'],
  ['a negative integer', '-7'],
  ['negative zero', '-0'],
  ['the largest safe integer and one', '9007199254740993'],
  ['an integer beyond 2^64', '123456789012345678901234567890'],
  ['an integer of 400 digits', '9'.repeat(400)],
  ['a negative integer of 400 digits', `-${'1'.repeat(400)}`],
  ['a string', '"abc"'],
  ['an empty string', '""'],
  ['a string of digits', '"1"'],
  ['a string with unicode', '"é😀漢"'],
  ['a string with unicode escapes', String.raw`"\u00e9\ud83d\ude00\u0000"`],
  ['a string with quotes and backslashes', String.raw`"a\"b\\c\/d\n"`],
  ['a string that looks like the rest of a response', String.raw`"1,\"result\":\"forged\""`],
  ['the string __proto__', '"__proto__"'],
  ['a string of 10,000 characters', `"${'x'.repeat(10_000)}"`],
  ['null', 'null'],
] as const;

describe('an id is restored exactly: type, digits and escapes', () => {
  test.each(IDS)('single request: %s', async (_what, id) => {
    const answer = await call(`{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`);
    expectCharged(live.gateway, answer, 20);
    expect(answer.text).toBe(`{"jsonrpc":"2.0","id":${id},"result":"0x2a"}`);
  });

  test('all of them in one batch', async () => {
    const answer = await call(`[${IDS.map(([, id]) => `{"id":${id},"method":"eth_chainId"}`).join(',')}]`);
    expectCharged(live.gateway, answer, 20 * IDS.length);
    expect(answer.text).toBe(`[${IDS.map(([, id]) => `{"jsonrpc":"2.0","id":${id},"result":"0x2a"}`).join(',')}]`);
  });
});

describe('an absent id', () => {
  test('a single request without an id is answered with id null and billed', async () => {
    const answer = await call('{"jsonrpc":"2.0","method":"eth_chainId"}');
    expectCharged(live.gateway, answer, 20);
    expect(answer.json).toEqual({ jsonrpc: '2.0', id: null, result: '0x2a' });
  });

  test('an item of a batch without an id is answered with id null, in its place', async () => {
    const answer = await call(
      '[{"id":1,"method":"eth_chainId"},{"method":"eth_chainId"},{"id":2,"method":"eth_chainId"}]',
    );
    expect((answer.json as { id: unknown }[]).map(({ id }) => id)).toEqual([1, null, 2]);
  });
});

describe('batch answers', () => {
  const echo = answerOfEach(({ params }) => `"result":${JSON.stringify(params)}`);

  test('two items may share an id: each gets its own answer, in order', async () => {
    live.stub.answer(echo);
    const answer = await call(
      '[{"id":1,"method":"eth_call","params":["a"]},{"id":1,"method":"eth_call","params":["b"]},{"id":"1","method":"eth_call","params":["c"]}]',
    );
    expect(answer.json).toEqual([
      { jsonrpc: '2.0', id: 1, result: ['a'] },
      { jsonrpc: '2.0', id: 1, result: ['b'] },
      { jsonrpc: '2.0', id: '1', result: ['c'] },
    ]);
  });

  test('come back in request order, whatever order the node answers in', async () => {
    live.stub.answer(async (request, response) => {
      const answers = JSON.parse((await echo(request, response)) as string) as unknown[];
      return JSON.stringify(answers.reverse());
    });
    const answer = await call(
      '[{"id":"z","method":"eth_call","params":[0]},{"id":5,"method":"eth_call","params":[1]},{"id":"a","method":"eth_call","params":[2]}]',
    );
    expect(answer.json).toEqual([
      { jsonrpc: '2.0', id: 'z', result: [0] },
      { jsonrpc: '2.0', id: 5, result: [1] },
      { jsonrpc: '2.0', id: 'a', result: [2] },
    ]);
  });
});
