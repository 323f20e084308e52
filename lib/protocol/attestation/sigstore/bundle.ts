import { base64 } from '@scure/base';
import { asArray, asObject, asString, type JsonObject } from '../../tee/json-shape';
import { Malformed } from '../../tee/malformed';

/**
 * Sigstore bundle of a DSSE envelope (sigstore/protobuf-specs, `sigstore_bundle.proto`, versions 0.1 to 0.3), parsed
 * but not verified.
 */
export interface SigstoreBundle {
  /** Signer's certificate, DER. */
  certificate: Uint8Array;
  payloadType: string;
  payload: Uint8Array;
  /** Signature over the envelope, ECDSA in DER. */
  signature: Uint8Array;
  entry: LogEntry;
}

export interface LogEntry {
  /** SHA-256 of the log's public key. */
  logId: Uint8Array;
  logIndex: number;
  kind: string;
  /** Unix seconds. */
  integratedTimeS: number;
  /** UTF-8 bytes of JSON. */
  body: Uint8Array;
  /** Log's signature over entry and time (signed entry timestamp), DER. */
  promise: Uint8Array;
  proof: InclusionProof;
}

/** Proof that the log's Merkle tree contains the entry (RFC 6962, 2.1.1), with the log's signature over the tree. */
export interface InclusionProof {
  index: number;
  treeSize: number;
  rootHash: Uint8Array;
  hashes: readonly Uint8Array[];
  /** Tree size and root hash as a signed note. */
  checkpoint: string;
}

const MEDIA_TYPE = /^application\/vnd\.dev\.sigstore\.bundle(?:\.v0\.[1-3]\+json|\+json;version=0\.[1-3])$/;
const BASE64_CHARACTERS_MAX = 4_194_304;
const CHECKPOINT_CHARACTERS_MAX = 8_192;
const HASHES_MAX = 64;

/**
 * Parses a bundle with one signature and one log entry.
 *
 * @throws {Malformed} for other bundles
 */
export function readSigstoreBundle(value: unknown): SigstoreBundle {
  const json = asObject(value, 'bundle');
  if (!MEDIA_TYPE.test(asString(json['mediaType'], 'bundle.mediaType')))
    throw new Malformed('The bundle is of an unknown version.');
  const material = asObject(json['verificationMaterial'], 'bundle.verificationMaterial');
  const envelope = asObject(json['dsseEnvelope'], 'bundle.dsseEnvelope');
  const signature = asObject(
    only(envelope['signatures'], 'bundle.dsseEnvelope.signatures'),
    'bundle.dsseEnvelope.signatures',
  );
  return {
    certificate: bytesOf(certificateOf(material)['rawBytes'], 'bundle.certificate'),
    payloadType: asString(envelope['payloadType'], 'bundle.dsseEnvelope.payloadType'),
    payload: bytesOf(envelope['payload'], 'bundle.dsseEnvelope.payload'),
    signature: bytesOf(signature['sig'], 'bundle.dsseEnvelope.signatures.sig'),
    entry: entryOf(asObject(only(material['tlogEntries'], 'bundle.tlogEntries'), 'bundle.tlogEntries')),
  };
}

/** Returns the signer's certificate. Bundles before version 0.3 contain a chain that starts with this certificate. */
function certificateOf(material: JsonObject): JsonObject {
  if (material['certificate'] !== undefined) return asObject(material['certificate'], 'bundle.certificate');
  const chain = asObject(material['x509CertificateChain'], 'bundle.x509CertificateChain');
  return asObject(
    asArray(chain['certificates'], 'bundle.x509CertificateChain.certificates', 8)[0],
    'bundle.x509CertificateChain.certificates',
  );
}

function entryOf(json: JsonObject): LogEntry {
  const path = 'bundle.tlogEntries';
  const proof = asObject(json['inclusionProof'], `${path}.inclusionProof`);
  const checkpoint = asString(
    asObject(proof['checkpoint'], `${path}.checkpoint`)['envelope'],
    `${path}.checkpoint.envelope`,
  );
  if (checkpoint.length > CHECKPOINT_CHARACTERS_MAX) throw new Malformed('The checkpoint of the log is too long.');
  const kind = asObject(json['kindVersion'], `${path}.kindVersion`);
  return {
    logId: bytesOf(asObject(json['logId'], `${path}.logId`)['keyId'], `${path}.logId.keyId`),
    logIndex: numberOf(json['logIndex'], `${path}.logIndex`),
    kind: `${asString(kind['kind'], `${path}.kind`)} ${asString(kind['version'], `${path}.version`)}`,
    integratedTimeS: numberOf(json['integratedTime'], `${path}.integratedTime`),
    body: bytesOf(json['canonicalizedBody'], `${path}.canonicalizedBody`),
    promise: bytesOf(
      asObject(json['inclusionPromise'], `${path}.inclusionPromise`)['signedEntryTimestamp'],
      `${path}.signedEntryTimestamp`,
    ),
    proof: {
      index: numberOf(proof['logIndex'], `${path}.inclusionProof.logIndex`),
      treeSize: numberOf(proof['treeSize'], `${path}.inclusionProof.treeSize`),
      rootHash: bytesOf(proof['rootHash'], `${path}.inclusionProof.rootHash`),
      hashes: asArray(proof['hashes'] ?? [], `${path}.inclusionProof.hashes`, HASHES_MAX).map((hash) =>
        bytesOf(hash, `${path}.inclusionProof.hashes`),
      ),
      checkpoint,
    },
  };
}

function only(value: unknown, path: string): unknown {
  const items = asArray(value, path);
  if (items.length !== 1) throw new Malformed(`${path} must have one item.`);
  return items[0];
}

/** Protocol buffers write 64-bit numbers as strings in JSON. */
function numberOf(value: unknown, path: string): number {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0)
    throw new Malformed(`${path} must be a whole number.`);
  return number;
}

function bytesOf(value: unknown, path: string): Uint8Array {
  const text = asString(value, path);
  if (text.length > BASE64_CHARACTERS_MAX) throw new Malformed(`${path} is too long.`);
  try {
    return base64.decode(text);
  } catch {
    throw new Malformed(`${path} is not valid base64.`);
  }
}
