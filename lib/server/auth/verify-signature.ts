import { hash } from 'node:crypto';
import {
  type Address,
  BaseError,
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  hashMessage,
  type Hex,
  isHex,
  numberToHex,
  parseAbi,
  RpcRequestError,
  size,
} from 'viem';
import { hexToBytes } from '@noble/hashes/utils.js';
import { isZeroAddress } from '@/lib/protocol/evm-signature';
import { canonicalHex } from '@/lib/protocol/canonical-hex';
import { evmKeyVerdict } from './signatures/evm-key-verdict';
import { LoopTurns } from './signatures/loop-turns';
import type { ContractChecks, SignatureVerdict } from './contract-checks';

/** A message that an EVM wallet is said to have signed with `personal_sign` (EIP-191). */
export interface PersonalSignature {
  /** In any case. */
  address: Address;
  message: string;
  /** Hex, with or without 0x; any other text is invalid. */
  signature: string;
  /** EVM chains on which the wallet may be a contract. */
  chainIds: readonly number[];
}

/** The same, its signature in one form. */
type HexSignature = PersonalSignature & { readonly signature: Hex };

/** Calls a method of one chain. Rejects with viem's RpcRequestError where the node answered with an error. */
export type ChainRequest = (method: string, params: unknown) => Promise<unknown>;

/** The way to an EVM chain by its id, with a time-out; null for chains that the gateway has no upstream for. */
export type Chains = (chainId: number) => ChainRequest | null;

/** A verdict, and who gave it: what a contract said may change with its state, what a key signed does not. */
export interface Judged {
  verdict: SignatureVerdict;
  by: 'key' | 'contract';
}

const IS_VALID_SIGNATURE = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
/** Gas for one check, an order above what passkey wallets need to be deployed and to verify: nodes lend more, at our cost. */
const CHECK_GAS = 10_000_000;
/** Between two signatures of a crowd; one takes a fifth of it. */
const CROWD_REST_MS = 1;
/** Longest signature that is looked at: a wallet that is not deployed yet sends the call that deploys it. */
const SIGNATURE_BYTES_MAX = 6_144;

/**
 * Says whether a wallet signed a message. The signature of a key is checked here; only where that fails the chains
 * are asked, through the gateway's own upstreams and within the limits of `ContractChecks`: EIP-1271 for a wallet that
 * is a contract, ERC-6492 for one that is not deployed yet. Signatures with s in the upper half of the curve's order
 * are refused (EIP-2), and the zero address signs nothing.
 */
export class PersonalSignatures {
  readonly #turns = new LoopTurns(CROWD_REST_MS);

  constructor(
    private readonly chains: Chains,
    private readonly checks: ContractChecks,
  ) {}

  /**
   * `unavailable` where no chain said yes and one did not answer in time; chains without an upstream here are not asked.
   * @param caller whose address the limits go by; it is looked at only where a chain has to be asked.
   * @throws ApiError 429 beyond those limits.
   */
  async judge(claimed: PersonalSignature, caller: { readonly clientIp: string }): Promise<Judged> {
    const signature = canonicalHex(claimed.signature);
    // The validator that chains run takes every broken signature for one of the zero address.
    if (signature === null || size(signature) > SIGNATURE_BYTES_MAX || isZeroAddress(claimed.address))
      return { verdict: 'invalid', by: 'key' };
    const signed: HexSignature = { ...claimed, signature };
    const digest = digestOf(signed);
    // Before the arithmetic, which costs as much time as the rest of a request.
    if (this.checks.isKnownFailure(digest)) return { verdict: 'invalid', by: 'contract' };
    await this.#turns.next();
    const messageHash = hashMessage(signed.message);
    const byKey = verifyByKey(signed, messageHash);
    if (byKey !== 'unknown') return { verdict: byKey, by: 'key' };
    const chains = signed.chainIds.flatMap((chainId) => this.chains(chainId) ?? []);
    if (chains.length === 0) return { verdict: 'invalid', by: 'key' };
    const claim = { wallet: signed.address.toLowerCase(), digest, clientIp: caller.clientIp };
    return { verdict: await this.checks.check(claim, () => askChains(signed, messageHash, chains)), by: 'contract' };
  }
}

