import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { integer, octets, oid, sequence } from './der-writer';
import { issueCertificate } from './certificate-authority';

/** Platform values in the simulated processor certificate and TCB info. */
export const PLATFORM = {
  /** "SIMULA" in ASCII. */
  fmspc: '53494D554C41',
  pceId: '0000',
  pceSvn: 13,
  componentSvns: [2, 2, 2, 2, 3, 1, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0],
  teeTcbSvn: [6, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
} as const;

export const NAMES = {
  root: 'SIMULATED Turnpike Root CA',
  platformAuthority: 'SIMULATED Turnpike PCK Platform CA',
  processor: 'SIMULATED Turnpike PCK Certificate',
  documentSigner: 'SIMULATED Turnpike TCB Signing',
} as const;

type KeyName = keyof typeof NAMES | 'attestation';

export interface PlatformKeys {
  privateKeys: Readonly<Record<KeyName, KeyObject>>;
  certificates: Readonly<Record<keyof typeof NAMES, Buffer>>;
}

/** Stored format: PKCS#8 in PEM, certificates in base64. */
export interface StoredPlatformKeys {
  privateKeys: Readonly<Record<KeyName, string>>;
  certificates: Readonly<Record<keyof typeof NAMES, string>>;
}

const YEAR_MS = 365 * 24 * 3_600_000;
const SGX_EXTENSIONS = '1.2.840.113741.1.13.1';

/** Generates keys and certificates. The certificates are valid from one day before `nowMs`. */
export function generatePlatformKeys(nowMs: number): PlatformKeys {
  const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const privateKeys = {
    root: pair(),
    platformAuthority: pair(),
    processor: pair(),
    documentSigner: pair(),
    attestation: pair(),
  };
  const issue = (
    subject: keyof typeof NAMES,
    issuer: 'root' | 'platformAuthority',
    pathLength: number | null,
    years: number,
    extensions = {},
  ) =>
    issueCertificate({
      subject: { name: NAMES[subject], publicKey: createPublicKey(privateKeys[subject]) },
      issuer: { name: NAMES[issuer], privateKey: privateKeys[issuer] },
      notBeforeMs: nowMs - YEAR_MS / 365,
      notAfterMs: nowMs + years * YEAR_MS,
      pathLength,
      extensions,
    });
  const certificates = {
    root: issue('root', 'root', 1, 20),
    platformAuthority: issue('platformAuthority', 'root', 0, 15),
    processor: issue('processor', 'platformAuthority', null, 7, { [SGX_EXTENSIONS]: sgxExtensions() }),
    documentSigner: issue('documentSigner', 'root', null, 7),
  };
  return { privateKeys, certificates };
}

export function storePlatformKeys({ privateKeys, certificates }: PlatformKeys): StoredPlatformKeys {
  return {
    privateKeys: mapValues(privateKeys, (key) => key.export({ format: 'pem', type: 'pkcs8' }) as string),
    certificates: mapValues(certificates, (certificate) => certificate.toString('base64')),
  };
}

/** Parses stored keys. @throws {Error} if a key cannot be read */
export function restorePlatformKeys({ privateKeys, certificates }: StoredPlatformKeys): PlatformKeys {
  return {
    privateKeys: mapValues(privateKeys, (pem) => createPrivateKey(pem)),
    certificates: mapValues(certificates, (base64) => Buffer.from(base64, 'base64')),
  };
}

/**
 * Builds the SGX extension of PCK certificates: PPID, TCB, PCE id, FMSPC and type (Intel SGX PCK Certificate Profile,
 * 1.3.5).
 */
function sgxExtensions(): Buffer {
  const field = (suffix: string, value: Uint8Array) => sequence(oid(`${SGX_EXTENSIONS}.${suffix}`), value);
  const { componentSvns, pceSvn, pceId, fmspc } = PLATFORM;
  const tcb = [
    ...componentSvns.map((svn, index) => field(`2.${index + 1}`, integer(svn))),
    field('2.17', integer(pceSvn)),
    field('2.18', octets(Buffer.from(componentSvns))),
  ];
  return sequence(
    field('1', octets(Buffer.alloc(16, 'SIMULATED'))),
    field('2', sequence(...tcb)),
    field('3', octets(Buffer.from(pceId, 'hex'))),
    field('4', octets(Buffer.from(fmspc, 'hex'))),
    field('5', Buffer.from([0x0a, 0x01, 0x00])),
  );
}

function mapValues<K extends string, A, B>(record: Readonly<Record<K, A>>, map: (value: A) => B): Record<K, B> {
  return Object.fromEntries(Object.entries<A>(record).map(([key, value]) => [key, map(value)])) as Record<K, B>;
}
