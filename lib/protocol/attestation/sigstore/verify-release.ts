import { childrenOf, oidOf, readDer } from '../../tee/x509/der';
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
import { readSigstoreBundle, type SigstoreBundle } from './bundle';
import { verifyCertificateLogged } from './certificate-timestamps';
import { SIGSTORE_TRUST, type SigstoreTrust } from './sigstore-trust';
import { verifyLogged } from './transparency-log';

/** A build, as described in the certificate that Fulcio issued to the build's workflow. */
export interface BuildIdentity {
  /** `https://github.com/OWNER/NAME`. */
  repository: string;
  /** `https://github.com/OWNER`. */
  owner: string;
  commit: string;
  /** `refs/tags/…` or `refs/heads/…`. */
  ref: string;
  workflow: string;
  /** Path in the repository, `.github/workflows/….yml`. */
  workflowPath: string;
}

/** Extension that is critical in Fulcio's certificates, so the parser must accept it. */
const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const CODE_SIGNING = '1.3.6.1.5.5.7.3.3';
const URI_NAME = 0x86;
const UTF8_STRING = 0x0c;
const CHARACTERS_MAX = 1_024;
const GITHUB_ACTIONS = 'https://token.actions.githubusercontent.com';
/** Fulcio's extensions (sigstore/fulcio, `docs/oid-info.md`). */
const FULCIO = '1.3.6.1.4.1.57264.1';
const OID = {
  issuer: `${FULCIO}.8`,
  signer: `${FULCIO}.9`,
  runner: `${FULCIO}.11`,
  repository: `${FULCIO}.12`,
  commit: `${FULCIO}.13`,
  ref: `${FULCIO}.14`,
  owner: `${FULCIO}.16`,
  workflow: `${FULCIO}.18`,
} as const;

/**
 * Reads the build's workflow from a certificate. Accepts only GitHub Actions on a GitHub-hosted runner, with the
 * workflow in the built repository.
 *
 * @throws {Untrusted} for another issuer, runner or purpose; {Malformed}
 */
function readBuildIdentity({ extensions }: Certificate): BuildIdentity {
  const text = (oid: string): string => {
    const value = extensions.get(oid)?.value;
    if (!value) throw new Malformed(`The certificate of the build lacks the extension ${oid}.`);
    return textOf(readDer(value, UTF8_STRING).content);
  };
  const usages = extensions.get(EXTENDED_KEY_USAGE);
  if (!usages || !childrenOf(readDer(usages.value)).some((usage) => oidOf(usage) === CODE_SIGNING))
    throw new Untrusted('The certificate of the build is not for signing code.');
  if (text(OID.issuer) !== GITHUB_ACTIONS)
    throw new Untrusted('The certificate of the build is not for a GitHub workflow.');
  if (text(OID.runner) !== 'github-hosted') throw new Untrusted("The build ran on a machine that is not GitHub's.");
  const [repository, workflow] = [text(OID.repository), text(OID.workflow)];
  if (text(OID.signer) !== workflow || subjectOf(extensions) !== workflow)
    throw new Untrusted('The signing workflow is not the workflow that was started.');
  const [path, ...ref] = workflow.startsWith(`${repository}/`) ? workflow.slice(repository.length + 1).split('@') : [];
  if (path === undefined || ref.length !== 1)
    throw new Untrusted('The workflow of the build and the source are from different repositories.');
  const identity = {
    repository,
    owner: text(OID.owner),
    commit: text(OID.commit),
    ref: text(OID.ref),
    workflow,
    workflowPath: path,
  };
  if (!repository.startsWith(`${identity.owner}/`) || ref[0] !== identity.ref)
    throw new Untrusted('The certificate of the build contradicts itself.');
  if (!/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(identity.commit))
    throw new Malformed('The certificate of the build contains no commit.');
  return identity;
}

function subjectOf(extensions: Certificate['extensions']): string {
  const names = extensions.get(SUBJECT_ALTERNATIVE_NAME);
  const all = names ? childrenOf(readDer(names.value)) : [];
  if (all.length !== 1 || all[0]?.tag !== URI_NAME)
    throw new Malformed('The subject of the build certificate is not a single workflow.');
  return textOf(all[0].content);
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length > CHARACTERS_MAX) throw new Malformed('A name in the certificate of the build is too long.');
  return new TextDecoder().decode(bytes);
}

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
    throw new Untrusted(`The certificate of the build was issued by ${certificate.issuerText}, which is not trusted.`);
  const chain = await followChain([certificate, authority.certificate], [authority.root], CHAIN_LENGTH);
  verifyEndEntity(certificate);
  verifyValidity(chain.certificates, loggedAtMs);
  await verifyCertificateLogged(certificate, authority.certificate, certificateLogs);
}

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
    throw new Untrusted(`The log entry has an unknown type: ${JSON.stringify(entry.kind.slice(0, 40))}.`);
  const body = parseJsonObject(new TextDecoder().decode(entry.body), 'the log entry');
  const spec = asObject(body['spec'], 'spec');
  if (`${asString(body['kind'], 'kind')} ${asString(body['apiVersion'], 'apiVersion')}` !== ENTRY_KIND)
    throw new Untrusted('The log entry does not have its stated type.');
  const hash = asObject(spec['payloadHash'], 'payloadHash');
  if (hash['algorithm'] !== 'sha256' || hash['value'] !== bytesToHex(sha256(payload)))
    throw new Untrusted('The log entry is for another statement.');
  const signatures = asArray(spec['signatures'], 'signatures', 8);
  const signed = asObject(signatures[0], 'signatures');
  if (signatures.length !== 1 || signed['signature'] !== base64.encode(signature))
    throw new Untrusted('The log entry is for another signature.');
  const [verifier] = parsePemCertificatesOf(asString(signed['verifier'], 'verifier'));
  if (!verifier || !sameBytes(verifier.der, certificate.der))
    throw new Untrusted('The log entry is for another certificate.');
}

function parsePemCertificatesOf(text: string): Certificate[] {
  try {
    return parsePemCertificates(new TextDecoder().decode(base64.decode(text)), 1, [SUBJECT_ALTERNATIVE_NAME]);
  } catch {
    throw new Malformed('The log entry contains no certificate.');
  }
}

function statementOf({
  payload,
  payloadType,
}: SigstoreBundle): Pick<VerifiedRelease, 'subjectDigest' | 'predicateType' | 'predicate'> {
  if (payloadType !== STATEMENT_TYPE) throw new Untrusted('The envelope contains no in-toto statement.');
  const statement: JsonObject = parseJsonObject(new TextDecoder().decode(payload), 'the statement');
  if (!STATEMENT.test(asString(statement['_type'], '_type')))
    throw new Untrusted('The envelope contains no in-toto statement.');
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