/** The part that needs no chain: `unknown` where the signature is not that of the address's own key. */
function verifyByKey({ address, signature }: HexSignature, messageHash: Hex): 'valid' | 'invalid' | 'unknown' {
  const verdict = evmKeyVerdict(address, hexToBytes(messageHash.slice(2)), signature);
  if (verdict === 'signed') return 'valid';
  return verdict === 'mirrored' ? 'invalid' : 'unknown';
}

async function askChains(
  { address, signature }: HexSignature,
  messageHash: Hex,
  chains: readonly ChainRequest[],
): Promise<SignatureVerdict> {
  // Of an address in lower case no checksum is computed.
  const wallet = address.toLowerCase() as Address;
  const verdicts = await Promise.all(chains.map((request) => askChain(request, wallet, messageHash, signature)));
  if (verdicts.includes('valid')) return 'valid';
  return verdicts.includes('unavailable') ? 'unavailable' : 'invalid';
}

/** Everything that the verdict depends on; the parts before the signature cannot hold its separator. */
function digestOf({ address, message, signature, chainIds }: HexSignature): string {
  return hash('sha256', `${chainIds.join()} ${address.toLowerCase()} ${signature} ${message}`, 'base64');
}

/** `isValidSignature(bytes32,bytes)` answers its own selector for yes (EIP-1271), in a whole word. */
const MAGIC_WORD = /^0x1626ba7e0{56}/;

interface Check {
  call: { to?: Address; data: Hex };
  yes: RegExp;
}

function checkOf(address: Address, messageHash: Hex, signature: Hex): Check {
  // The validator of ERC-6492 reverts for an empty one, which is that of a Safe whose owners approved on chain.
  if (size(signature) === 0)
    return {
      call: { to: address, data: encodeFunctionData({ abi: IS_VALID_SIGNATURE, args: [messageHash, signature] }) },
      yes: MAGIC_WORD,
    };
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    args: [address, messageHash, signature],
    bytecode: erc6492SignatureValidatorByteCode,
  });
  return { call: { data }, yes: /^0x0*1$/ };
}

/**
 * Runs the validator of ERC-6492, which is not deployed anywhere: its code is the call. It also does EIP-1271.
 * What comes back is the byte 1 or 0, or nothing where the wallet's own code reverted. An empty signature is for the
 * wallet's own code. The call is a bare request: an OffchainLookup (EIP-3668), which names a URL of the wallet's choice,
 * is a revert like any other.
 */
async function askChain(
  request: ChainRequest,
  address: Address,
  messageHash: Hex,
  signature: Hex,
): Promise<SignatureVerdict> {
  const { call, yes } = checkOf(address, messageHash, signature);
  try {
    const answer = await request('eth_call', [{ ...call, gas: numberToHex(CHECK_GAS) }, 'latest']);
    if (!isHex(answer)) return 'unavailable';
    return yes.test(answer.toLowerCase()) ? 'valid' : 'invalid';
  } catch (error) {
    return isRevert(error) ? 'invalid' : 'unavailable';
  }
}

/** Of Geth and its kin, and of OpenEthereum's. */
const REVERT_CODES: readonly number[] = [3, -32015];
const FAULT_OF_CODE =
  /revert|invalid opcode|out of gas|gas required exceeds|invalid jump|bad jump|stack (?:under|over)flow/i;

/** Whether a node ran the code and the code failed, rather than the node. */
function isRevert(error: unknown): boolean {
  const answered = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  return (
    answered instanceof RpcRequestError &&
    (REVERT_CODES.includes(answered.code) || FAULT_OF_CODE.test(answered.details))
  );
}
