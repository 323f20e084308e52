import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type Address, BaseError, encodeDeployData, erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode, hashMessage, type Hex, isAddressEqual, isHex, type PublicClient, recoverAddress, RpcRequestError, size } from 'viem';
import { networkClient } from '../chain/network-client';
import type { RpcNetworks } from '../rpc/networks';

export type SignatureVerdict = 'valid' | 'invalid' | 'unavailable';

/** A message that an EVM wallet is said to have signed with `personal_sign` (EIP-191). */
export interface PersonalSignature {
  /** In any case. */
  address: Address;
  message: string;
  /** Hex, as wallets give it; whatever else comes is invalid. */
  signature: string;
  /** EVM chains on which the wallet may be a contract. */
  chainIds: readonly number[];
}

const CHAIN_TIMEOUT_MS = 5_000;
/** Signatures that the chains are asked about at a time: forged ones must not keep the upstreams busy. */
const CHAIN_CHECKS_MAX = 32;
/** Longest signature that is looked at: a wallet that is not deployed yet sends the call that deploys it. */
const SIGNATURE_BYTES_MAX = 6_144;
const ECDSA_BYTES = 65;

let chainChecks = 0;

/**
 * Says whether a wallet signed a message. The signature of a key is checked here; only where that fails the chains
 * are asked, through the gateway's own upstreams: EIP-1271 for a wallet that is a contract, ERC-6492 for one that is
 * not deployed yet. Signatures with s in the upper half of the curve's order are refused (EIP-2). `unavailable` where
 * no chain said yes and one did not answer in time; chains without an upstream here are not asked.
 */
export async function verifyPersonalSignature(signed: PersonalSignature, rpc: RpcNetworks): Promise<SignatureVerdict> {
  const byKey = await verifyByKey(signed);
  return byKey === 'unknown' ? verifyByContract(signed, rpc) : byKey;
}

/** The part that needs no chain: `unknown` where the signature is not that of the address's own key. */
export async function verifyByKey({ address, message, signature }: Omit<PersonalSignature, 'chainIds'>): Promise<'valid' | 'invalid' | 'unknown'> {
  if (!isSignature(signature)) return 'invalid';
  if (size(signature) !== ECDSA_BYTES) return 'unknown';
  try {
    const signer = await recoverAddress({ hash: hashMessage(message), signature });
    if (!isAddressEqual(signer, address)) return 'unknown';
  } catch {
    return 'unknown';
  }
  return isLowS(signature) ? 'valid' : 'invalid';
}

/** The part that needs the chains: whether code of the wallet, there or to be deployed, takes the signature for its own. */
export async function verifyByContract({ address, message, signature, chainIds }: PersonalSignature, rpc: RpcNetworks): Promise<SignatureVerdict> {
  if (!isSignature(signature)) return 'invalid';
  const networks = chainIds.flatMap((chainId) => networkOf(chainId, rpc) ?? []);
  if (networks.length === 0) return 'invalid';
  if (chainChecks >= CHAIN_CHECKS_MAX) return 'unavailable';
  chainChecks++;
  try {
    const hash = hashMessage(message);
    const verdicts = await Promise.all(networks.map((slug) => askChain(networkClient(rpc, slug, { timeoutMs: CHAIN_TIMEOUT_MS }), address, hash, signature)));
    if (verdicts.includes('valid')) return 'valid';
    return verdicts.includes('unavailable') ? 'unavailable' : 'invalid';
  } finally {
    chainChecks--;
  }
}

function isSignature(signature: string): signature is Hex {
  return isHex(signature) && signature.length % 2 === 0 && size(signature) <= SIGNATURE_BYTES_MAX;
}

function isLowS(signature: Hex): boolean {
  return BigInt(`0x${signature.slice(66, 130)}`) <= secp256k1.Point.CURVE().n >> 1n;
}

function networkOf(chainId: number, rpc: RpcNetworks): string | undefined {
  return rpc.backends().find(({ network }) => network.kind === 'evm' && network.chainId === chainId)?.network.slug;
}

/**
 * Runs the validator of ERC-6492, which is not deployed anywhere: its code is the call. It also does EIP-1271.
 * What comes back is the byte 1 or 0, or nothing where the wallet's own code reverted.
 */
async function askChain(client: PublicClient, address: Address, hash: Hex, signature: Hex): Promise<SignatureVerdict> {
  const data = encodeDeployData({ abi: erc6492SignatureValidatorAbi, args: [address, hash, signature], bytecode: erc6492SignatureValidatorByteCode });
  try {
    const answer = await client.request({ method: 'eth_call', params: [{ data }, 'latest'] });
    if (!isHex(answer)) return 'unavailable';
    return /^0x0*1$/.test(answer) ? 'valid' : 'invalid';
  } catch (error) {
    return isRevert(error) ? 'invalid' : 'unavailable';
  }
}

/** Of Geth and its kin, and of OpenEthereum's. */
const REVERT_CODES: readonly number[] = [3, -32015];
const FAULT_OF_CODE = /revert|invalid opcode|out of gas|gas required exceeds|invalid jump|bad jump|stack (?:under|over)flow/i;

/** Whether a node ran the code and the code failed, rather than the node. */
function isRevert(error: unknown): boolean {
  const answered = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  return answered instanceof RpcRequestError && (REVERT_CODES.includes(answered.code) || FAULT_OF_CODE.test(answered.details));
}
