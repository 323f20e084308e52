import type { EvmPaymentDraft } from '@/lib/client/evm-payment';
import type { EvmWithdrawalDraft } from '@/lib/client/withdrawals';
import { isEvmAddress } from '@/lib/protocol/wallet-address';
import { TurnpikeError } from '../turnpike-error';
import { asked, type Hex, type Wallet } from './wallet';
import { evmWallet } from './evm-account';

/** Browser wallet from `window.ethereum` or EIP-6963. */
export interface Eip1193Provider {
  // oxlint-disable-next-line typescript/no-explicit-any -- providers declare different types; only EIP-1193's own calls are made
  request(parameters: { method: any; params?: any }): Promise<any>;
}

const DOMAIN_TYPE = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const;

export function isEip1193Provider(value: object): value is Eip1193Provider {
  return typeof (value as Partial<Eip1193Provider>).request === 'function';
}

/** Wraps a provider. The wallet connects with the first call. */
export function eip1193Wallet(provider: Eip1193Provider): Wallet {
  const request = (method: string, params: readonly unknown[] = []): Promise<unknown> =>
    asked(() => provider.request({ method, params }));
  let connected: Promise<Hex> | null = null;
  const address = (): Promise<Hex> => {
    connected ??= request('eth_requestAccounts').then(firstAddress);
    // After a refusal, the next call asks the wallet again.
    connected.catch(() => (connected = null));
    return connected;
  };
  return evmWallet({
    asksPerson: true,
    address,
    signMessage: async (text) => request('personal_sign', [hexOfText(text), await address()]),
    async signTypedData(typedData) {
      await switchTo(typedData.domain.chainId, request);
      return request('eth_signTypedData_v4', [await address(), typedDataText(typedData)]);
    },
  });
}

/** Switches the wallet to the chain, because wallets refuse to sign typed data for any other chain. */
async function switchTo(
  chainId: number,
  request: (method: string, params?: readonly unknown[]) => Promise<unknown>,
): Promise<void> {
  if (Number(await request('eth_chainId')) !== chainId)
    await request('wallet_switchEthereumChain', [{ chainId: `0x${chainId.toString(16)}` }]);
}

/** Formats typed data as JSON for `eth_signTypedData_v4`, with integers as decimal strings. */
function typedDataText({ types, ...rest }: EvmPaymentDraft['typedData'] | EvmWithdrawalDraft['typedData']): string {
  return JSON.stringify({ ...rest, types: { EIP712Domain: DOMAIN_TYPE, ...types } }, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

function firstAddress(accounts: unknown): Hex {
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (!isEvmAddress(first)) throw new TurnpikeError('ACCOUNT_EMPTY');
  return first;
}

function hexOfText(text: string): Hex {
  return `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
