import { describe, expect, it } from 'vitest';
import { usageText } from '@/lib/protocol/chat/token-usage';
import { chargeOfStopped, readCharge } from './stopped-charge';

const charge = (detail: string, amount = '0.000014850') => ({
  timestamp: '2026-11-21T00:00:00.000Z',
  resource: 'chat/guide',
  detail,
  units: 1,
  amount,
  currency: 'USD',
  pots: {},
  apiKey: null,
  requestId: 'a',
});

/** A connection that answers each question for charges with the next list; null refuses. */
function connectionTo(lists: (readonly object[] | null)[]) {
  const asked: string[] = [];
  const fetch = (input: string | URL | Request) => {
    asked.push(input instanceof Request ? input.url : String(input));
    const data = lists.shift();
    return Promise.resolve(
      data === null || data === undefined
        ? Response.json({ error: 'No database', code: 'STORE_UNAVAILABLE' }, { status: 503 })
        : Response.json({ data, pagination: { hasMore: false, nextCursor: null } }),
    );
  };
  return { asked, connection: { baseUrl: 'http://gateway.example', fetch } };
}

describe('the charge of a stopped answer', () => {
  it('is asked for by the id of its request until the gateway has it', async () => {
    const { asked, connection } = connectionTo([[], [charge('12 + 34 tokens')]]);
    expect(await chargeOfStopped(connection, 'abc', [0, 0, 0])).toEqual({
      promptTokens: 12,
      completionTokens: 34,
      costNanoUsd: 14_850,
    });
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain('requestId=abc');
  });

  it('stays unknown where the gateway never says, and nothing is thrown', async () => {
    expect(await chargeOfStopped(connectionTo([[], []]).connection, 'abc', [0, 0])).toBeNull();
    expect(await chargeOfStopped(connectionTo([]).connection, 'abc', [0])).toBeNull();
  });

  it('has the tokens as the gateway writes them', () => {
    const text = usageText({ promptTokens: 5, completionTokens: 7, cachedTokens: 3 });
    expect(readCharge(charge(text))).toMatchObject({ promptTokens: 5, completionTokens: 7 });
  });

  it.each([['100 characters'], [''], ['1 + 2'], ['-1 + 2 tokens'], ['1e3 + 2 tokens']])(
    'of another form, "%s", is not taken',
    (detail) => expect(readCharge(charge(detail))).toBeNull(),
  );

  it('with an invalid amount is ignored', () => expect(readCharge(charge('1 + 2 tokens', 'much'))).toBeNull());
});
