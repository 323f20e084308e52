/** Supported content codings, cheapest first. */
export const CONTENT_CODINGS = ['zstd', 'br', 'gzip'] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

/** Maximum length of Accept-Encoding. Longer headers are ignored, because no client needs them. */
const HEADER_CHARS_MAX = 1_000;
/** Weight of a coding (RFC 9110, section 12.4.2). */
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
const FOR_WILDCARD: readonly ContentCoding[] = ['gzip', 'br', 'zstd'];

/**
 * Returns the supported coding that a client prefers (RFC 9110, section 12.5.3), by weight and, for equal weights, by
 * cost to the gateway (`*`: gzip first). Skips malformed list members.
 * @param accepted value of Accept-Encoding; repeated headers are joined by commas
 * @returns null if the client prefers identity or accepts no supported coding
 */
export function acceptedCoding(accepted: string): ContentCoding | null {
  if (accepted.length > HEADER_CHARS_MAX) return null;
  const weights = weightsOf(accepted);
  const named = mostWanted(CONTENT_CODINGS, (coding) => weights.get(coding) ?? 0);
  const wild = mostWanted(FOR_WILDCARD, (coding) => (weights.has(coding) ? 0 : (weights.get('*') ?? 0)));
  const best = named.weight >= wild.weight ? named : wild;
  return best.weight > 0 && best.weight >= (weights.get('identity') ?? 0) ? best.coding : null;
}

/** Returns whether a client accepts a coding. @param accepted value of Accept-Encoding */
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
    // `x-gzip` means `gzip` (RFC 9110, section 8.4.1.3).
    const coding = name === 'x-gzip' ? 'gzip' : name;
    // If a coding occurs twice, the lowest weight applies.
    if (coding !== '' && weight !== null) weights.set(coding, Math.min(weight, weights.get(coding) ?? 1));
  }
  return weights;
}

function weightOf(parameter: string): number | null {
  const value = parameter.startsWith('q=') ? parameter.slice(2) : '';
  return WEIGHT.test(value) ? Number(value) : null;
}
