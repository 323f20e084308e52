/** What cannot be read as what it is said to be: a quote, a certificate, a list, a document. The only error that the parsers throw. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}
