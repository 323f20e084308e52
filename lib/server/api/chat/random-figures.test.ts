import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readUsage } from '@/lib/protocol/chat/token-usage';
import { checkLedger } from '@/lib/server/billing/ledger-check';
import { chatGateway, PRICES } from '@/test/chat-gateway';
import { chunk, DONE, scriptedModel } from '@/test/scripted-model';

/** 10,000 take some minutes: CHATS says how many, and CHATS_SEED which. */
const CHATS = Number(process.env['CHATS'] ?? 150);
const SEED = process.env['CHATS_SEED'];

const PRICE = { ...PRICES, cachedInputUsdPerMillionTokens: '0.1', cacheWriteUsdPerMillionTokens: '1.25' };
const GRANT_NANO_USD = 9_000_000_000_000_000;

const count = fc.oneof(fc.nat(200), fc.nat(200), fc.constantFrom(0, -1, 1.5, '7', null, 999_999_999, 1e15));
const usage = fc.option(
  fc.record(
    { prompt_tokens: count, completion_tokens: count, total_tokens: count, prompt_tokens_details: fc.record({ cached_tokens: count }), cache_creation_input_tokens: count, completion_tokens_details: fc.record({ reasoning_tokens: count }) },
    { requiredKeys: ['prompt_tokens', 'completion_tokens'] },
  ),
);
const chat = fc.record({
  isStream: fc.boolean(),
  countsUsage: fc.boolean(),
  limits: fc.record({ max_tokens: fc.constantFrom(1, 5, 50, -1), max_completion_tokens: fc.constantFrom(1, 20, -1) }, { requiredKeys: [] }),
  n: fc.constantFrom(1, 1, 1, 3),
  isRepeated: fc.boolean(),
  words: fc.array(fc.constantFrom('a', 'word ', 'слово ', 'x'.repeat(50), ''), { maxLength: 60 }),
  usage,
  /** Before the word of this index. */
  earlyUsage: fc.option(fc.record({ at: fc.nat(60), usage })),
  end: fc.constantFrom('done', 'done', 'done', 'finish', 'cut'),
});

/** What a charge says that it sold. */
function soldIn(detail: string) {
  const [, prompt, completion, cached = 0, written = 0] = /^(\d+) \+ (\d+) tokens(?:, (\d+) cached)?(?:, (\d+) written to the cache)?$/.exec(detail) ?? [];
  return { prompt: Number(prompt), completion: Number(completion), cached: Number(cached), written: Number(written) };
}

function costOf({ prompt, completion, cached, written }: ReturnType<typeof soldIn>): number {
  return (prompt - cached - written) * 1_000 + cached * 100 + written * 1_250 + completion * 2_000;
}

it('no figure differs between what the caller is told, the ledger and the books, whatever a server says that it counted', async () => {
  const model = await scriptedModel();
  const gateway = await chatGateway({ chatUpstreams: [{ name: 'test', url: model.url }], prices: PRICE }, GRANT_NANO_USD, { limits: { requestsPerMinute: 1_000_000 } });
  let charged = 0;
  let rows = 0;
  let keys = 0;
  const property = fc.asyncProperty(chat, async ({ isStream, countsUsage, limits, n, isRepeated, words, usage: told, earlyUsage, end }) => {
    model.script = (_asked, response) => {
      if (!isStream) {
        const choices = Array.from({ length: n }, (_, index) => ({ index, message: { role: 'assistant', content: words.join('') }, finish_reason: 'stop' }));
        return void response.setHeader('content-type', 'application/json').end(JSON.stringify({ id: 'c', choices, ...(told && { usage: told }) }));
      }
      response.setHeader('content-type', 'text/event-stream');
      for (const [index, word] of words.entries()) {
        if (earlyUsage?.at === index) response.write(`data: ${JSON.stringify({ choices: [], usage: earlyUsage.usage })}\n\n`);
        response.write(chunk(word));
      }
      if (end !== 'cut') response.write(chunk('', { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
      if (told) response.write(`data: ${JSON.stringify({ choices: [], usage: told })}\n\n`);
      if (end === 'cut') return void response.destroy();
      if (end === 'done') response.write(DONE);
      response.end();
    };
    const body = { model: 'plain', messages: [{ role: 'user', content: 'Hello?' }], n, ...limits, ...(isStream && { stream: true, ...(countsUsage && { stream_options: { include_usage: true } }) }) };
    /* A random key is drawn twice in some hundred chats, and then the second is rightly not charged. */
    const options = isRepeated ? { headers: { 'idempotency-key': `k${++keys}` } } : {};
    const heldNanoUsd = (JSON.stringify(body).length + 16) * 1_250 + n * 1_000 * 2_000;
    const answer = await gateway.ask(body, options).catch(() => null);
    if (isRepeated && answer?.status === 200) expect((await gateway.ask(body, options)).headers.get('idempotent-replayed')).toBe('true');

    const { rows: charges } = await ledgerAfter(rows);
    expect(charges.length).toBeLessThanOrEqual(1);
    const [charge] = charges;
    if (answer?.status === 200) expect(charge).toBeDefined();
    if (!charge) return;
    rows++;
    charged += charge.amount;
    const sold = soldIn(charge.detail);
    expect(charge.amount).toBe(costOf(sold));
    expect(charge.units).toBe(sold.prompt + sold.completion);
    expect(charge.amount).toBeLessThanOrEqual(heldNanoUsd);
    const seen = answer && usageSeen(answer.text, isStream);
    if (seen) expect([seen.prompt_tokens, seen.completion_tokens]).toEqual([sold.prompt, sold.completion]);
  });
  const ledgerAfter = async (known: number) => {
    const found = await gateway.gateway.db.selectFrom('ledger').select(['amount', 'detail', 'units']).where('kind', '=', 'CHARGE').orderBy('id').offset(known).limit(5).execute();
    return { rows: found.map(({ amount, detail, units }) => ({ amount: -amount, detail, units })) };
  };
  await fc.assert(property, { numRuns: CHATS, endOnFailure: process.env['CHATS'] !== undefined, ...(SEED && { seed: Number(SEED) }) });
  const { balances } = (await gateway.get('/billing/balance')).json as unknown as { balances: { usd: number } };
  expect(Math.round((GRANT_NANO_USD / 1e9 - balances.usd) * 1e6)).toBe(Math.round(charged / 1e3));
  expect((await checkLedger(gateway.gateway.db)).faults).toEqual([]);
}, 900_000);

/** The usage that a client has of an answer: the last that is one. What is no count says nothing of money. */
function usageSeen(text: string, isStream: boolean): Record<string, number> | null {
  const parts = isStream ? text.split('\n\n').filter((event) => event.startsWith('data: {')).map((event) => event.slice(6)) : [text];
  const told = parts.map((part) => (JSON.parse(part) as { usage?: Record<string, number> | null }).usage ?? null).filter((each) => readUsage(each) !== null);
  return told.at(-1) ?? null;
}
