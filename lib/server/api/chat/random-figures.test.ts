import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { bundleProgram } from '@/test/bundle-program';
import { type AskedChat, figuresGateway, type FiguresGateway, seenUsage } from '@/test/figures-gateway';
import { failure, lyingAnswer, lyingScript, rarely } from '@/test/lying-model';

/**
 * Guarantee: all figures of a chat agree, whatever usage a server reports: those that the caller sees (usage,
 * X-Balance-Remaining, GET /billing/usage, GET /billing/balance), the ledger, and the operator's sums. No charge
 * exceeds its reservation. The variable CHATS sets the number of chats (10,000 take some minutes), and CHATS_SEED the
 * seed.
 */
const CHATS = Number(process.env['CHATS'] ?? 150);
const SEED = Number(process.env['CHATS_SEED'] ?? 1);

beforeAll(() => bundleProgram('schema-checker'));

const SCHEMA = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
const FORMAT = { type: 'json_schema', json_schema: { name: 'x', strict: true, schema: SCHEMA } };
/** Replies of a server to a request with a schema: the first reply, and the reply after a repair. */
const REPLIES = [
  ['{"a":"x"}', ''],
  ['```json\n{"a":"x"}\n```', ''],
  ['{"a":1}', '{"a":"x"}'],
  ['no JSON', '{"a":2}'],
] as const;

const chat = fc.record({
  api: fc.constantFrom('chat', 'chat', 'responses', 'messages'),
  model: fc.constantFrom('plain', 'plain', 'plain', 'attested'),
  caller: fc.constantFrom('key', 'wallet'),
  isStream: fc.boolean(),
  countsUsage: fc.boolean(),
  limits: fc.record(
    { max_tokens: fc.constantFrom(1, 5, 50, -1), max_completion_tokens: fc.constantFrom(1, 20, -1) },
    { requiredKeys: [] },
  ),
  n: fc.constantFrom(1, 1, 1, 3),
  replies: rarely(fc.constantFrom(...REPLIES)),
  isRepeated: fc.boolean(),
  /** Number of bytes after which the client disconnects. */
  leavesAfter: rarely(fc.nat(2_000)),
  answer: lyingAnswer,
  failing: failure,
});
type Chat = typeof chat extends fc.Arbitrary<infer Value> ? Value : never;

/** Builds the request in the form of its API. */
function asked({ api, model, caller, isStream, countsUsage, limits, n, replies, leavesAfter }: Chat): AskedChat {
  const path =
    model === 'attested'
      ? '/chat/completions'
      : ({ chat: '/chat/completions', responses: '/responses', messages: '/messages' } as const)[api];
  const limit = limits.max_tokens === undefined || limits.max_tokens < 0 ? 30 : limits.max_tokens;
  const messages = [{ role: 'user', content: 'Hello?' }];
  const own = {
    '/chat/completions': {
      messages,
      n,
      ...limits,
      ...(isStream && countsUsage && { stream_options: { include_usage: true } }),
      ...(replies && { response_format: FORMAT }),
    },
    '/responses': { input: 'Hello?', max_output_tokens: limit },
    '/messages': { messages, max_tokens: limit },
  }[path];
  return {
    path,
    caller,
    isStream,
    leavesAfter,
    body: { model: model === 'attested' ? 'tee-plain' : 'plain', ...own, ...(isStream && { stream: true }) },
  };
}

/** Sends a request, sends it again under the same key, and compares all figures. */
async function check(gateway: FiguresGateway, chats: Chat, key: string | null): Promise<void> {
  const { answer, failing, replies, model } = chats;
  const request = asked(chats);
  const isHeldToSchema = replies !== null && request.path === '/chat/completions';
  const says = isHeldToSchema
    ? (question: Readonly<Record<string, unknown>>) =>
        replies[JSON.stringify(question).includes('does not fit') ? 1 : 0]
    : null;
  gateway.script(lyingScript(answer, failing, says), lyingScript(answer, 'none', says));
  const answered = await gateway.ask(request, key);
  const charge = await gateway.newCharge(answered);
  if (charge === null) {
    expect(answered.status === 200 && !answered.isBroken, 'a whole answer is charged').toBe(false);
    return;
  }
  const { sold } = charge;
  const isAttested = model === 'attested';
  expect(charge.amountNanoUsd).toBe(
    isAttested ? Math.min(charge.costNanoUsd, answered.heldNanoUsd) : charge.costNanoUsd,
  );
  expect(charge.amountNanoUsd).toBeLessThanOrEqual(answered.heldNanoUsd);
  expect(charge.units).toBe(sold.prompt + sold.completion);
  const listed = await gateway.listed(answered);
  if (listed) expect(charge).toMatchObject(listed);

  // The gateway does not correct the usage of an attested model.
  const seen = answered.isBroken || isAttested ? null : seenUsage(answered.text, request);
  const mustSee =
    !answered.isBroken &&
    !isAttested &&
    (request.path !== '/chat/completions' || !request.isStream || chats.countsUsage);
  if (mustSee) expect(seen).not.toBeNull();
  if (seen) expect(sold).toMatchObject(seen);
  if (!isAttested) expect(answered.text).not.toContain('cost');
  if (answered.balanceNanoUsd !== null) {
    const { beforeNanoUsd, heldNanoUsd } = answered;
    const after = beforeNanoUsd - charge.amountNanoUsd;
    const told = request.isStream ? [beforeNanoUsd - heldNanoUsd, after] : [after];
    expect(told.map((nanoUsd) => Math.floor(nanoUsd / 1_000))).toContain(answered.balanceNanoUsd / 1_000);
  }
  if (key === null || answered.isBroken) return;
  const again = await gateway.ask({ ...request, leavesAfter: null }, key);
  expect([again.status, again.isReplayed]).toEqual([answered.status, true]);
  if (!isAttested) expect(seenUsage(again.text, request)).toEqual(seen);
  expect(await gateway.newCharge(again)).toBeNull();
}

it('no figure differs between what the caller is told, the ledger and the books, whatever a server says that it counted', async () => {
  const gateway = await figuresGateway();
  let keys = 0;
  // A random key could occur twice in some hundred chats, and the second chat would then be free.
  const property = fc.asyncProperty(chat, (chats) => check(gateway, chats, chats.isRepeated ? `k${++keys}` : null));
  await fc.assert(property, { numRuns: CHATS, seed: SEED, endOnFailure: true });
  await gateway.checkBooks();
}, 3_600_000);
