import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { followChain } from '../../tee/hardware/trusted-chain';
import { asArray, asHex, asObject, asString, type JsonObject, parseJsonObject } from '../../tee/json-shape';
import { Malformed } from '../../tee/malformed';
import { type Certificate, parseCertificate } from '../../tee/x509/certificate';
import { sameBytes, Untrusted, verifyEndEntity, verifyValidity } from '../../tee/x509/chain';
import { parsePemCertificates } from '../../tee/x509/pem';
import { isSignedBy } from '../../tee/x509/signature-algorithm';
import type { VerifiedRelease } from '../family';
import { type BuildIdentity, readBuildIdentity, SUBJECT_ALTERNATIVE_NAME } from './build-identity';
import { readSigstoreBundle, type SigstoreBundle } from './bundle';
import { verifyCertificateLogged } from './certificate-timestamps';
import { SIGSTORE_TRUST, type SigstoreTrust } from './sigstore-trust';
import { verifyLogged } from './transparency-log';

const CHAIN_LENGTH = 3;
const STATEMENT_TYPE = 'application/vnd.in-toto+json';
const STATEMENT = /^https:\/\/in-toto\.io\/Statement\/v(?:0\.1|1)$/;
const ENTRY_KIND = 'dsse 0.0.1';
const HASH_BYTES = 32;

/**
 * Verifies a Sigstore bundle offline (sigstore.dev, "Client specification", verification). A key that Fulcio certified
 * for a GitHub workflow must have signed the in-toto statement. The public logs must include certificate and signature.
 * The caller decides whether to trust the builder.
 *
 * @param bundle unvalidated JSON
 * @throws {Malformed | Untrusted}
 */
export async function verifyRelease(
  bundle: unknown,
  nowMs: number,
  trust: SigstoreTrust = SIGSTORE_TRUST,
): Promise<VerifiedRelease & BuildIdentity> {
  const read = readSigstoreBundle(bundle);
  const certificate = parseCertificate(read.certificate, [SUBJECT_ALTERNATIVE_NAME]);
  await verifyLogged(read.entry, trust.transparencyLogs);
  const loggedAtMs = read.entry.integratedTimeS * 1_000;
  if (loggedAtMs > nowMs)
    throw new Untrusted(
      `The log recorded the signature at ${new Date(loggedAtMs).toISOString()}, which is in the future.`,
    );
  await verifyCertified(certificate, loggedAtMs, trust);
  const identity = readBuildIdentity(certificate);
  await verifyEnvelope(read, certificate);
  verifySameEntry(read, certificate);
  return { ...identity, ...statementOf(read), loggedAtMs };
}

/** Verifies the certificate at the time of the log entry, because Fulcio's certificates expire after minutes. */
async function verifyCertified(
  certificate: Certificate,
  loggedAtMs: number,
  { authorities, certificateLogs }: SigstoreTrust,
): Promise<void> {
  const authority = authorities.find((each) => sameBytes(each.certificate.subject, certificate.issuer));
  if (!authority)
    throw new Untrusted(`The certificate of the build is by ${certificate.issuerText}, which is not trusted.`);
  const chain = await followChain([certificate, authority.certificate], [authority.root], CHAIN_LENGTH);
  verifyEndEntity(certificate);
  verifyValidity(chain.certificates, loggedAtMs);
  await verifyCertificateLogged(certificate, authority.certificate, certificateLogs);
}

/** Verifies the signature over the DSSE pre-authentication encoding (secure-systems-lab/dsse, "PAE"). */
async function verifyEnvelope(
  { payloadType, payload, signature }: SigstoreBundle,
  { publicKey }: Certificate,
): Promise<void> {
  const signed = concatBytes(
    utf8ToBytes(`DSSEv1 ${utf8ToBytes(payloadType).length} ${payloadType} ${payload.length} `),
    payload,
  );
  if (
    !(await isSignedBy(
      publicKey,
      publicKey.curve === 'P-384' ? 'ecdsa-sha384' : 'ecdsa-sha256',
      signed,
      signature,
      'der',
    ))
  )
    throw new Untrusted('The signature of the statement is not valid.');
}

function verifySameEntry({ entry, payload, signature }: SigstoreBundle, certificate: Certificate): void {
  if (entry.kind !== ENTRY_KIND)
    throw new Untrusted(
      `The entry of the log is of the kind ${JSON.stringify(entry.kind.slice(0, 40))}, which is not known.`,
    );
  const body = parseJsonObject(new TextDecoder().decode(entry.body), 'the entry of the log');
  const spec = asObject(body['spec'], 'spec');
  if (`${asString(body['kind'], 'kind')} ${asString(body['apiVersion'], 'apiVersion')}` !== ENTRY_KIND)
    throw new Untrusted('The entry of the log is not of the kind that it states.');
  const hash = asObject(spec['payloadHash'], 'payloadHash');
  if (hash['algorithm'] !== 'sha256' || hash['value'] !== bytesToHex(sha256(payload)))
    throw new Untrusted('The entry of the log is about another statement.');
  const signatures = asArray(spec['signatures'], 'signatures', 8);
  const signed = asObject(signatures[0], 'signatures');
  if (signatures.length !== 1 || signed['signature'] !== base64.encode(signature))
    throw new Untrusted('The entry of the log is about another signature.');
  const [verifier] = parsePemCertificatesOf(asString(signed['verifier'], 'verifier'));
  if (!verifier || !sameBytes(verifier.der, certificate.der))
    throw new Untrusted('The entry of the log is about another certificate.');
}

function parsePemCertificatesOf(text: string): Certificate[] {
  try {
    return parsePemCertificates(new TextDecoder().decode(base64.decode(text)), 1, [SUBJECT_ALTERNATIVE_NAME]);
  } catch {
    throw new Malformed('The entry of the log names no certificate.');
  }
}

function statementOf({
  payload,
  payloadType,
}: SigstoreBundle): Pick<VerifiedRelease, 'subjectDigest' | 'predicateType' | 'predicate'> {
  if (payloadType !== STATEMENT_TYPE) throw new Untrusted('The envelope holds no in-toto statement.');
  const statement: JsonObject = parseJsonObject(new TextDecoder().decode(payload), 'the statement');
  if (!STATEMENT.test(asString(statement['_type'], '_type')))
    throw new Untrusted('The envelope holds no in-toto statement.');
  const subjects = asArray(statement['subject'], 'subject', 8);
  if (subjects.length !== 1) throw new Malformed('The statement does not have exactly one subject.');
  const digest = asHex(
    asObject(asObject(subjects[0], 'subject')['digest'], 'subject.digest')['sha256'],
    'subject.digest.sha256',
    HASH_BYTES,
  );
  return {
    subjectDigest: digest.toLowerCase(),
    predicateType: asString(statement['predicateType'], 'predicateType'),
    predicate: statement['predicate'],
  };
}
