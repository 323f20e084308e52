import { describe, expect, it } from 'vitest';
import { askOperatorFigures } from './operator-figures';

const FIGURES = {
  gateways: [
    {
      pid: 7,
      figures: {
        startedAt: '2026-11-24T10:00:00.000Z',
        isDraining: false,
        openCalls: 0,
        refusals: { RATE_LIMITED: 2 },
        networks: [
          {
            network: 'base-mainnet',
            upstreams: [{ name: 'upstream 1', state: 'healthy', latencyP50Ms: 12, lagBlocks: 0, lastError: null }],
          },
        ],
      },
    },
    { pid: 8, figures: null },
  ],
  books: {
    accounts: 1,
    keys: { live: 1, ended: 0 },
    days: [
      {
        day: '2026-11-24',
        charges: 1,
        chargedNanoUsd: 14_000,
        paidInNanoUsd: 0,
        withdrawnNanoUsd: 0,
        traffic: { requests: 2, failed: 1, p95Ms: 3 },
      },
    ],
    openPayments: [],
    ledgerCheck: null,
  },
};

function ask(status: number, body: unknown) {
  const asked: Request[] = [];
  const answer = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    asked.push(new Request(input, init));
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  };
  return {
    asked,
    answer: askOperatorFigures({ baseUrl: 'http://gateway.example', apiKey: 'operator-key', fetch: answer }),
  };
}

describe("the operator's figures", () => {
  it('are asked for with the credential, and read', async () => {
    const { asked, answer } = ask(200, FIGURES);
    expect(await answer).toEqual(FIGURES);
    expect([asked[0]?.url, asked[0]?.headers.get('authorization')]).toEqual([
      'http://gateway.example/api/v1/operator/figures',
      'Bearer operator-key',
    ]);
  });

  it('are null for who is no operator', async () => {
    expect(await ask(404, { error: 'There is nothing at this path.', code: 'NOT_FOUND' }).answer).toBeNull();
  });

  it.each([
    ['a fault of the gateway', 503, { error: 'Later.' }],
    ['what is no JSON of ours', 200, '<html>'],
    ['the shape of another release', 200, { gateways: 'many' }],
  ])('are refused where there is %s', async (_what, status, body) => {
    await expect(ask(status, body).answer).rejects.toThrow();
  });
});
