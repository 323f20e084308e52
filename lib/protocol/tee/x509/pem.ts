import { base64 } from '@scure/base';
import { Malformed } from '../malformed';
import { type Certificate, parseCertificate } from './certificate';

const CERTIFICATES_MAX = 4;
const CHARACTERS_MAX = 32_768;
const ONE = /-----BEGIN CERTIFICATE-----\r?\n((?:[A-Za-z0-9+/=]+\r?\n)+)-----END CERTIFICATE-----(?:\r?\n|$)/y;

/**
 * Reads certificates in PEM (RFC 7468), leaf first, with nothing but line ends between them.
 *
 * @param certificatesMax how many there may be
 * @throws {Malformed} for anything else in the text, base64 in another than its canonical form, and more certificates
 */
export function parsePemCertificates(text: string, certificatesMax = CERTIFICATES_MAX): Certificate[] {
  if (text.length > CHARACTERS_MAX) throw new Malformed('The certificates are too long.');
  const certificates: Certificate[] = [];
  ONE.lastIndex = 0;
  for (let position = 0; position < text.length; position = ONE.lastIndex) {
    const match = ONE.exec(text);
    if (match === null || certificates.length === certificatesMax) throw new Malformed('The certificates are not PEM, or too many.');
    certificates.push(parseCertificate(decode(match[1] as string)));
  }
  return certificates;
}

function decode(lines: string): Uint8Array {
  try {
    return base64.decode(lines.replace(/[\r\n]/g, ''));
  } catch {
    throw new Malformed('A certificate is not valid base64.');
  }
}
