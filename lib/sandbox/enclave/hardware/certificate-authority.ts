import { constants, type KeyObject, randomBytes, sign } from 'node:crypto';
import { bits, boolean, der, explicit, integer, octets, oid, sequence, set, text, time } from './der-writer';

/** The simulator's names all begin with SIMULATED. */
interface Subject {
  name: string;
  publicKey: KeyObject;
}

interface Issuer {
  name: string;
  privateKey: KeyObject;
}

interface CertificateRequest {
  subject: Subject;
  issuer: Issuer;
  notBeforeMs: number;
  notAfterMs: number;
  /** Path length: number of authorities allowed below the subject. Null for an end certificate. */
  pathLength: number | null;
  extensions?: Readonly<Record<string, Uint8Array>>;
  critical?: readonly string[];
  /** Random by default. */
  serial?: Buffer;
}

const ECDSA_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
const SHA384 = sequence(oid('2.16.840.1.101.3.4.2.2'), der(0x05));
const PSS_SALT_BYTES = 48;
/** AMD's signature algorithm: RSASSA-PSS with SHA-384 and a 48-byte salt. */
const RSA_PSS_SHA384 = sequence(
  oid('1.2.840.113549.1.1.10'),
  sequence(
    explicit(0, SHA384),
    explicit(1, sequence(oid('1.2.840.113549.1.1.8'), SHA384)),
    explicit(2, integer(PSS_SALT_BYTES)),
  ),
);
const SERIAL_BYTES = 18;
const KEY_USAGE_AUTHORITY = bits(Buffer.of(0x06), 1);
const KEY_USAGE_SIGNER = bits(Buffer.of(0xc0), 6);

/** Issues an X.509 v3 certificate in DER. */
export function issueCertificate({
  subject,
  issuer,
  notBeforeMs,
  notAfterMs,
  pathLength,
  extensions = {},
  critical = [],
  serial = randomSerial(),
}: CertificateRequest): Buffer {
  const isAuthority = pathLength !== null;
  const tbs = sequence(
    explicit(0, integer(2)),
    integer(serial),
    algorithmOf(issuer.privateKey),
    distinguishedName(issuer.name),
    sequence(time(notBeforeMs), time(notAfterMs)),
    distinguishedName(subject.name),
    subject.publicKey.export({ format: 'der', type: 'spki' }),
    explicit(
      3,
      sequence(
        extension('2.5.29.19', true, isAuthority ? sequence(boolean(true), integer(pathLength)) : sequence()),
        extension('2.5.29.15', true, isAuthority ? KEY_USAGE_AUTHORITY : KEY_USAGE_SIGNER),
        ...Object.entries(extensions).map(([id, value]) => extension(id, critical.includes(id), value)),
      ),
    ),
  );
  return signed(tbs, issuer.privateKey);
}

interface RevocationListRequest {
  issuer: Issuer;
  thisUpdateMs: number;
  nextUpdateMs: number;
  /** Serial numbers of revoked certificates, in hex. */
  revoked?: readonly string[];
}

/** Issues an X.509 revocation list, version 2, in DER. */
export function issueRevocationList({
  issuer,
  thisUpdateMs,
  nextUpdateMs,
  revoked = [],
}: RevocationListRequest): Buffer {
  const entries = revoked.map((serial) => sequence(integer(Buffer.from(serial, 'hex')), time(thisUpdateMs)));
  const tbs = sequence(
    integer(1),
    algorithmOf(issuer.privateKey),
    distinguishedName(issuer.name),
    time(thisUpdateMs),
    time(nextUpdateMs),
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    explicit(0, sequence(extension('2.5.29.20', false, integer(1)))),
  );
  return signed(tbs, issuer.privateKey);
}

export function pemOf(certificate: Uint8Array): string {
  const lines =
    Buffer.from(certificate)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function signed(tbs: Buffer, key: KeyObject): Buffer {
  const signature =
    key.asymmetricKeyType === 'rsa'
      ? sign('sha384', tbs, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: PSS_SALT_BYTES })
      : sign('sha256', tbs, { key, dsaEncoding: 'der' });
  return sequence(tbs, algorithmOf(key), bits(signature));
}

function algorithmOf(key: KeyObject): Buffer {
  return key.asymmetricKeyType === 'rsa' ? RSA_PSS_SHA384 : ECDSA_SHA256;
}

function extension(id: string, isCritical: boolean, value: Uint8Array): Buffer {
  return isCritical ? sequence(oid(id), boolean(true), octets(value)) : sequence(oid(id), octets(value));
}

function distinguishedName(name: string): Buffer {
  const attribute = (id: string, value: Buffer) => set(sequence(oid(id), value));
  return sequence(
    attribute('2.5.4.3', text(name)),
    attribute('2.5.4.10', text('SIMULATED Turnpike Sandbox')),
    attribute('2.5.4.6', der(0x13, Buffer.from('XX'))),
  );
}

function randomSerial(): Buffer {
  return Buffer.concat([Buffer.of(0x51), randomBytes(SERIAL_BYTES)]);
}
