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
 * @param alsoUnderstood critical extensions that the caller looks at itself
 * @throws {Malformed} for anything else in the text, base64 in another than its canonical form, and more certificates
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
      throw new Malformed('The certificates are not PEM, or too many.');
    certificates.push(parseCertificate(decode(match[1] as string), alsoUnderstood));
  }
  return certificates;
}

/**
 * Reads a chain of certificates as devices hand it over: PEM in bytes, with NUL bytes after its end where the device
 * pads its buffer or ends text as C does. Nothing signs that padding, so nothing but NUL may stand in it.
 *
 * @throws {Malformed} as `parsePemCertificates` does, and for any byte outside ASCII
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
