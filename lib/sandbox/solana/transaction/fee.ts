import { toBase58 } from '../address';
import { COMPUTE_BUDGET_PROGRAM, ED25519_PROGRAM, SECP256K1_PROGRAM, SECP256R1_PROGRAM } from '../programs';
import type { Instruction, Message } from './transaction';

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICRO_LAMPORTS = 1_000_000n;
const UNITS_MAX = 1_400_000n;
/** Default compute units per instruction. Built-in programs have a lower default. */
const DEFAULT_UNITS = 200_000n;
const DEFAULT_BUILTIN_UNITS = 3_000n;
const BUILTIN_PROGRAMS: ReadonlySet<string> = new Set([
  '11111111111111111111111111111111',
  COMPUTE_BUDGET_PROGRAM,
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  ED25519_PROGRAM,
  SECP256K1_PROGRAM,
  SECP256R1_PROGRAM,
]);
const PRECOMPILES: ReadonlySet<string> = new Set([ED25519_PROGRAM, SECP256K1_PROGRAM, SECP256R1_PROGRAM]);
const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;

/**
 * Returns the fee of a message in lamports: 5,000 per signature, including those that precompiles verify, plus compute
 * unit limit × price (micro-lamports), rounded up.
 */
export function feeOf({ signers, staticAddresses, instructions }: Message): bigint {
  const called = instructions.map((instruction) => ({
    instruction,
    program: toBase58(staticAddresses[instruction.programIndex] ?? new Uint8Array(32)),
  }));
  let signatures = BigInt(signers);
  let limit: bigint | undefined;
  let price = 0n;
  let units = 0n;
  for (const { instruction, program } of called) {
    if (PRECOMPILES.has(program)) signatures += BigInt(instruction.data[0] ?? 0);
    units += BUILTIN_PROGRAMS.has(program) ? DEFAULT_BUILTIN_UNITS : DEFAULT_UNITS;
    if (program !== COMPUTE_BUDGET_PROGRAM) continue;
    limit = readBudget(instruction, SET_COMPUTE_UNIT_LIMIT) ?? limit;
    price = readBudget(instruction, SET_COMPUTE_UNIT_PRICE) ?? price;
  }
  const capped = limit ?? units;
  const paidUnits = capped > UNITS_MAX ? UNITS_MAX : capped;
  return signatures * LAMPORTS_PER_SIGNATURE + (paidUnits * price + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
}

function readBudget({ data }: Instruction, kind: number): bigint | undefined {
  const bytes = Buffer.from(data);
  if (bytes[0] !== kind) return undefined;
  if (kind === SET_COMPUTE_UNIT_LIMIT) return bytes.length >= 5 ? BigInt(bytes.readUInt32LE(1)) : undefined;
  return bytes.length >= 9 ? bytes.readBigUInt64LE(1) : undefined;
}
