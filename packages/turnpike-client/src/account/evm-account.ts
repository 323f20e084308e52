import { draftEvmPayment, type EvmPaymentDraft, signedEvmPayment } from '@/lib/client/evm-payment';
import type { EvmWithdrawalDraft } from '@/lib/client/withdrawals';
import { canonicalHex } from '@/lib/protocol/canonical-hex';
import { TurnpikeError } from '../turnpike-error';
import { asked, type Hex, otherFamily, type Wallet } from './wallet';

type PaymentData = EvmPaymentDraft['typedData'];
type TypedData = PaymentData | EvmWithdrawalDraft['typedData'];

/** Account that signs without asking a person, such as one made with viem's `privateKeyToAccount`. */
export interface EvmAccount {
  readonly address: Hex;
  signMessage(parameters: { message: string }): Promise<Hex>;
  signTypedData(parameters: PaymentData): Promise<Hex>;
}

export interface EvmWalletClient {
  readonly account?: { readonly address: Hex; readonly type?: string } | undefined;
  signMessage(parameters: { account: Hex; message: string }): Promise<Hex>;
  signTypedData(parameters: PaymentData & { account: Hex }): Promise<Hex>;
  request(...parameters: never): Promise<unknown>;
}

export function isEvmAccount(value: object): value is EvmAccount {
  const { address, signMessage, signTypedData } = value as Partial<EvmAccount>;
  return (
    typeof address === 'string' &&
    address.startsWith('0x') &&
    typeof signMessage === 'function' &&
    typeof signTypedData === 'function'
  );
}

export function isEvmWalletClient(value: object): value is EvmWalletClient {
  const { signMessage, signTypedData, request } = value as Partial<EvmWalletClient>;
  return typeof request === 'function' && typeof signMessage === 'function' && typeof signTypedData === 'function';
}

/** Wraps an account whose key is in this process. */
export function evmAccountWallet(account: EvmAccount): Wallet {
  return evmWallet({
    asksPerson: false,
    address: () => Promise.resolve(account.address),
    signMessage: (message) => account.signMessage({ message }),
    // viem's generic type does not accept a union.
    signTypedData: (typedData) => account.signTypedData(typedData as PaymentData),
  });
}

/** Wraps a viem client. @throws {TurnpikeError} ACCOUNT_EMPTY without an account */
export function evmWalletClientWallet(client: EvmWalletClient): Wallet {
  const { account } = client;
  if (account === undefined)
    throw new TurnpikeError('ACCOUNT_EMPTY', {
      message: 'The wallet client has no account.',
      remedy: 'Give createWalletClient an account, and try again.',
    });
  // A viem client signs with a local account's key only if the call passes the account instead of its address.
  const signer = (account.type === 'local' ? account : account.address) as Hex;
  return evmWallet({
    asksPerson: account.type !== 'local',
    address: () => Promise.resolve(account.address),
    signMessage: (message) => client.signMessage({ account: signer, message }),
    signTypedData: (typedData) => client.signTypedData({ ...(typedData as PaymentData), account: signer }),
  });
}

interface EvmSigning {
  asksPerson: boolean;
  address(): Promise<Hex>;
  /** Signs a text (EIP-191). The result is unchecked. */
  signMessage(text: string): Promise<unknown>;
  /** Signs typed data (EIP-712). The result is unchecked. */
  signTypedData(typedData: TypedData): Promise<unknown>;
}

export function evmWallet({ asksPerson, address, signMessage, signTypedData }: EvmSigning): Wallet {
  const signed = async (typedData: TypedData): Promise<Hex> => {
    const signature = signatureOf(await asked(() => signTypedData(typedData)));
    // No contract accepts an empty signature.
    if (signature === '0x') throw noSignature();
    return signature;
  };
  return {
    family: 'evm',
    asksPerson,
    address,
    signText: async (text) => signatureOf(await asked(() => signMessage(text))),
    signWithdrawal: async (draft) => {
      if (draft.family !== 'evm') throw otherFamily(draft);
      return signed(draft.typedData);
    },
    async pay(accepted, { validSeconds }) {
      const draft = draftEvmPayment(accepted, await address(), Date.now(), validSeconds);
      const payment = signedEvmPayment(draft, await signed(draft.typedData));
      return { payment, executableUntilMs: Number(draft.typedData.message.validBefore) * 1_000 };
    },
  };
}

function signatureOf(answer: unknown): Hex {
  const signature = typeof answer === 'string' ? canonicalHex(answer) : null;
  if (signature === null) throw noSignature();
  return signature;
}

const noSignature = (): TurnpikeError =>
  new TurnpikeError('WALLET_FAILED', { message: "The wallet's answer is not a signature." });
