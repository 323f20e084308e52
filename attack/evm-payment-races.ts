import { encodeFunctionData, parseAbi } from 'viem';
import { AUTHORIZABLE_USD_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { type Attack, judge, type Verdict } from './attack';
import { callRpc, TESTNET } from './chains/chains';
import { executeAuthorization, fundedEvmAccount, sendEvm } from './chains/evm-account';
import { evmPayment, present, presentUntilEnded, reasonOf, usd } from './chains/payments';
import { altered, opening, receivedBy, USD } from './evm-opening';
import type { Target } from './target';
import { counted } from './wire/burst';

const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';
const MULTICALL_ABI = parseAbi([
  'struct Call { address target; bytes callData; }',
  'function aggregate(Call[] calls) payable returns (uint256 blockNumber, bytes[] returnData)',
]);
const CANCEL_TYPES = {
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** Payments whose authorization or money is used, withdrawn or reorganized away while the gateway settles them. */
export const EVM_PAYMENT_RACES: readonly Attack[] = [
  {
    id: 'evm-double-submit',
    title: 'One payment presented ten times in parallel, under the three names of the header',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { accepted, account, books } = await opening(target);
      const { header } = await evmPayment(accepted, account);
      const names = ['payment-signature', 'x-payment', 'x-402-payment'];
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => present(target, header, { name: names[index % names.length] ?? '' })),
      );
      return books.verdict(counted(answers.map(reasonOf)));
    },
  },
  {
    id: 'evm-front-run',
    title: 'A third party that saw the payment executes it first; whoever paid must not be denied, nor credited twice',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { chains, accepted, account, books } = await opening(target);
      const { header, draft, signature } = await evmPayment(accepted, account);
      const other = await fundedEvmAccount(chains);
      const [, ...answers] = await Promise.all([
        executeAuthorization(chains, other, draft.typedData.message, signature),
        presentUntilEnded(target, header, 40_000),
      ]);
      answers.push(await presentUntilEnded(target, header, 40_000));
      return books.verdict(`presented twice: ${counted(answers.map(reasonOf))}`);
    },
  },
  {
    id: 'evm-bundled-executions',
    title: 'A payment of 5 USD executed in one transaction with one of 90 USD of the same payer to itself',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { chains, accepted, account, books } = await opening(target);
      const [small, large] = await Promise.all([
        evmPayment(accepted, account),
        evmPayment(accepted, account, { to: account.address, value: 90n * USD }),
      ]);
      const calls = [large, small].map(({ draft: { typedData }, signature }) => {
        const { from, to, value, validAfter, validBefore, nonce } = typedData.message;
        return {
          target: SANDBOX_CONTRACTS.usdc,
          callData: encodeFunctionData({
            abi: AUTHORIZABLE_USD_ABI,
            functionName: 'transferWithAuthorization',
            args: [from, to, value, validAfter, validBefore, nonce, signature],
          }),
        } as const;
      });
      await sendEvm(chains, await fundedEvmAccount(chains), {
        to: MULTICALL3,
        data: encodeFunctionData({ abi: MULTICALL_ABI, functionName: 'aggregate', args: [calls] }),
      });
      const answers = [
        await presentUntilEnded(target, small.header, 30_000),
        await present(target, large.header),
        await present(target, altered(large.header, { to: accepted.payTo })),
      ];
      return books.verdict(answers.map(reasonOf).join(', '));
    },
  },
  {
    id: 'evm-overdraft',
    title: 'Ten payments of 90 USD at once from a wallet that has 100 USD',
    needs: ['chains'],
    isQuick: false,
    run: async (target) => {
      const { accepted, account, books } = await opening(target, { amountUsd: 90 });
      const payments = await Promise.all(Array.from({ length: 10 }, () => evmPayment(accepted, account)));
      const answers = await Promise.all(payments.map(({ header }) => present(target, header)));
      return books.verdict(counted(answers.map(reasonOf)));
    },
  },
  {
    id: 'evm-cancelled-while-settling',
    title: 'A payer that cancels its authorization on chain while the gateway settles it',
    needs: ['chains'],
    isQuick: false,
    run: async (target) => {
      const { chains, accepted, account, books } = await opening(target);
      const answers = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const { header, draft } = await evmPayment(accepted, account);
          const { nonce } = draft.typedData.message;
          const signature = await account.signTypedData({
            domain: draft.typedData.domain,
            types: CANCEL_TYPES,
            primaryType: 'CancelAuthorization',
            message: { authorizer: account.address, nonce },
          });
          const other = await fundedEvmAccount(chains);
          const cancel = sendEvm(chains, other, {
            to: SANDBOX_CONTRACTS.usdc,
            data: encodeFunctionData({
              abi: AUTHORIZABLE_USD_ABI,
              functionName: 'cancelAuthorization',
              args: [account.address, nonce, signature],
            }),
          }).catch(() => null);
          const [answer] = await Promise.all([presentUntilEnded(target, header, 30_000), cancel]);
          return answer;
        }),
      );
      return books.verdict(counted(answers.map(reasonOf)));
    },
  },
  {
    id: 'evm-leave-while-settling',
    title: 'A payer that leaves as soon as the payment was sent, and presents it again',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { accepted, account, books } = await opening(target);
      const { header } = await evmPayment(accepted, account);
      const leaving = [2, 10, 40].map((afterMs) => present(target, header, { signal: AbortSignal.timeout(afterMs) }));
      await Promise.all(leaving);
      const answer = await presentUntilEnded(target, header, 30_000);
      return books.verdict(`the last answer: ${reasonOf(answer)}`);
    },
  },
  {
    id: 'evm-reorganised-chain',
    title: 'A payment whose block, and the two after it, are reorganised away: it must not have been credited by then',
    needs: ['chains', 'chain control', 'live limits'],
    isQuick: true,
    run: reorganise,
  },
];

async function reorganise(target: Target): Promise<Verdict> {
  const { chains, accepted, account, books } = await opening(target, { network: TESTNET });
  const url = chains.rpcUrl(TESTNET.slug);
  const before = await callRpc<string>(url, 'eth_blockNumber');
  const { header } = await evmPayment(accepted, account);
  const answered = present(target, header);
  const executed = async (): Promise<boolean> =>
    (await receivedBy(target, accepted.payTo, TESTNET.slug)) > 0n &&
    BigInt(await callRpc<string>(url, 'eth_blockNumber')) > BigInt(before);
  for (let polls = 0; polls < 50 && !(await executed()); polls += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  await callRpc(url, 'anvil_mine', ['0x2', '0x0']);
  await answered;
  const { credited } = await books.close();
  const depth = Number(BigInt(await callRpc<string>(url, 'eth_blockNumber')) - BigInt(before));
  await callRpc(url, 'anvil_rollback', [depth]);
  const gained = (await books.close()).gained;
  return judge(
    credited <= gained,
    `credited ${usd(credited)} within ${depth} blocks; after they were reorganised away the receiver has ${usd(gained)} of it`,
  );
}
