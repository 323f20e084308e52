import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { Malformed } from '../../tee/malformed';
import type { Certificate } from '../../tee/x509/certificate';
import { sameBytes, Untrusted } from '../../tee/x509/chain';
import { childrenOf, type DerElement, expectTag, oidOf, readDer, TAG } from '../../tee/x509/der';
import { isSignedBy } from '../../tee/x509/signature-algorithm';
import type { TrustedLog } from './sigstore-trust';

/** OID of the extension with signed certificate timestamps (RFC 6962, 3.3). */
const TIMESTAMPS = '1.3.6.1.4.1.11129.2.4.2';
const EXPLICIT_3 = 0xa3;
const VERSION_1 = 0;
const HEADER_BYTES = 43;
const SHA256_ECDSA = 0x0403;
const CERTIFICATE_TIMESTAMP = 0;
const PRECERTIFICATE = 1;
const TIMESTAMPS_MAX = 8;

/**
 * Checks that a trusted log promised to publish the certificate (RFC 6962, 3.2 and 3.3), so that Fulcio cannot issue a
 * certificate in secret.
 *
 * @throws {Untrusted | Malformed}
 */
export async function verifyCertificateLogged(
  certificate: Certificate,
  issuer: Certificate,
  logs: readonly TrustedLog[],
): Promise<void> {
  const extension = certificate.extensions.get(TIMESTAMPS);
  if (!extension) throw new Untrusted('The certificate of the build is in no certificate transparency log.');
  const bytes = precertificate(certificate, issuer);
  for (const timestamp of timestampsOf(readDer(extension.value, TAG.OCTET_STRING).content)) {
    const log = logs.find(({ id }) => sameBytes(id, timestamp.logId));
    if (
      log &&
      (await isSignedBy(
        log.key,
        'ecdsa-sha256',
        concatBytes(timestamp.head, bytes, timestamp.extensions),
        timestamp.signature,
        'der',
      ))
    )
      return;
  }
  throw new Untrusted('No trusted certificate transparency log has signed the certificate of the build.');
}

interface Timestamp {
  logId: Uint8Array;
  /** Version, type and time, which precede the certificate in the bytes that the log signed. */
  head: Uint8Array;
  extensions: Uint8Array;
  signature: Uint8Array;
}

function timestampsOf(list: Uint8Array): Timestamp[] {
  const found: Timestamp[] = [];
  const reader = new Lengths(list);
  const all = new Lengths(reader.block(2));
  reader.end();
  while (!all.isAtEnd) {
    if (found.length === TIMESTAMPS_MAX) throw new Malformed('The certificate of the build has too many timestamps.');
    found.push(timestampOf(all.block(2)));
  }
  return found;
}

function timestampOf(bytes: Uint8Array): Timestamp {
  if (bytes.length < HEADER_BYTES || bytes[0] !== VERSION_1)
    throw new Malformed('A timestamp in the certificate of the build is of an unknown version.');
  const reader = new Lengths(bytes.subarray(HEADER_BYTES - 2));
  const extensions = reader.block(2);
  if (reader.number(2) !== SHA256_ECDSA)
    throw new Malformed('A timestamp in the certificate of the build is not signed with ECDSA.');
  const signature = reader.block(2);
  reader.end();
  const head = concatBytes(
    Uint8Array.of(VERSION_1, CERTIFICATE_TIMESTAMP),
    bytes.subarray(33, 41),
    Uint8Array.of(0, PRECERTIFICATE),
  );
  return {
    logId: bytes.subarray(1, 33),
    head,
    extensions: concatBytes(sized(extensions.length, 2), extensions),
    signature,
  };
}

function precertificate({ signedBytes }: Certificate, issuer: Certificate): Uint8Array {
  const fields = childrenOf(readDer(signedBytes));
  const list = childrenOf(expectTag(fields.at(-1), EXPLICIT_3))[0];
  const others = childrenOf(expectTag(list, TAG.SEQUENCE)).filter(
    (extension) => oidOf(childrenOf(extension)[0]) !== TIMESTAMPS,
  );
  const extensions = wrapped(EXPLICIT_3, wrapped(TAG.SEQUENCE, wholes(others)));
  const certificate = wrapped(TAG.SEQUENCE, concatBytes(wholes(fields.slice(0, -1)), extensions));
  return concatBytes(sha256(issuer.subjectPublicKeyInfo), sized(certificate.length, 3), certificate);
}

function wholes(elements: readonly DerElement[]): Uint8Array {
  return concatBytes(...elements.map(({ whole }) => whole));
}

function wrapped(tag: number, content: Uint8Array): Uint8Array {
  const { length } = content;
  const size =
    length < 0x80
      ? Uint8Array.of(length)
      : length < 0x100
        ? Uint8Array.of(0x81, length)
        : concatBytes(Uint8Array.of(0x82), sized(length, 2));
  if (length > 0xffff) throw new Malformed('The certificate of the build is too long.');
  return concatBytes(Uint8Array.of(tag), size, content);
}

function sized(value: number, bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, index) => (value >>> (8 * (bytes - 1 - index))) & 0xff);
}

/** Reader of big-endian numbers and length-prefixed blocks (RFC 8446, 3). */
class Lengths {
  #at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.#at === this.bytes.length;
  }

  number(size: number): number {
    return this.#take(size).reduce((value, byte) => value * 256 + byte, 0);
  }

  block(size: number): Uint8Array {
    return this.#take(this.number(size));
  }

  end(): void {
    if (!this.isAtEnd) throw new Malformed('A timestamp in the certificate of the build has bytes after its end.');
  }

  #take(count: number): Uint8Array {
    const taken = this.bytes.subarray(this.#at, this.#at + count);
    if (taken.length < count) throw new Malformed('A timestamp in the certificate of the build is cut off.');
    this.#at += count;
    return taken;
  }
}
