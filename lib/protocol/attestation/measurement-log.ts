import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { canonicalJson } from '../canonical-json';
import { isSignedBy, readCompactJws } from '../receipts/compact-jws';
import { receiptKeySchema, receiptKeysSchema } from '../receipts/receipt';
import { comparedMeasurements, knownReport } from './report-changes';
import type { ServedVerdict } from './served-report';

export const MEASUREMENT_TYPE = 'turnpike-measurement+jws';
export const MEASUREMENTS_MAX = 5_000;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const registers = z.record(z.string().max(40), z.string().regex(/^(0x)?[0-9a-f]{0,200}$/));

/** Payload of an entry, version 1 (docs/private-inference.md). */
export const measurementEntrySchema = z
  .strictObject({
    version: z.literal(1),
    seq: z.int().min(1).describe('Number of the entry, from 1 without gaps'),
    previous: hash.nullable().describe('SHA-256 of the signature text of the entry before; null for the first'),
    at: z.int().min(0).describe('When it was first seen, in Unix seconds; not before the entry before it'),
    model: z.string().min(1).max(256),
    role: z.enum(['model', 'router', 'gateway']),
    hardware: z.enum(['intel-tdx', 'amd-sev-snp', 'unknown']),
    registers: registers.describe('What the hardware measured, lower-case hex'),
    changed: z
      .array(z.string().max(40))
      .describe('Registers that differ from the entry before of this model and role; empty for its first'),
  })
  .meta({ id: 'MeasurementEntry' });

export type MeasurementEntry = z.output<typeof measurementEntrySchema>;
export type Measured = Pick<MeasurementEntry, 'model' | 'role' | 'hardware' | 'registers'>;

/** Position in a log. A later log must contain the same entries up to this position. */
export interface LogHead {
  seq: number;
  sha256: string;
}

/** `broken` is an inconsistent log. `fork` is a log that contradicts a head seen earlier. */
export type LogVerdict =
  | { fault: null; entries: readonly MeasurementEntry[]; head: LogHead | null }
  | { fault: 'broken' | 'fork'; reason: string };

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

/** Returns the hash of a signed entry, to which the next entry refers. */
export function entryHash(signature: string): string {
  return sha256Hex(signature);
}

export function changedRegisters(before: Measured | null, now: Measured): string[] {
  if (before === null) return [];
  const names = new Set([...Object.keys(before.registers), ...Object.keys(now.registers)]);
  return [...names].filter((name) => before.registers[name] !== now.registers[name]).sort();
}

/**
 * Checks a whole log offline: format, signatures, hash chain, and that the log continues from an earlier head.
 *
 * @param signatures the signed entries, oldest first
 * @param keys the gateway's key list, in the format of /.well-known/jwks.json
 * @param known the log's head from an earlier check of the same gateway
 */
export function checkMeasurementLog({
  signatures,
  keys,
  known = null,
}: {
  signatures: readonly string[];
  keys: unknown;
  known?: LogHead | null;
}): LogVerdict {
  const entries: MeasurementEntry[] = [];
  const newest = new Map<string, MeasurementEntry>();
  const readKeys = listedKeys(keys);
  let head: LogHead | null = null;
  for (const signature of signatures) {
    const seq = entries.length + 1;
    const entry = readEntry(signature, readKeys);
    if (typeof entry === 'string') return broken(seq, entry);
    if (entry.seq !== seq) return broken(seq, `has the number ${entry.seq}.`);
    if (entry.previous !== (head?.sha256 ?? null)) return broken(seq, 'does not follow the entry before it.');
    if (entry.at < (entries.at(-1)?.at ?? 0)) return broken(seq, 'is older than the entry before it.');
    const line = JSON.stringify([entry.model, entry.role]);
    if (changedRegisters(newest.get(line) ?? null, entry).join() !== entry.changed.join())
      return broken(seq, 'does not name what changed.');
    newest.set(line, entry);
    entries.push(entry);
    head = { seq, sha256: entryHash(signature) };
    if (known?.seq === seq && known.sha256 !== head.sha256)
      return { fault: 'fork', reason: `Entry ${seq} of the log differs from the entry ${seq} that was read before.` };
  }
  if (known !== null && known.seq > entries.length)
    return { fault: 'fork', reason: `The log had ${known.seq} entries before, and now has ${entries.length}.` };
  return { fault: null, entries, head };
}

function listedKeys(keys: unknown) {
  const listed = receiptKeysSchema.safeParse(keys).data?.keys ?? [];
  return listed.flatMap((each) => receiptKeySchema.safeParse(each).data ?? []);
}

function readEntry(signature: string, keys: ReturnType<typeof listedKeys>): MeasurementEntry | string {
  const jws = readCompactJws(signature, MEASUREMENT_TYPE);
  if (typeof jws === 'string') return `is not a JWS of the type ${MEASUREMENT_TYPE} in canonical form.`;
  const key = keys.find(({ kid }) => kid === jws.kid);
  if (key === undefined) return 'names a key that is not in the list of keys.';
  if (!isSignedBy(jws, key)) return 'is not signed by its key, or was altered.';
  return measurementEntrySchema.safeParse(jws.payload).data ?? 'is not an entry of version 1.';
}

function broken(seq: number, what: string): LogVerdict {
  return { fault: 'broken', reason: `Entry ${seq} of the log ${what}` };
}

function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
