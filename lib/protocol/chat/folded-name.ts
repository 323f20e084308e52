/** Letters and digits alone make a name: decoders differ in what they pass over between them. */
const OTHERS = /[^\p{L}\p{N}]+/gu;
const ASCII = /^[\x00-\x7f]*$/;
const ASCII_OTHERS = /[^A-Za-z0-9]+/g;
/** No decoder has a longer one, however it is written. */
const LENGTH_MAX = 128;

/**
 * What a name comes to for the most lenient decoder: case folded by all of Unicode's rules (the long s is an s, the
 * Kelvin sign a k, as Go's encoding/json has it), compatibility forms and marks taken away, `max_tokens`, `max-tokens`
 * and `maxTokens` alike (as protobuf's JSON, Jackson and .NET can have it). Two names that fold to the same text may be
 * the same member to somebody.
 */
export function foldedName(name: string): string {
  if (name.length > LENGTH_MAX) return name;
  if (ASCII.test(name)) return name.replace(ASCII_OTHERS, '').toLowerCase();
  // Upper case first: it takes apart what has no lower-case form of its own, such as the sharp s and the dotless i.
  const apart = name.normalize('NFKD');
  // One letter may come to eighteen.
  if (apart.length > LENGTH_MAX) return name;
  return apart.toUpperCase().toLowerCase().normalize('NFKD').replace(OTHERS, '');
}
