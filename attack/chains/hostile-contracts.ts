import { encodeErrorResult, type Hex, parseAbi, size, zeroAddress } from 'viem';

const LOOKUP_ABI = parseAbi([
  'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
]);
/** Returns the magic value of EIP-1271, left-aligned by SHL 224. */
const RETURN_MAGIC = '631626ba7e60e01b60005260206000f3';

/**
 * Returns the code of a contract that reverts every call with an OffchainLookup (EIP-3668) and names itself as the
 * sender. A client that follows the lookup fetches `url`.
 */
export function lookupCode(url: string): Hex {
  const data = encodeErrorResult({
    abi: LOOKUP_ABI,
    errorName: 'OffchainLookup',
    args: [zeroAddress, [url], '0x', '0x12345678', '0x'],
  });
  const length = hex(size(data), 2);
  // CODECOPY the error into memory, put ADDRESS at byte 4, REVERT.
  return `0x61${length}6100136000393060045261${length}6000fd${data.slice(2)}`;
}

/**
 * Returns the code of a contract that burns all gas on chain. In a simulation, where the gas price is zero, it accepts
 * any signature after `loops` rounds of work.
 */
export function gasBurnerCode(loops: number): Hex {
  // GASPRICE ISZERO PUSH1 09 JUMPI; 05: JUMPDEST PUSH1 05 JUMP; 09: JUMPDEST PUSH3 n; 0e: JUMPDEST PUSH1 1 SWAP1 SUB DUP1 PUSH1 0e JUMPI POP
  return `0x3a156009575b600556${'5b'}62${hex(loops, 3)}${'5b'}6001900380600e5750${RETURN_MAGIC}`;
}

/**
 * Code of a contract that accepts any signature in even blocks and reverts in odd blocks, so that a verified signature
 * may fail at settlement.
 */
export const FLIPPING_CODE: Hex = `0x4360011615600d5760006000fd5b${RETURN_MAGIC}`;

function hex(value: number, bytes: number): string {
  return value.toString(16).padStart(bytes * 2, '0');
}
