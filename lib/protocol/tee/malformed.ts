/** Thrown by all parsers for a malformed quote, certificate, list or document. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}
