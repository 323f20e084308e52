import { base64 } from '@scure/base';
import { Malformed } from '../malformed';
import { type Certificate, parseCertificate } from './certificate';

const CERTIFICATES_MAX = 4;
const CHARACTERS_MAX = 32_768;
const ONE = /-----BEGIN CERTIFICATE-----\r?\n((?:[A-Za-z0-9+/=]+\r?\n)+)-----END CERTIFICATE-----(?:\r?\n|$)/y;

/**
 * Parses PEM certificates (RFC 7468), leaf first, with one line end between them.
 *
 * @param alsoUnderstood critical extensions that the caller handles
 * @throws {Malformed} for other text, non-canonical base64, or too many certificates
 */
export function parsePemCertificates(
  text: string,
  certificatesMax = CERTIFICATES_MAX,
  alsoUnderstood: readonly string[] = [],
): Certificate[] {
  if (text.length > CHARACTERS_MAX) throw new Malformed('The certificates are too long.');
  const certificates: Certificate[] = [];
  ONE.lastIndex = 0;
  for (let position = 0; position < text.length; position = ONE.lastIndex) {
    const match = ONE.exec(text);
    if (match === null || certificates.length === certificatesMax)
      throw new Malformed('The certificates are not PEM, or there are too many.');
    certificates.push(parseCertificate(decode(match[1] as string), alsoUnderstood));
  }
  return certificates;
}

/**
 * Parses a device's PEM chain, which may end with NUL bytes as padding. No signature covers the padding, so other bytes
 * are refused.
 *
 * @throws {Malformed} in the same cases as `parsePemCertificates`, and for bytes outside ASCII
 */
export function parseDevicePem(bytes: Uint8Array, certificatesMax = CERTIFICATES_MAX): Certificate[] {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  if (end > CHARACTERS_MAX) throw new Malformed('The certificates are too long.');
  return parsePemCertificates(String.fromCharCode(...bytes.subarray(0, end)), certificatesMax);
}

function decode(lines: string): Uint8Array {
  try {
    return base64.decode(lines.replace(/[\r\n]/g, ''));
  } catch {
    throw new Malformed('A certificate is not valid base64.');
  }
}
