/**
 * @not next: an answer is created only after its charge is committed, before any adapter gets it. kill -9 is the same
 *   for each adapter.
 * @at postgres: reservations outlive the process, and another server commits charges.
 * @waits: for gateways that start again.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectCharged, usdOf } from './harness/credits';
import type { Answer } from './harness/http-exchange';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import type { Caller } from './harness/operator';
import { answerOfEach, type StubRequest } from './harness/stub-upstream';

/**
 * kill -9 during 500 calls, and a restart. Each call has its own caller, who can pay for exactly one call and whose
 * name is in the params. Thus every charge can be matched with the node's answer and the client's.
 */

const CALLS = 500;
const PARALLEL = 40;
const KILL_AFTER_ANSWERS = 200;

let live: LiveGateway;
let callers: Caller[];

beforeAll(async () => {
  live = await startLiveGateway();
  callers = await live.gateway.operator.createCallers(CALLS, { tier: 'standard', usd: usdOf(20) });
});
afterAll(() => live?.stop());

const call = (index: number, headers = {}) =>
  live.gateway.rpc(
    { jsonrpc: '2.0', id: index, method: 'eth_call', params: [index] },
    { as: callers[index] as Caller, headers },
  );

/** Answers after up to 20 ms. Every tenth answer breaks off. */
function answerUnevenly(): void {
  const whole = answerOfEach(({ params }) => `"result":${String((params as number[])[0])}`);
  live.stub.answer(async (request, response) => {
    const index = indexOf(request);
    await new Promise((resolve) => setTimeout(resolve, index % 20));
    if (index % 10 !== 9) return whole(request, response);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"jsonrpc":"2.0","id":', () => response.destroy());
    return undefined;
  });
}

const indexOf = ({ items }: StubRequest) => (items[0]?.params as number[])[0] as number;

/** Makes the calls, and kills the gateway after enough answers. @returns the clients' answers without failures */
async function callUntilKilled(): Promise<Map<number, Answer>> {
  const answered = new Map<number, Answer>();
  let next = 0;
  let killed: Promise<void> | null = null;
  const work = async (): Promise<void> => {
    while (next < CALLS && killed === null) {
      const index = next++;
      const answer = await call(index, { 'idempotency-key': `call-${index}` }).catch(() => null);
      if (answer) answered.set(index, answer);
      if (answered.size >= KILL_AFTER_ANSWERS) killed ??= live.gateway.kill();
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  await killed;
  return answered;
}

test(
  'ledger check passes, no reservation is left, no answered call is uncharged, nothing is charged without a complete upstream answer',
  { timeout: 120_000 },
  async () => {
    answerUnevenly();
    const answered = await callUntilKilled();
    const succeeded = [...answered].filter(([, { status }]) => status === 200);
    expect(succeeded.length, 'the kill came in the middle').toBeGreaterThan(KILL_AFTER_ANSWERS / 2);
    expect(answered.size).toBeLessThan(CALLS);
    const completed = new Set(live.stub.requests.filter((request) => request.answered).map(indexOf));

    await live.gateway.start();
    live.gateway.books.endLeases();

    expect(await live.gateway.operator.checkLedger()).toMatchObject({ ok: true, faults: [] });
    const charges = live.gateway.books.charges();
    const indexByAccount = new Map(callers.map(({ accountId }, index) => [accountId, index]));
    const chargedIndexes = charges.map(({ accountId }) => indexByAccount.get(accountId) as number);
    expect(new Set(chargedIndexes).size, 'nobody is charged twice').toBe(chargedIndexes.length);
    for (const [index, answer] of succeeded) {
      const mine = charges.filter(({ requestId }) => requestId === answer.headers['x-request-id']);
      expect(mine, `the answered call ${index} is charged exactly once`).toMatchObject([
        { accountId: callers[index]?.accountId, credits: 20 },
      ]);
    }
    for (const index of chargedIndexes)
      expect(completed.has(index), `the charged call ${index} was answered by the node`).toBe(true);
    expect(charges.length).toBeLessThanOrEqual(completed.size);
    for (const [index, { status }] of answered) if (index % 10 === 9) expect(status).toBe(500);

    // A remaining reservation would block an uncharged caller's only call.
    const uncharged = callers
      .map((_caller, index) => index)
      .filter((index) => !chargedIndexes.includes(index) && index % 10 !== 9);
    expect(uncharged.length).toBeGreaterThan(0);
    live.stub.reset();
    for (const index of [...uncharged.slice(0, 30), ...uncharged.slice(-30)].filter(
      (index, at, all) => all.indexOf(index) === at,
    )) {
      expectCharged(live.gateway, await call(index), 20);
    }

    // Answers before the kill are stored for their Idempotency-Key. They are charged once and replayed after the
    // restart.
    for (const [index, answer] of succeeded.slice(0, 20)) {
      const replayed = await call(index, { 'idempotency-key': `call-${index}` });
      expect(replayed.headers['idempotent-replayed'], replayed.text).toBe('true');
      expect(replayed.text).toBe(answer.text);
    }
    expect(await live.gateway.operator.checkLedger()).toMatchObject({ ok: true, faults: [] });
  },
);
