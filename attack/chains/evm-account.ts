import {
  createPublicClient,
  createWalletClient,
  http,
  parseAbi,
  type Hex,
  type PrivateKeyAccount,
  type PublicClient,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { buildSignIn } from '@/lib/protocol/sign-in/build-sign-in';
import { AUTHORIZABLE_USD_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { BASE, type Chains } from './chains';

const ABI = parseAbi(['function balanceOf(address) view returns (uint256)']);

type Address = `0x${string}`;

/** Message of a TransferWithAuthorization (EIP-3009). */
export interface AuthorizationMessage {
  from: Address;
  to: Address;
  value: bigint;
  validAfter: bigint;
  validBefore: bigint;
  nonce: Hex;
}

export async function fundedEvmAccount(chains: Chains): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey());
  await chains.fund(account.address);
  return account;
}

/** Returns a client for reads. Does not follow a contract's OffchainLookup (EIP-3668). */
export function evmReader(chains: Chains, network: string = BASE.slug): PublicClient {
  return createPublicClient({ transport: http(chains.rpcUrl(network)), ccipRead: false, pollingInterval: 100 });
}

/** Returns an address's USDC in base units. */
export function usdcOf(chains: Chains, owner: Address, network: string = BASE.slug): Promise<bigint> {
  return evmReader(chains, network).readContract({
    address: SANDBOX_CONTRACTS.usdc,
    abi: ABI,
    functionName: 'balanceOf',
    args: [owner],
  });
}

/** Sends a transaction and waits until a block contains it. @returns the transaction hash */
export async function sendEvm(
  chains: Chains,
  account: PrivateKeyAccount,
  transaction: { to?: Address; data?: Hex; value?: bigint; gas?: bigint },
  network: string = BASE.slug,
): Promise<Hex> {
  const wallet = createWalletClient({ account, transport: http(chains.rpcUrl(network)) });
  const hash = await wallet.sendTransaction({ chain: null, ...transaction });
  await evmReader(chains, network).waitForTransactionReceipt({ hash });
  return hash;
}

/** Deploys runtime code. @returns the contract's address */
export async function deploy(
  chains: Chains,
  account: PrivateKeyAccount,
  runtime: Hex,
  network: string = BASE.slug,
): Promise<Address> {
  const hash = await sendEvm(chains, account, { data: creationCodeOf(runtime) }, network);
  const { contractAddress } = await evmReader(chains, network).getTransactionReceipt({ hash });
  if (!contractAddress) throw new Error('The contract was not deployed.');
  return contractAddress;
}

/**
 * Executes an authorization with a transaction of another account. Anyone who has seen the authorization can do this.
 */
export async function executeAuthorization(
  chains: Chains,
  sender: PrivateKeyAccount,
  { from, to, value, validAfter, validBefore, nonce }: AuthorizationMessage,
  signature: Hex,
  network: string = BASE.slug,
): Promise<Hex> {
  const wallet = createWalletClient({ account: sender, transport: http(chains.rpcUrl(network)) });
  const hash = await wallet.writeContract({
    chain: null,
    address: SANDBOX_CONTRACTS.usdc,
    abi: AUTHORIZABLE_USD_ABI,
    functionName: 'transferWithAuthorization',
    args: [from, to, value, validAfter, validBefore, nonce, signature],
  });
  await evmReader(chains, network).waitForTransactionReceipt({ hash });
  return hash;
}

/** Returns a wallet's sign-in header for the gateway's own origin. */
export async function evmSignIn(
  { url }: { url: string },
  account: PrivateKeyAccount,
): Promise<{ 'sign-in-with-x': string }> {
  const unsigned = buildSignIn({ address: account.address, uri: url, chainId: BASE.chainId });
  return { 'sign-in-with-x': unsigned.header(await account.signMessage({ message: unsigned.text })) };
}

/** Creation code that returns its runtime code: PUSH2 length, DUP1, PUSH1 12, PUSH1 0, CODECOPY, PUSH1 0, RETURN. */
function creationCodeOf(runtime: Hex): Hex {
  const code = runtime.slice(2);
  return `0x61${(code.length / 2).toString(16).padStart(4, '0')}80600c6000396000f3${code}`;
}
