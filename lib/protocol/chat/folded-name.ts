/** Characters other than letters and digits. Decoders ignore some of them. */
const OTHERS = /[^\p{L}\p{N}]+/gu;
const ASCII = /^[\x00-\x7f]*$/;
const ASCII_OTHERS = /[^A-Za-z0-9]+/g;
/** Longest spelling of a name that any decoder recognizes. */
const LENGTH_MAX = 128;

/**
 * Folds a name as the most lenient decoder would. Case follows Unicode, as in Go's encoding/json: the long s becomes s,
 * and the Kelvin sign becomes k. Compatibility forms and marks are dropped. `max_tokens`, `max-tokens` and `maxTokens`
 * become equal, as in protobuf's JSON, Jackson and .NET. To some server, names with the same fold may be the same
 * member.
 */
export function foldedName(name: string): string {
  if (name.length > LENGTH_MAX) return name;
  if (ASCII.test(name)) return name.replace(ASCII_OTHERS, '').toLowerCase();
  const apart = name.normalize('NFKD');
  // NFKD can expand one character to eighteen.
  if (apart.length > LENGTH_MAX) return name;
  // `toUpperCase` comes first because it maps ß to SS and ı to I.
  return apart.toUpperCase().toLowerCase().normalize('NFKD').replace(OTHERS, '');
}
