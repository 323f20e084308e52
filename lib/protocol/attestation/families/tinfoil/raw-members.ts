import { utf8ToBytes } from '@noble/hashes/utils.js';
import { type MemberSpan, membersFault } from '../../../json-members';
import { Malformed } from '../../../tee/malformed';

/** Byte ranges of a document's members, for byte-exact hashes and signatures. */
export interface RawMembers {
  bytes: Uint8Array;
  spans: ReadonlyMap<string, MemberSpan>;
}

const LIMITS = { valuesMax: 20_000, membersMax: 1_000, depthMax: 32, nameBytesMax: 256 } as const;

/** @throws {Malformed} for a duplicate member, because two parsers could read different values */
export function rawMembers(text: string): RawMembers {
  const bytes = utf8ToBytes(text);
  const spans = new Map<string, MemberSpan>();
  const fault = membersFault(bytes, LIMITS, spans);
  if (fault !== null)
    throw new Malformed(
      fault.kind === 'repeated'
        ? `The document has the member ${JSON.stringify(fault.path.join('.').slice(0, 80))} twice.`
        : 'The document is too large or too deep.',
    );
  return { bytes, spans };
}

export function rawMember({ bytes, spans }: RawMembers, name: string): Uint8Array | null {
  const span = spans.get(name);
  return span ? bytes.subarray(span.start, span.end) : null;
}
