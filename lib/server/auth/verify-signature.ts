import { canonicalHex } from '@/lib/protocol/canonical-hex';
import { isZeroAddress, keyVerdict, type KeyVerdict, type RecoverPublicKey } from '@/lib/protocol/evm-signature';
import { hexToBytes } from '@noble/hashes/utils.js';
import { hash } from 'node:crypto';
import { recover } from 'tiny-secp256k1';
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
import type { ContractChecks, SignatureVerdict } from './contract-checks';
import { LoopTurns } from './signatures/loop-turns';

/** Message that a wallet supposedly signed with `personal_sign` (EIP-191), or digest of typed data (EIP-712). */
type PersonalSignature = ClaimedSignature & ({ message: string; digest?: never } | { digest: Hex });

interface ClaimedSignature {
  /** Address in any letter case. */
  address: Address;
  /** Hex, with or without 0x. Any other text is an invalid signature. */
  signature: string;
  /** EVM chains on which the wallet may be a contract. */
  chainIds: readonly number[];
}

type HexSignature = PersonalSignature & { readonly signature: Hex };

/** Calls a chain's method. Rejects with viem's RpcRequestError if the node answered with an error. */
type ChainRequest = (method: string, params: unknown) => Promise<unknown>;

/** Returns a function that sends requests to a chain, with a timeout; null if the chain has no upstream. */
type Chains = (chainId: number) => ChainRequest | null;

/** Verdict, and whether a key or a contract gave it. Only a contract's verdict may change later. */
interface Judged {
  verdict: SignatureVerdict;
  by: 'key' | 'contract';
}

const IS_VALID_SIGNATURE = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
/** Gas limit of a check on a chain: ten times what passkey wallets need. */
const CHECK_GAS = 10_000_000;
/** Pause between checks while several signatures wait, about five times as long as one check. */
const CROWD_REST_MS = 1;
/** An undeployed wallet's signature can be this long, because it includes the call that deploys the wallet. */
const SIGNATURE_BYTES_MAX = 6_144;

/**
 * Verifies wallets' signatures. First checks in this process whether the address's own key signed. If not, asks chains
 * whether a contract accepts the signature (EIP-1271; ERC-6492 for undeployed contracts), within the limits of
 * `ContractChecks`. Refuses the zero address, and signatures whose s is in the upper half of the order (EIP-2).
 */
export class PersonalSignatures {
  readonly #turns = new LoopTurns(CROWD_REST_MS);

  constructor(
    private readonly chains: Chains,
    private readonly checks: ContractChecks,
  ) {}

  /**
   * Returns the verdict on a signature: `unavailable` if no chain confirmed the signature and at least one chain gave
   * no verdict.
   * @param caller sender of the request; the sender's address counts toward a limit if a chain is asked
   * @throws ApiError 429 above the limits of `ContractChecks`
   */
  async judge(claimed: PersonalSignature, caller: { readonly clientIp: string }): Promise<Judged> {
    const signature = canonicalHex(claimed.signature);
    // ERC-6492's validator recovers the zero address from a malformed signature, so the validator would accept any
    // malformed signature for the zero address.
    if (signature === null || size(signature) > SIGNATURE_BYTES_MAX || isZeroAddress(claimed.address))
      return { verdict: 'invalid', by: 'key' };
    const signed: HexSignature = { ...claimed, signature };
    const digest = digestOf(signed);
    // Looks up known failures first, because recovering the key takes as long as the rest of a request.
    if (this.checks.isKnownFailure(digest)) return { verdict: 'invalid', by: 'contract' };
    await this.#turns.next();
    const messageHash = 'message' in signed ? hashMessage(signed.message) : signed.digest;
    const byKey = verifyByKey(signed, messageHash);
    if (byKey !== 'unknown') return { verdict: byKey, by: 'key' };
    const chains = signed.chainIds.flatMap((chainId) => this.chains(chainId) ?? []);
    if (chains.length === 0) return { verdict: 'invalid', by: 'key' };
    const claim = { wallet: signed.address.toLowerCase(), digest, clientIp: caller.clientIp };
    return { verdict: await this.checks.check(claim, () => askChains(signed, messageHash, chains)), by: 'contract' };
  }
}

/** Checks a signature without a chain. Returns `unknown` if the address's own key did not sign. */
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
  // Uses lower case, because computing a checksum would take time.
  const wallet = address.toLowerCase() as Address;
  const verdicts = await Promise.all(chains.map((request) => askChain(request, wallet, messageHash, signature)));
  if (verdicts.includes('valid')) return 'valid';
  return verdicts.includes('unavailable') ? 'unavailable' : 'invalid';
}

/**
 * Hashes everything that determines the verdict. Only the message may contain the separator, so the message comes last.
 */
function digestOf({ address, signature, chainIds, ...signed }: HexSignature): string {
  const content = 'message' in signed ? signed.message : `EIP-712 ${signed.digest}`;
  return hash('sha256', `${chainIds.join()} ${address.toLowerCase()} ${signature} ${content}`, 'base64');
}

/** Answer of a contract that accepts a signature: the selector of `isValidSignature(bytes32,bytes)` (EIP-1271). */
const MAGIC_WORD = /^0x1626ba7e0{56}/;

interface Check {
  call: { to?: Address; data: Hex };
  yes: RegExp;
}

function checkOf(address: Address, messageHash: Hex, signature: Hex): Check {
  // A Safe accepts an empty signature if its owners approved the message on chain. ERC-6492's validator would revert on
  // an empty signature.
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
 * Asks a chain whether a contract accepts a signature. Sends the code of ERC-6492's validator, which also covers
 * EIP-1271. The result is the byte 1 or 0, or nothing if the wallet's code reverted. For an empty signature, calls the
 * wallet itself. An OffchainLookup (EIP-3668) counts as a revert, because the wallet would choose the URL to call.
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

/** JSON-RPC error codes of a revert: 3 in Geth and its forks, -32015 in OpenEthereum. */
const REVERT_CODES: readonly number[] = [3, -32015];
const FAULT_OF_CODE =
  /revert|invalid opcode|out of gas|gas required exceeds|invalid jump|bad jump|stack (?:under|over)flow/i;

/** Returns whether the called contract reverted; false if the node failed. */
function isRevert(error: unknown): boolean {
  const answered = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  return (
    answered instanceof RpcRequestError &&
    (REVERT_CODES.includes(answered.code) || FAULT_OF_CODE.test(answered.details))
  );
}

/**
 * Returns whether an address's key signed a hash (see `keyVerdict`). Uses WebAssembly, which is five times as fast as
 * JavaScript.
 */
export function evmKeyVerdict(address: string, hash: Uint8Array, signature: string): KeyVerdict {
  return keyVerdict(address, hash, signature, recoverInWasm);
}

/** Recovers public keys with libsecp256k1, compiled to WebAssembly. */
export const recoverInWasm: RecoverPublicKey = (hash, rs, parity) => {
  try {
    return recover(hash, rs, parity, false);
  } catch {
    // No point of the curve has r as its x coordinate.
    return null;
  }
};
