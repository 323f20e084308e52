import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { parseCertificate } from '@/lib/protocol/tee/x509/certificate';
import { childrenOf, readDer } from '@/lib/protocol/tee/x509/der';
import { type SigstoreTrust, trustedLog } from '@/lib/protocol/attestation/sigstore/sigstore-trust';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { issueCertificate, pemOf } from '../hardware/certificate-authority';
import { der, octets, oid, sequence, text } from '../hardware/der-writer';

const FULCIO = '1.3.6.1.4.1.57264.1';
const SUBJECT = '2.5.29.17';
const TIMESTAMPS = '1.3.6.1.4.1.11129.2.4.2';
const MINUTE_MS = 60_000;
const YEAR_MS = 365 * 86_400_000;
const SERIAL = Buffer.from('5172656c65617365', 'hex');

const sha256 = (...parts: readonly Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const spki = (key: KeyObject) => key.export({ format: 'der', type: 'spki' });
const p256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Signs releases as Sigstore does, with a certificate authority and logs under a test root. */
interface ReleaseSigner {
  trust: SigstoreTrust;
  sign: (release: Release) => SignedRelease;
}

export interface Release {
  statement: unknown;
  builtAtMs: number;
  /** Time of inclusion in the log. Default: a minute after the certificate's issuance. */
  loggedAtMs?: number;
  repository?: string;
  workflow?: string;
  commit?: string;
  ref?: string;
  owner?: string;
  issuer?: string;
  runner?: string;
  /** Workflow in the certificate's subject. */
  subject?: string;
  /** Object identifier of the certificate's extended key usage. */
  usage?: string;
  payloadType?: string;
}

/** Bundle in its published form. Tests may change the bundle, because the signer makes a new object each time. */
type SignedRelease = Record<string, unknown>;

export const REPOSITORY = 'https://github.com/example/confidential-model';
export const WORKFLOW = `${REPOSITORY}/.github/workflows/release.yml@refs/tags/v1.0.0`;
export const COMMIT = '7c'.repeat(20);

export function createReleaseSigner(nowMs: number): ReleaseSigner {
  const [root, authority, certificateLog, transparencyLog] = [p256(), p256(), p256(), p256()];
  const lifetime = { notBeforeMs: nowMs - YEAR_MS, notAfterMs: nowMs + YEAR_MS };
  const rootIssuer = { name: 'SIMULATED Fulcio root', privateKey: root.privateKey };
  const rootDer = issueCertificate({
    subject: { name: rootIssuer.name, publicKey: root.publicKey },
    issuer: rootIssuer,
    ...lifetime,
    pathLength: 1,
  });
  const issuer = { name: 'SIMULATED Fulcio', privateKey: authority.privateKey };
  const authorityDer = issueCertificate({
    subject: { name: issuer.name, publicKey: authority.publicKey },
    issuer: rootIssuer,
    ...lifetime,
    pathLength: 0,
  });

  const certify = (publicKey: KeyObject, release: Release): Buffer => {
    const request = {
      subject: { name: 'SIMULATED build', publicKey },
      issuer,
      notBeforeMs: release.builtAtMs,
      notAfterMs: release.builtAtMs + 10 * MINUTE_MS,
      pathLength: null,
      critical: [SUBJECT],
      serial: SERIAL,
    };
    const extensions = buildExtensions(release);
    const before = Buffer.from(childrenOf(readDer(issueCertificate({ ...request, extensions })))[0]?.whole ?? []);
    return issueCertificate({
      ...request,
      extensions: {
        ...extensions,
        [TIMESTAMPS]: octets(timestampList(before, spki(authority.publicKey), certificateLog, release.builtAtMs)),
      },
    });
  };

  return {
    trust: {
      authorities: [{ certificate: parseCertificate(authorityDer), root: configuredRoot(rootDer, true) }],
      transparencyLogs: [trustedLog(spki(transparencyLog.publicKey))],
      certificateLogs: [trustedLog(spki(certificateLog.publicKey))],
    },
    sign: (release) => {
      const key = p256();
      const certificate = certify(key.publicKey, release);
      const payload = Buffer.from(JSON.stringify(release.statement));
      const payloadType = release.payloadType ?? 'application/vnd.in-toto+json';
      const signature = sign(
        'sha256',
        Buffer.concat([
          Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `),
          payload,
        ]),
        key.privateKey,
      );
      const body = {
        apiVersion: '0.0.1',
        kind: 'dsse',
        spec: {
          payloadHash: { algorithm: 'sha256', value: sha256(payload).toString('hex') },
          signatures: [
            { signature: signature.toString('base64'), verifier: Buffer.from(pemOf(certificate)).toString('base64') },
          ],
        },
      };
      return {
        mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
        verificationMaterial: {
          certificate: { rawBytes: certificate.toString('base64') },
          tlogEntries: [
            logEntry(
              transparencyLog,
              Buffer.from(JSON.stringify(body)),
              release.loggedAtMs ?? release.builtAtMs + MINUTE_MS,
            ),
          ],
          timestampVerificationData: null,
        },
        dsseEnvelope: {
          payload: payload.toString('base64'),
          payloadType,
          signatures: [{ sig: signature.toString('base64') }],
        },
      };
    },
  };
}

function buildExtensions({
  repository = REPOSITORY,
  workflow = WORKFLOW,
  commit = COMMIT,
  ref = 'refs/tags/v1.0.0',
  owner = repository.split('/').slice(0, 4).join('/'),
  issuer = 'https://token.actions.githubusercontent.com',
  runner = 'github-hosted',
  subject = workflow,
  usage = '1.3.6.1.5.5.7.3.3',
}: Release) {
  return {
    '2.5.29.37': sequence(oid(usage)),
    [SUBJECT]: sequence(der(0x86, Buffer.from(subject))),
    [`${FULCIO}.8`]: text(issuer),
    [`${FULCIO}.9`]: text(workflow),
    [`${FULCIO}.11`]: text(runner),
    [`${FULCIO}.12`]: text(repository),
    [`${FULCIO}.13`]: text(commit),
    [`${FULCIO}.14`]: text(ref),
    [`${FULCIO}.16`]: text(owner),
    [`${FULCIO}.18`]: text(workflow),
  };
}

type Pair = ReturnType<typeof p256>;

function timestampList(tbs: Buffer, issuerKey: Buffer, log: Pair, atMs: number): Buffer {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(atMs));
  const signed = Buffer.concat([
    Buffer.of(0, 0),
    time,
    Buffer.of(0, 1),
    sha256(issuerKey),
    sized(tbs, 3),
    Buffer.of(0, 0),
  ]);
  const signature = sign('sha256', signed, log.privateKey);
  return sized(
    sized(
      Buffer.concat([
        Buffer.of(0),
        sha256(spki(log.publicKey)),
        time,
        Buffer.of(0, 0),
        Buffer.of(4, 3),
        sized(signature, 2),
      ]),
      2,
    ),
    2,
  );
}

function sized(bytes: Uint8Array, size: number): Buffer {
  const length = Buffer.alloc(size);
  length.writeUIntBE(bytes.length, 0, size);
  return Buffer.concat([length, bytes]);
}

/**
 * Makes a log entry that is the fourth of seven leaves. The entry's proof then has nodes on both sides and ends in an
 * incomplete subtree.
 */
function logEntry(log: Pair, body: Buffer, atMs: number) {
  const logId = sha256(spki(log.publicKey));
  const entry = {
    body: body.toString('base64'),
    integratedTime: Math.floor(atMs / 1_000),
    logID: logId.toString('hex'),
    logIndex: 1_003,
  };
  const leaves = Array.from({ length: 7 }, (_, index) =>
    sha256(Buffer.of(0), index === 3 ? body : Buffer.from(`leaf ${index}`)),
  );
  const node = (left: Buffer, right: Buffer) => sha256(Buffer.of(1), left, right);
  const [a, b, c, d, e, f, g] = leaves as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer];
  const [left, right] = [node(a, b), node(node(e, f), g)];
  const root = node(node(left, node(c, d)), right);
  const note = `log.example - 1\n7\n${root.toString('base64')}\n`;
  const noteSignature = Buffer.concat([
    logId.subarray(0, 4),
    sign('sha256', Buffer.from(note), log.privateKey),
  ]).toString('base64');
  return {
    logIndex: String(entry.logIndex),
    logId: { keyId: logId.toString('base64') },
    kindVersion: { kind: 'dsse', version: '0.0.1' },
    integratedTime: String(entry.integratedTime),
    inclusionPromise: {
      signedEntryTimestamp: sign('sha256', Buffer.from(JSON.stringify(entry)), log.privateKey).toString('base64'),
    },
    inclusionProof: {
      logIndex: '3',
      rootHash: root.toString('base64'),
      treeSize: '7',
      hashes: [c, left, right].map((hash) => hash.toString('base64')),
      checkpoint: { envelope: `${note}\n\u2014 log.example ${noteSignature}\n` },
    },
    canonicalizedBody: entry.body,
  };
}
