import {
  createKeyPairSignerFromPrivateKeyBytes,
  getCompiledTransactionMessageDecoder,
  type Transaction,
} from '@solana/kit';
import { privateKeyToAccount } from 'viem/accounts';
import { parseSignInMessage } from '@/lib/protocol/sign-in/message';
import type { EvmAccount } from '@/packages/turnpike-client/src/account/evm-account';
import type { SolanaSigner } from '@/packages/turnpike-client/src/account/solana-signer';
import type { TurnpikeAccount } from '@/packages/turnpike-client/src/account/account';
import { SOLANA_CHAIN } from './payment-answers';
import type { SignedAuthorization } from './faults';

/** Wallet that records its signatures and reports forbidden ones. */
interface RecordingWallet {
  account: TurnpikeAccount;
  signed: SignedAuthorization[];
  faults: string[];
}

const KEY_BYTE = '5a';
const EVM = privateKeyToAccount(`0x${KEY_BYTE.repeat(32)}`);
const SOLANA = createKeyPairSignerFromPrivateKeyBytes(Uint8Array.from(Buffer.from(KEY_BYTE.repeat(32), 'hex')));
/** Validity of a Solana transaction: about 150 blocks after the block of its blockhash. */
const BLOCKHASH_SECONDS = 90;
const TRANSFER_CHECKED = 12;

/** @param origin the gateway's origin, the only origin for which the wallet may sign in */
export function evmRecordingWallet(origin: string): RecordingWallet {
  const signed: SignedAuthorization[] = [];
  const faults: string[] = [];
  const account: EvmAccount = {
    address: EVM.address,
    signMessage: ({ message }) => {
      faults.push(...faultsOfSignIn(message, origin));
      return EVM.signMessage({ message });
    },
    signTypedData: (data) => {
      const { to, value, validBefore, nonce } = data.message;
      signed.push({
        network: `eip155:${data.domain.chainId}`,
        asset: data.domain.verifyingContract,
        to,
        value,
        validBefore: Number(validBefore),
        nonce,
      });
      return EVM.signTypedData(data);
    },
  };
  return { account, signed, faults };
}

export async function solanaRecordingWallet(origin: string): Promise<RecordingWallet> {
  const signer = await SOLANA;
  const signed: SignedAuthorization[] = [];
  const faults: string[] = [];
  const account: SolanaSigner = {
    address: signer.address,
    signMessages: (messages: Parameters<typeof signer.signMessages>[0]) => {
      for (const { content } of messages) faults.push(...faultsOfSignIn(new TextDecoder().decode(content), origin));
      return signer.signMessages(messages);
    },
    signTransactions: (transactions: Parameters<typeof signer.signTransactions>[0]) => {
      for (const transaction of transactions) recordTransfer(transaction, signer.address, signed, faults);
      return signer.signTransactions(transactions);
    },
  };
  return { account, signed, faults };
}

function faultsOfSignIn(text: string, origin: string): string[] {
  const { uri } = parseSignInMessage(text);
  return new URL(uri).origin === origin ? [] : [`signed in at ${uri}`];
}

/** Records a transaction's token transfer. The wallet may only be the transfer's authority. */
function recordTransfer(
  { messageBytes }: Transaction,
  wallet: string,
  signed: SignedAuthorization[],
  faults: string[],
): void {
  const { staticAccounts, instructions } = getCompiledTransactionMessageDecoder().decode(messageBytes) as unknown as {
    staticAccounts: string[];
    instructions: { accountIndices?: number[]; data?: Uint8Array }[];
  };
  if (staticAccounts[0] === wallet) faults.push('signed a transaction whose fee the wallet pays');
  for (const { accountIndices = [], data = new Uint8Array() } of instructions) {
    if (!accountIndices.some((index) => staticAccounts[index] === wallet)) continue;
    const [, mint = -1, to = -1, authority = -1] = accountIndices;
    if (data[0] !== TRANSFER_CHECKED || data.length !== 10 || staticAccounts[authority] !== wallet)
      faults.push('signed another instruction than a transfer of tokens');
    else
      signed.push({
        network: SOLANA_CHAIN,
        asset: staticAccounts[mint] ?? '',
        to: staticAccounts[to] ?? '',
        value: Buffer.from(data).readBigUInt64LE(1),
        validBefore: Math.floor(Date.now() / 1_000) + BLOCKHASH_SECONDS,
        nonce: Buffer.from(messageBytes).toString('hex'),
      });
  }
}
