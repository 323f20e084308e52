import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { base58 } from '@scure/base';
import { verifyTypedData } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, it, onTestFinished } from 'vitest';
import { WITHDRAWAL_TYPES, withdrawalDomain, withdrawalText } from '@/lib/protocol/x402/withdrawal-text';
import { testKey } from '@/test/solana-messages';
import { type CommandSetting, runCommand } from '@/test/customer-command';

const KEY = `0x${'11'.repeat(32)}` as const;
const { address } = privateKeyToAccount(KEY);
const TOKEN = `0x${'c0'.repeat(20)}` as const;
const TERMS = {
  network: 'eip155:8453',
  asset: TOKEN,
  symbol: 'USDC',
  decimals: 6,
  minimum: '1000000',
  fee: '50000',
  withdrawable: '7250000',
};
const ON_ETHEREUM = { ...TERMS, network: 'eip155:1', withdrawable: '3000000' };

type Body = Record<'network' | 'asset' | 'gateway' | 'amount' | 'fee' | 'validBefore', string> &
  Record<'nonce' | 'signature', `0x${string}`>;

/** Runs `withdraw` at a gateway that has these terms and confirms every withdrawal. */
async function withdrawAt(
  args: readonly string[],
  setting: CommandSetting = {},
  { terms = [TERMS], lie = {}, to = address }: { terms?: object[]; lie?: object; to?: string } = {},
) {
  const posted: Body[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      response.setHeader('content-type', 'application/json');
      if (request.method === 'GET') {
        response.end(JSON.stringify({ success: true, data: { gateway: origin, terms, withdrawals: [] } }));
        return;
      }
      const asked = JSON.parse(body) as Body;
      posted.push(asked);
      const made = {
        id: 'wd_1',
        state: 'debited',
        network: asked.network,
        asset: asked.asset,
        to: to.startsWith('0x') ? to.toLowerCase() : to,
        amountUsd: Number(asked.amount) / 1e6,
        feeUsd: Number(asked.fee) / 1e6,
        payout: String(Number(asked.amount) - Number(asked.fee)),
        balanceAfterUsd: 0,
        transaction: null,
        waitingFor: null,
        error: null,
        createdAt: '2026-11-29T15:00:00.000Z',
        ...lie,
      };
      response.writeHead(202).end(JSON.stringify({ success: true, data: made }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const outcome = await runCommand(['withdraw', ...args], {
    ...setting,
    env: { TURNPIKE_URL: origin, TURNPIKE_PRIVATE_KEY: KEY, ...setting.env },
  });
  return { ...outcome, posted, origin };
}

it('signs after a confirmation that shows amount, fee and address', async () => {
  const { code, out, err, posted, origin } = await withdrawAt(['--amount', '5.1'], { secret: '', lines: ['y'] });
  expect(err).toContain(
    `Amount   5.1 USDC\nFee      0.05 USDC\nPayout   5.05 USDC on base-mainnet\nAddress  ${address}\nSign and withdraw? (y/N) `,
  );
  expect([code, out, posted]).toMatchObject([
    0,
    expect.stringContaining('wd_1  debited    5.1 USD, fee 0.05'),
    [{ network: 'eip155:8453', asset: TOKEN, gateway: origin, amount: '5100000', fee: '50000' }],
  ]);
  const { nonce, signature, validBefore, gateway } = posted[0] as Body;
  const message = { gateway, to: address, amount: 5_100_000n, fee: 50_000n, nonce, validBefore: BigInt(validBefore) };
  expect(
    await verifyTypedData({
      address,
      domain: withdrawalDomain(8453, TOKEN),
      types: WITHDRAWAL_TYPES,
      primaryType: 'Withdrawal',
      message,
      signature,
    }),
  ).toBe(true);
});

it.each([[['n']], [['']], [['maybe']], [[]]])('signs nothing after the answer %j', async (lines) => {
  const { code, err, posted } = await withdrawAt(['--all'], { secret: '', lines });
  expect([code, posted]).toEqual([1, []]);
  expect(err).toContain('Nothing was signed.');
});

it('withdraws all of a token without a question', async () => {
  const { code, out, posted } = await withdrawAt(['--all', '--yes', '--json']);
  expect([code, posted]).toMatchObject([0, [{ amount: '7250000' }]]);
  expect(JSON.parse(out)).toMatchObject({ id: 'wd_1', amountUsd: 7.25 });
});

it('lists what can be withdrawn, and withdraws nothing, without an amount', async () => {
  const { code, out, posted } = await withdrawAt([]);
  expect([code, out, posted]).toEqual([0, 'base-mainnet  7.25 USDC can be withdrawn; minimum 1, fee 0.05\n', []]);
});

it('asks which chain if several have the money', async () => {
  const terms = [TERMS, ON_ETHEREUM];
  const { code, err, posted } = await withdrawAt(['--amount', '2', '--yes'], {}, { terms });
  expect([code, posted]).toEqual([2, []]);
  expect(err).toContain('Choose the chain with --network: base-mainnet or ethereum-mainnet.');
  const args = ['--amount', '2', '--yes', '--network', 'ethereum-mainnet'];
  expect((await withdrawAt(args, {}, { terms })).posted).toMatchObject([{ network: 'eip155:1' }]);
  expect((await withdrawAt(['--amount', '5', '--yes'], {}, { terms })).posted).toMatchObject([
    { network: 'eip155:8453' },
  ]);
});

it.each<[string, string[], CommandSetting, number, RegExp]>([
  ['more than there is', ['--amount', '7.250001', '--yes'], {}, 1, /cannot be withdrawn\.\nbase-mainnet {2}7\.25 USDC/],
  ['less than the minimum', ['--amount', '0.5', '--yes'], {}, 1, /cannot be withdrawn/],
  ['a chain without money', ['--all', '--yes', '--network', 'ethereum-mainnet'], {}, 1, /Nothing can be withdrawn/],
  ['more decimals than the token has', ['--amount', '5.0000001', '--yes'], {}, 2, /6 decimals of USDC/],
  ['an amount in words', ['--amount', 'five', '--yes'], {}, 2, /--amount is "five"/],
  ['two amounts', ['--amount', '5', '--all', '--yes'], {}, 2, /--amount or --all, not both/],
  ['an unknown chain', ['--all', '--yes', '--network', 'starknet-mainnet'], {}, 2, /withdrawn on "starknet-mainnet"/],
  ['a chain of another family', ['--all', '--yes', '--network', 'solana-mainnet'], {}, 1, /Nothing can be withdrawn/],
  ['no terminal', ['--all'], {}, 2, /Give --yes/],
  [
    'an API key',
    ['--all', '--yes'],
    { env: { TURNPIKE_API_KEY: 'tpk_x', TURNPIKE_PRIVATE_KEY: undefined } },
    2,
    /Only a wallet/,
  ],
])('sends nothing for %s', async (_what, args, setting, code, says) => {
  const outcome = await withdrawAt(args, setting);
  expect([outcome.code, outcome.posted]).toEqual([code, []]);
  expect(outcome.err).toMatch(says);
});

it('says that the withdrawal may exist if the answer is not what was signed', async () => {
  const { code, err } = await withdrawAt(['--all', '--yes'], {}, { lie: { feeUsd: 7 } });
  expect(code).toBe(3);
  expect(err).toContain('data.feeUsd is 7, but 0.05 was expected');
  expect(err).toContain('may have been recorded');
});

it('signs the text of the statement with a Solana key', async () => {
  const to = testKey(1);
  const terms = [
    TERMS,
    {
      ...TERMS,
      network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      asset: 'So11111111111111111111111111111111111111112',
    },
  ];
  const setting = { env: { TURNPIKE_PRIVATE_KEY: base58.encode(to.seed) } };
  const { code, err, posted } = await withdrawAt(['--all', '--yes'], setting, { terms, to: to.address });
  expect([code, err]).toEqual([0, expect.stringContaining(`on solana-mainnet\nAddress  ${to.address}`)]);
  const { network, asset, signature, ...statement } = posted[0] as Body;
  const text = withdrawalText({ ...statement, to: to.address }, { network, asset });
  expect(Buffer.from(to.sign(Buffer.from(text))).toString('base64')).toBe(signature);
});
