import type { Hex } from 'viem';
import { AUTHORIZABLE_USD_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { judge, type Verdict } from './attack';
import { openBooks } from './books';
import { BASE } from './chains/chains';
import { evmReader, evmSignIn, fundedEvmAccount } from './chains/evm-account';
import { acceptedOn, decodePayment, encodePayment, present, reasonOf, usd, wakeChain } from './chains/payments';
import { chainsOf, type Target } from './target';
import { counted } from './wire/burst';

/** Prepares an attack on an EVM rail: a funded payer, the payment requirements, and recorded balances. */
export async function opening(
  target: Target,
  {
    amountUsd,
    network = BASE as { slug: string; caip2: string },
  }: { amountUsd?: number; network?: { slug: string; caip2: string } } = {},
) {
  const chains = chainsOf(target);
  await wakeChain(target, network.slug);
  const [accepted, account] = await Promise.all([
    acceptedOn(target, network.caip2, amountUsd),
    fundedEvmAccount(chains),
  ]);
  const payer = { address: account.address.toLowerCase(), signIn: await evmSignIn(target, account) };
  const books = await openBooks(target, accepted, [payer]);
  return { chains, accepted, account, payer, books };
}

/** Presents payments that the gateway must refuse, then compares credits and payments. */
export async function allRefused(
  target: Target,
  headers: readonly string[],
  books: Awaited<ReturnType<typeof opening>>['books'],
  gained = 0n,
): Promise<Verdict> {
  const answers = [];
  for (const header of headers) answers.push(await present(target, header));
  const closed = await books.close();
  const isHeld =
    closed.gained === gained && closed.credited === gained && answers.every(({ status }) => status === 400);
  return judge(
    isHeld,
    `${counted(answers.map(reasonOf))}; credited ${usd(closed.credited)}, the receiver gained ${usd(closed.gained)}`,
  );
}

/** Returns the payment with changed fields in or around its authorization. */
export function altered(
  header: string,
  authorization: Record<string, string>,
  payload: object = {},
  accepted: object = {},
): string {
  const payment = decodePayment(header);
  return encodePayment({
    ...payment,
    accepted: { ...payment.accepted, ...accepted },
    payload: { ...payment.payload, authorization: { ...payment.payload.authorization, ...authorization }, ...payload },
  });
}

export function receivedBy(target: Target, payTo: string, network: string = BASE.slug): Promise<bigint> {
  return evmReader(chainsOf(target), network).readContract({
    address: SANDBOX_CONTRACTS.usdc,
    abi: AUTHORIZABLE_USD_ABI,
    functionName: 'balanceOf',
    args: [payTo as Hex],
  });
}

export const USD = 1_000_000n;
