import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { canonicalJson } from '../canonical-json';
import { isSignedBy, readCompactJws } from '../receipts/compact-jws';
import { receiptKeySchema, receiptKeysSchema, unixSeconds } from '../receipts/receipt';
import { comparedMeasurements, knownReport } from './report-changes';
import type { ServedVerdict } from './served-report';

export const MEASUREMENT_TYPE = 'turnpike-measurement+jws';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const registers = z.record(z.string().max(40), z.string().regex(/^(0x)?[0-9a-f]{0,200}$/));

/** Payload of an entry, version 1 (docs/private-inference.md). */
export const measurementEntrySchema = z
  .strictObject({
    version: z.literal(1),
    seq: z.int().min(1).describe('Number of the entry, from 1 without gaps'),
    previous: hash.nullable().describe('SHA-256 of the signature text of the entry before; null for the first'),
    at: unixSeconds.describe('When it was first seen, in Unix seconds; not before the entry before it'),
    model: z.string().min(1).max(256),
    role: z.enum(['model', 'router', 'gateway']),
    hardware: z.enum(['intel-tdx', 'amd-sev-snp', 'unknown']),
    registers: registers.describe('What the hardware measured, lower-case hex'),
    changed: z
      .array(z.string().max(40))
      .describe('Registers that differ from the entry before of this model and role; empty for its first'),
    skipped: z
      .int()
      .min(1)
      .optional()
      .describe(
        'Changes of this model since its entry before that were not logged, because there were too many in a day',
      ),
  })
  .meta({ id: 'MeasurementEntry' });

export type MeasurementEntry = z.output<typeof measurementEntrySchema>;
export type Measured = Pick<MeasurementEntry, 'model' | 'role' | 'hardware' | 'registers'>;

/** Position in a log. A later log must contain the same entries up to it. */
export interface LogHead {
  seq: number;
  sha256: string;
  key: string;
}

/**
 * `broken`: the log contradicts itself. `fork`: it contradicts an earlier head. `head` is the current head.
 */
export type LogVerdict =
  | { fault: null; entries: readonly MeasurementEntry[]; head: LogHead | null }
  | { fault: 'broken'; reason: string }
  | { fault: 'fork'; reason: string; head: LogHead | null };

/** Returns the measurements of a verdict's enclaves; empty for a verdict that proves nothing. */
export function measuredBy(model: string, verdict: Pick<ServedVerdict, 'conclusion' | 'enclaves'>): Measured[] {
  return (knownReport(verdict)?.enclaves ?? []).flatMap(({ role, hardware, measurements }) =>
    measurements === null
      ? []
      : { model, role, hardware, registers: Object.fromEntries(comparedMeasurements(measurements)) },
  );
}

export function measurementDigest({ model, role, hardware, registers: of }: Measured): string {
  return sha256Hex(canonicalJson({ model, role, hardware, registers: of }));
}

export function entryHash(signature: string): string {
  return sha256Hex(signature);
}

export function changedRegisters(before: Measured | null, now: Measured): string[] {
  if (before === null) return [];
  const names = new Set([...Object.keys(before.registers), ...Object.keys(now.registers)]);
  return [...names].filter((name) => before.registers[name] !== now.registers[name]).sort();
}

export interface CheckedLog {
  signatures: readonly string[];
  /** Content of /.well-known/jwks.json. */
  keys: unknown;
  known?: Pick<LogHead, 'seq' | 'sha256'> | null;
  /** `seq` of the first entry in `signatures`. */
  from?: number;
  /** Entries of one model before `from`, including the newest. */
  earlier?: readonly string[];
}

/**
 * Verifies offline the format, signatures and hash chain of a log, or of its last entries. Also verifies that it
 * continues `known`, unless `from` is later.
 */
export function checkMeasurementLog({
  signatures,
  keys,
  known = null,
  from = 1,
  earlier = [],
}: CheckedLog): LogVerdict {
  const readKeys = listedKeys(keys);
  const entries: MeasurementEntry[] = [];
  const newest = new Map<string, MeasurementEntry>();
  for (const signature of earlier) {
    const read = readEntry(signature, readKeys);
    if (typeof read === 'string') return broken(null, read);
    if (read.entry.seq >= from || read.entry.seq <= (entries.at(-1)?.seq ?? 0)) return broken(null, 'is out of order.');
    newest.set(lineOf(read.entry), read.entry);
    entries.push(read.entry);
  }
  let at = 0;
  let head: LogHead | null = null;
  for (const [index, signature] of signatures.entries()) {
    const seq = from + index;
    const read = readEntry(signature, readKeys);
    if (typeof read === 'string') return broken(seq, read);
    const { entry, key } = read;
    if (entry.seq !== seq) return broken(seq, `has the number ${entry.seq}.`);
    if (entry.previous !== (head?.sha256 ?? null) && (index > 0 || seq === 1))
      return broken(seq, 'does not follow the entry before it.');
    if (entry.at < at) return broken(seq, 'is older than the entry before it.');
    const line = lineOf(entry);
    const before = newest.get(line) ?? null;
    if ((before !== null || from === 1) && changedRegisters(before, entry).join() !== entry.changed.join())
      return broken(seq, 'does not state what changed.');
    newest.set(line, entry);
    entries.push(entry);
    at = entry.at;
    head = { seq, sha256: entryHash(signature), key };
    if (known?.seq === seq && known.sha256 !== head.sha256)
      return fork(`Entry ${seq} of the log differs from the entry ${seq} that was read before.`, head);
  }
  const length = head?.seq ?? 0;
  if (known !== null && known.seq > length)
    return fork(`The log had ${known.seq} entries before, and now has ${length}.`, head);
  return { fault: null, entries, head };
}

function lineOf({ model, role }: MeasurementEntry): string {
  return JSON.stringify([model, role]);
}

function listedKeys(keys: unknown) {
  const listed = receiptKeysSchema.safeParse(keys).data?.keys ?? [];
  return listed.flatMap((each) => receiptKeySchema.safeParse(each).data ?? []);
}

function readEntry(
  signature: string,
  keys: ReturnType<typeof listedKeys>,
): { entry: MeasurementEntry; key: string } | string {
  const jws = readCompactJws(signature, MEASUREMENT_TYPE);
  if (typeof jws === 'string') return `is not a JWS of the type ${MEASUREMENT_TYPE} in canonical form.`;
  const key = keys.find(({ kid }) => kid === jws.kid);
  if (key === undefined) return 'refers to a key that is not in the list of keys.';
  if (!isSignedBy(jws, key)) return 'is not signed by its key, or was altered.';
  const entry = measurementEntrySchema.safeParse(jws.payload).data;
  return entry === undefined ? 'is not an entry of version 1.' : { entry, key: jws.kid };
}

function broken(seq: number | null, what: string): LogVerdict {
  return { fault: 'broken', reason: `${seq === null ? 'An earlier entry' : `Entry ${seq}`} of the log ${what}` };
}

function fork(reason: string, head: LogHead | null): LogVerdict {
  return { fault: 'fork', reason, head };
}

function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
