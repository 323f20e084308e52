import { HOP_STANDINGS, HOP_TITLES, whoCouldRead } from '@/lib/protocol/attestation/hop-texts';
import type { Hop } from '@/lib/protocol/attestation/hop';

/** Formats the path of a prompt by hop, with a sentence about who could have read it. Ends with an empty line. */
export function describeHops(hops: readonly Hop[]): string {
  const lines = hops.flatMap(({ kind, name, standing, text }, index) => [
    `${index + 1}. ${HOP_TITLES[kind]}${name === null ? '' : ` (${name})`} · ${HOP_STANDINGS[standing]}`,
    `   run by   ${text.operator}`,
    `   can read ${text.reads}`,
    `   proof    ${text.proof}`,
  ]);
  return ['Who could have read a prompt:', ...lines, whoCouldRead(hops), ''].join('\n');
}
