/** What answers can be compressed with, the cheapest first. */
export const CONTENT_CODINGS = ['zstd', 'br', 'gzip'] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

/** More than any client has to say; what is longer says nothing. */
const HEADER_CHARS_MAX = 1_000;
/** RFC 9110, section 12.4.2. */
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
/** Of a wildcard the oldest is taken: whoever names nothing is likely to read that one. */
const FOR_WILDCARD: readonly ContentCoding[] = ['gzip', 'br', 'zstd'];

/**
 * The coding that a client wants most of those that we have (RFC 9110, section 12.5.3): by weight, then by what it costs
 * us. Members that cannot be read are passed over.
 * @param accepted the value of Accept-Encoding, repeated ones joined by commas
 * @returns null where the bytes as they are are wanted more, or nothing that we have is wanted.
 */
export function acceptedCoding(accepted: string): ContentCoding | null {
  if (accepted.length > HEADER_CHARS_MAX) return null;
  const weights = weightsOf(accepted);
  const named = mostWanted(CONTENT_CODINGS, (coding) => weights.get(coding) ?? 0);
  const wild = mostWanted(FOR_WILDCARD, (coding) => (weights.has(coding) ? 0 : (weights.get('*') ?? 0)));
  const best = named.weight >= wild.weight ? named : wild;
  return best.weight > 0 && best.weight >= (weights.get('identity') ?? 0) ? best.coding : null;
}

/** Whether a client takes a coding at all, whatever it would rather have. @param accepted as above */
export function takesCoding(accepted: string, coding: ContentCoding): boolean {
  if (accepted.length > HEADER_CHARS_MAX) return false;
  const weights = weightsOf(accepted);
  return (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
}

function mostWanted(
  codings: readonly ContentCoding[],
  weightOf: (coding: ContentCoding) => number,
): { coding: ContentCoding | null; weight: number } {
  let most: { coding: ContentCoding | null; weight: number } = { coding: null, weight: 0 };
  for (const coding of codings) if (weightOf(coding) > most.weight) most = { coding, weight: weightOf(coding) };
  return most;
}

function weightsOf(accepted: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const member of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim());
    const weight = parameters.length === 0 ? 1 : parameters.length === 1 ? weightOf(parameters[0] as string) : null;
    // An old name of the same (RFC 9110, section 8.4.1.3).
    const coding = name === 'x-gzip' ? 'gzip' : name;
    // Of one that is named twice, what it is refused or less wanted by counts.
    if (coding !== '' && weight !== null) weights.set(coding, Math.min(weight, weights.get(coding) ?? 1));
  }
  return weights;
}

function weightOf(parameter: string): number | null {
  const value = parameter.startsWith('q=') ? parameter.slice(2) : '';
  return WEIGHT.test(value) ? Number(value) : null;
}
