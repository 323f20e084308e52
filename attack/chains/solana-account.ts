import { createPrivateKey, randomBytes, sign } from 'node:crypto';
import {
  AccountRole,
  address,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getAddressEncoder,
  getBase64Decoder,
  getBase64Encoder,
  getProgramDerivedAddress,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { buildSignIn } from '@/lib/protocol/sign-in/build-sign-in';
import { SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import { callRpc, type Chains, SOLANA } from './chains';

const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const ASSOCIATED_TOKEN_PROGRAM = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
const COMPUTE_BUDGET_PROGRAM = address('ComputeBudget111111111111111111111111111111');
const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const USDC = address(SANDBOX_USDC_MINT);
const DECIMALS = 6;

export interface SolanaAccount {
  signer: KeyPairSigner;
  address: Address;
  seed: Uint8Array;
}

export async function newSolanaAccount(seed: Uint8Array = new Uint8Array(randomBytes(32))): Promise<SolanaAccount> {
  const signer = await createKeyPairSignerFromPrivateKeyBytes(seed);
  return { signer, address: signer.address, seed };
}

export async function fundedSolanaAccount(chains: Chains): Promise<SolanaAccount> {
  const account = await newSolanaAccount();
  await chains.fund(account.address);
  return account;
}

/** Returns an owner's associated token account, by default for USDC. */
async function usdcAccountOf(owner: Address, mint: Address = USDC): Promise<Address> {
  const encoder = getAddressEncoder();
  const [account] = await getProgramDerivedAddress({
    programAddress: ASSOCIATED_TOKEN_PROGRAM,
    seeds: [encoder.encode(owner), encoder.encode(TOKEN_PROGRAM), encoder.encode(mint)],
  });
  return account;
}

export async function solanaUsdcOf(chains: Chains, owner: string): Promise<bigint> {
  const { value } = await callRpc<{
    value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[];
  }>(chains.rpcUrl(SOLANA.slug), 'getTokenAccountsByOwner', [
    owner,
    { mint: USDC },
    { encoding: 'jsonParsed', commitment: 'confirmed' },
  ]);
  return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n);
}

/** Returns a TransferChecked instruction for an amount in base units. */
export async function transferChecked(
  authority: Address,
  to: Address,
  amount: bigint,
  mint: Address = USDC,
): Promise<Instruction> {
  const data = Buffer.alloc(10);
  data[0] = 12;
  data.writeBigUInt64LE(amount, 1);
  data[9] = DECIMALS;
  const accounts = [
    { address: await usdcAccountOf(authority, mint), role: AccountRole.WRITABLE },
    { address: mint, role: AccountRole.READONLY },
    { address: await usdcAccountOf(to, mint), role: AccountRole.WRITABLE },
    { address: authority, role: AccountRole.READONLY_SIGNER },
  ];
  return { programAddress: TOKEN_PROGRAM, accounts, data: new Uint8Array(data) };
}

/** Returns a transfer of SOL, which its source must sign. */
export function transferSol(from: Address, to: Address, lamports: bigint): Instruction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2, 0);
  data.writeBigUInt64LE(lamports, 4);
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [
      { address: from, role: AccountRole.WRITABLE_SIGNER },
      { address: to, role: AccountRole.WRITABLE },
    ],
    data: new Uint8Array(data),
  };
}

/**
 * Returns the instructions with which a payment of the "exact" scheme must begin: compute unit limit, and compute unit
 * price in micro-lamports.
 */
export function computeBudget(units = 20_000, microLamports = 1n): Instruction[] {
  const limit = Buffer.alloc(5);
  limit[0] = 2;
  limit.writeUInt32LE(units, 1);
  const price = Buffer.alloc(9);
  price[0] = 3;
  price.writeBigUInt64LE(microLamports, 1);
  return [limit, price].map((data) => ({ programAddress: COMPUTE_BUDGET_PROGRAM, data: new Uint8Array(data) }));
}

interface TransactionDraft {
  feePayer: Address;
  instructions: readonly Instruction[];
  signers: readonly SolanaAccount[];
  blockhash?: string;
}

/** Signs a transaction with some of the required keys. @returns its wire form in base64 */
export async function signedTransaction(
  chains: Chains,
  { feePayer, instructions, signers, blockhash }: TransactionDraft,
): Promise<string> {
  const latest =
    blockhash ??
    (
      await callRpc<{ value: { blockhash: string } }>(chains.rpcUrl(SOLANA.slug), 'getLatestBlockhash', [
        { commitment: 'confirmed' },
      ])
    ).value.blockhash;
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayer(feePayer, draft),
    (draft) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: latest as Blockhash, lastValidBlockHeight: 1n << 60n },
        draft,
      ),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
  );
  const transaction = await partiallySignTransaction(
    signers.map(({ signer }) => signer.keyPair),
    compileTransaction(message),
  );
  return getBase64Decoder().decode(getTransactionEncoder().encode(transaction));
}

/** Adds a key's signature to a transaction. @param seed the key's seed */
export function countersigned(wire: string, seed: Uint8Array): string {
  const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(wire));
  const owner = base58.encode(ed25519.getPublicKey(seed)) as Address;
  const signature = ed25519.sign(Uint8Array.from(transaction.messageBytes), seed);
  return getBase64Decoder().decode(
    getTransactionEncoder().encode({
      ...transaction,
      signatures: { ...transaction.signatures, [owner]: signature },
    } as typeof transaction),
  );
}

/** Returns the bytes of a transaction's message, which signatures cover. */
export function messageOf(wire: string): Uint8Array {
  return Uint8Array.from(getTransactionDecoder().decode(getBase64Encoder().encode(wire)).messageBytes);
}

const POLL_MS = 100;
const POLLS_MAX = 150;

/** Sends a transaction and waits for its confirmation. @returns its signature @throws Error if it fails */
export async function sendSolana(chains: Chains, wire: string): Promise<string> {
  const url = chains.rpcUrl(SOLANA.slug);
  const signature = await callRpc<string>(url, 'sendTransaction', [wire, { encoding: 'base64' }]);
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    const { value } = await callRpc<{ value: ({ err: unknown; confirmationStatus: string } | null)[] }>(
      url,
      'getSignatureStatuses',
      [[signature]],
    );
    const [status] = value;
    if (status?.err) throw new Error(`The transaction failed: ${JSON.stringify(status.err)}`);
    if (status && status.confirmationStatus !== 'processed') return signature;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('The transaction was not confirmed.');
}

/** Returns a wallet's sign-in header for the gateway's own origin. */
export function solanaSignIn({ url }: { url: string }, account: SolanaAccount): { 'sign-in-with-x': string } {
  const unsigned = buildSignIn({ address: account.address, uri: url, chainId: SOLANA.caip2 });
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, account.seed]), format: 'der', type: 'pkcs8' });
  return { 'sign-in-with-x': unsigned.header(base58.encode(sign(null, Buffer.from(unsigned.text), key))) };
}
