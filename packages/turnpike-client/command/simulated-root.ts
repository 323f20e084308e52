import { readBytes } from './files';

const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/;
const BASE64 = /^[A-Za-z0-9+/\s]+=*\s*$/;

/**
 * Reads a simulator's root certificate from a PEM, Base64 or DER file, and returns DER in Base64.
 *
 * @throws {UsageError}
 */
export function simulatedRootFrom(file: string): string {
  const bytes = readBytes(file);
  const text = bytes.toString('latin1');
  const inner = PEM.exec(text)?.[1] ?? (BASE64.test(text) ? text : null);
  return inner === null ? bytes.toString('base64') : inner.replace(/\s/g, '');
}
