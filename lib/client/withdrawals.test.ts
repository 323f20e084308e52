import { expect, it } from 'vitest';
import { askWithdrawals, draftWithdrawal, withdraw, type WithdrawalTerms } from './withdrawals';

const ORIGIN = 'https://gateway.example';
const WALLET = `0x${'AB'.repeat(20)}` as const;
const TERMS: WithdrawalTerms = {
  network: 'eip155:8453',
  asset: `0x${'c0'.repeat(20)}`,
  symbol: 'USDC',
  decimals: 6,
  minimum: '1000000',
  fee: '50000',
  withdrawable: '7250000',
};
const MADE = {
  id: 'wd_5f2c',
  state: 'debited',
  network: TERMS.network,
  asset: TERMS.asset,
  to: WALLET.toLowerCase(),
  amountUsd: 5.1,
  feeUsd: 0.05,
  payout: '5050000',
  balanceAfterUsd: 2.15,
  transaction: null,
  waitingFor: null,
  error: null,
  createdAt: '2026-11-29T15:00:00.000Z',
  endedAt: null,
};

/** Gateway that breaks off `broken` times, and then answers with `data`. */
function gateway(data: unknown, broken = 0) {
  const bodies: unknown[] = [];
  const answer: typeof fetch = (_input, init) => {
    bodies.push(init?.body);
    if (bodies.length <= broken) return Promise.reject(new TypeError('gone'));
    return Promise.resolve(Response.json({ success: true, data }));
  };
  return { bodies, options: { baseUrl: ORIGIN, fetch: answer } };
}

const draft = draftWithdrawal(TERMS, { gateway: ORIGIN, to: WALLET, amount: 5_100_000n });

it('states what was signed, and is accepted if the answer has the same amount, fee, token and receiver', async () => {
  const { bodies, options } = gateway(MADE);
  expect(await withdraw(options, draft, '0x1b')).toMatchObject({ id: 'wd_5f2c', state: 'debited' });
  const { nonce, validBefore } = draft.statement;
  expect(JSON.parse(String(bodies[0]))).toEqual({
    network: TERMS.network,
    asset: TERMS.asset,
    gateway: ORIGIN,
    amount: '5100000',
    fee: '50000',
    nonce,
    validBefore,
    signature: '0x1b',
  });
});

it.each<[string, unknown]>([
  ['amountUsd', 5.2],
  ['feeUsd', 0.06],
  ['payout', '5050001'],
  ['to', `0x${'cd'.repeat(20)}`],
  ['to', undefined],
  ['network', 'eip155:1'],
  ['asset', `0x${'c1'.repeat(20)}`],
  ['id', '../'],
  ['state', 'gone'],
])('is refused if %s is %j in the answer', async (member, lie) => {
  const { bodies, options } = gateway({ ...MADE, [member]: lie });
  await expect(withdraw(options, draft, '0x1b')).rejects.toThrow(`data.${member} is `);
  expect(bodies).toHaveLength(1);
});

it('is sent again with the same nonce if no answer arrives, three times in all', async () => {
  const twice = gateway(MADE, 2);
  await withdraw(twice.options, draft, '0x1b');
  expect([twice.bodies.length, new Set(twice.bodies).size]).toEqual([3, 1]);
  const silent = gateway(MADE, 9);
  await expect(withdraw(silent.options, draft, '0x1b')).rejects.toMatchObject({ name: 'UnreachableError' });
  expect(silent.bodies).toHaveLength(3);
});

it.each<[string, object]>([
  ['gateway', { gateway: 'https://other.example' }],
  ['terms[0].network', { terms: [{ ...TERMS, network: 'solana:1' }] }],
  ['terms[0].network', { terms: [{ ...TERMS, network: 'cosmos:hub' }] }],
  ['terms[0].asset', { terms: [{ ...TERMS, asset: '0x1' }] }],
  ['terms[0].decimals', { terms: [{ ...TERMS, decimals: 400 }] }],
  ['terms[0].fee', { terms: [{ ...TERMS, fee: '-1' }] }],
  ['withdrawals[0].amountUsd', { withdrawals: [{ ...MADE, amountUsd: '5' }] }],
])('has no terms with a false %s', async (at, lie) => {
  const list = { gateway: ORIGIN, terms: [TERMS], withdrawals: [MADE] };
  expect((await askWithdrawals(gateway(list).options)).terms).toEqual([TERMS]);
  await expect(askWithdrawals(gateway({ ...list, ...lie }).options)).rejects.toThrow(`data.${at} is `);
});

it('on Solana has a text that states what the gateway gets', async () => {
  const terms = {
    ...TERMS,
    network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  };
  const to = 'So11111111111111111111111111111111111111112';
  const solana = draftWithdrawal(terms, { gateway: ORIGIN, to, amount: 5_100_000n });
  const { nonce, validBefore } = solana.statement;
  expect(solana).toMatchObject({
    family: 'solana',
    text: expect.stringContaining(
      `Gateway: ${ORIGIN}\nNetwork: ${terms.network}\nToken: ${terms.asset}\nTo: ${to}\nAmount: 5100000\nFee: 50000\nNonce: ${nonce}\nValid before: ${validBefore}`,
    ) as string,
  });
  const made = { ...MADE, network: terms.network, asset: terms.asset, to };
  await withdraw(gateway(made).options, solana, 'base58');
  // Solana addresses are compared exactly.
  await expect(withdraw(gateway({ ...made, to: to.toLowerCase() }).options, solana, 'base58')).rejects.toThrow(
    'data.to',
  );
});
