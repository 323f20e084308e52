import { encodeAbiParameters, encodeFunctionData, type Hex, serializeErc6492Signature, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { AUTHORIZABLE_USD_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { type Attack, judge, type Verdict } from './attack';
import { deploy, evmReader, sendEvm } from './chains/evm-account';
import { FLIPPING_CODE, gasBurnerCode } from './chains/hostile-contracts';
import { evmPayment, presentUntilEnded, reasonOf, usd } from './chains/payments';
import { allRefused, altered, opening, receivedBy, USD } from './evm-opening';
import { chainsOf, ownOf, type Target } from './target';
import { counted } from './wire/burst';

/** Payments from contract wallets, which verify their own signatures (EIP-1271, ERC-6492). */
export const EVM_CONTRACT_WALLETS: readonly Attack[] = [
  {
    id: 'evm-gas-burner',
    title: 'A contract wallet that agrees in simulation and burns all gas on chain',
    needs: ['chains', 'settles itself', 'chain control'],
    isQuick: false,
    run: burnGas,
  },
  {
    id: 'evm-flipping-signature',
    title: 'A contract wallet that agrees in every second block only (EIP-1271)',
    needs: ['chains'],
    isQuick: false,
    run: async (target) => {
      const { chains, accepted, account } = await opening(target);
      const wallet = await deploy(chains, account, FLIPPING_CODE);
      await chains.fund(wallet);
      const reader = () =>
        evmReader(chains).readContract({
          address: SANDBOX_CONTRACTS.usdc,
          abi: AUTHORIZABLE_USD_ABI,
          functionName: 'balanceOf',
          args: [wallet],
        });
      const before = { received: await receivedBy(target, accepted.payTo), wallet: await reader() };
      const answers = [];
      for (let block = 0; block < 4; block += 1) {
        await sendEvm(chains, account, { to: account.address });
        answers.push(await presentUntilEnded(target, await contractPayment(accepted, wallet), 15_000));
      }
      const credits = new Set(
        answers
          .filter(({ status }) => status === 200)
          .map(({ json }) => (json.data as { paymentId: string }).paymentId),
      );
      const gained = (await receivedBy(target, accepted.payTo)) - before.received;
      const paid = before.wallet - (await reader());
      return judge(
        BigInt(credits.size) * 5n * USD <= gained && paid === gained,
        `${counted(answers.map(reasonOf))}; ${credits.size} credits of 5 USD, the receiver gained ${usd(gained)}`,
      );
    },
  },
  {
    id: 'evm-factory-abuse',
    title: "ERC-6492 signatures whose factory is the attacker's contract, and whose call is a transfer of the token",
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { chains, accepted, account, books } = await opening(target);
      const factory = await deploy(chains, account, FLIPPING_CODE);
      const victim = { abi: AUTHORIZABLE_USD_ABI, functionName: 'transfer', args: [account.address, 1n] } as const;
      const inner: Hex = `0x${'ab'.repeat(65)}`;
      const calls = [
        { address: factory, data: '0x12345678' as Hex },
        { address: SANDBOX_CONTRACTS.usdc as Hex, data: encodeFunctionData(victim) },
      ];
      const wallet = privateKeyToAccount(generatePrivateKey()).address;
      const headers = await Promise.all(
        calls.map(async (call) =>
          altered(
            (await evmPayment(accepted, account)).header,
            { from: wallet },
            { signature: serializeErc6492Signature({ ...call, signature: inner }) },
          ),
        ),
      );
      const sent = await settlerNonce(target);
      const verdict = await allRefused(target, headers, books);
      const more = (await settlerNonce(target)) - sent;
      return more > 0 ? judge(false, `the settling key sent ${more} transactions; ${verdict.evidence}`) : verdict;
    },
  },
];

async function burnGas(target: Target): Promise<Verdict> {
  const { chains, accepted, account } = await opening(target);
  const wallet = await deploy(chains, account, gasBurnerCode(200_000));
  await chains.fund(wallet);
  const settler = ownOf(target).settlers?.evm ?? zeroAddress;
  const coin = () => evmReader(chains).getBalance({ address: settler });
  const before = {
    coin: await coin(),
    sent: await settlerNonce(target),
    block: await evmReader(chains).getBlockNumber(),
  };
  const answer = await presentUntilEnded(target, await contractPayment(accepted, wallet), 15_000);
  const sent = (await settlerNonce(target)) - before.sent;
  const gas = await gasUsedBy(target, settler, before.block);
  return judge(
    sent <= 1 && gas <= 500_000n,
    `the settling key sent ${sent} transactions that used ${gas} gas; ${reasonOf(answer)}`,
  );
}

/** Returns a payment from a contract wallet, with a signature that only the contract can verify. */
async function contractPayment(accepted: Parameters<typeof evmPayment>[0], wallet: Hex): Promise<string> {
  const nobody = privateKeyToAccount(generatePrivateKey());
  const { header } = await evmPayment(accepted, nobody);
  return altered(
    header,
    { from: wallet },
    { signature: encodeAbiParameters([{ type: 'bytes' }], [`0x${'ab'.repeat(65)}`]) },
  );
}

/** Returns the number of transactions that the settling key has sent on Base; 0 if the key is unknown. */
function settlerNonce(target: Target): Promise<number> {
  const address = target.own?.settlers?.evm ?? target.own?.facilitator?.evm.address;
  return address ? evmReader(chainsOf(target)).getTransactionCount({ address }) : Promise.resolve(0);
}

async function gasUsedBy(target: Target, sender: Hex, afterBlock: bigint): Promise<bigint> {
  const reader = evmReader(chainsOf(target));
  const latest = await reader.getBlockNumber();
  let gas = 0n;
  for (let blockNumber = afterBlock + 1n; blockNumber <= latest; blockNumber += 1n) {
    const { transactions } = await reader.getBlock({ blockNumber, includeTransactions: true });
    for (const { from, hash } of transactions)
      if (from.toLowerCase() === sender.toLowerCase()) gas += (await reader.getTransactionReceipt({ hash })).gasUsed;
  }
  return gas;
}
