import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { Malformed } from '../../tee/malformed';
import { sameBytes, Untrusted } from '../../tee/x509/chain';
import { isSignedBy } from '../../tee/x509/signature-algorithm';
import type { InclusionProof, LogEntry } from './bundle';
import type { TrustedLog } from './sigstore-trust';

const HASH_BYTES = 32;
const KEY_HINT_BYTES = 4;
const SIGNATURE_LINE = /^\u2014 (\S+) ([A-Za-z0-9+/=]+)$/;

/**
 * Checks that a trusted log includes the entry. The log must have signed the entry and its time (the promise). The
 * inclusion proof must lead to a tree that the log signed (the checkpoint). Both proofs are needed: with only a
 * promise, the log could hide the entry, and an inclusion proof contains no time.
 *
 * @returns log
 * @throws {Untrusted | Malformed}
 */
export async function verifyLogged(entry: LogEntry, logs: readonly TrustedLog[]): Promise<TrustedLog> {
  const log = logs.find(({ id }) => sameBytes(id, entry.logId));
  if (!log) throw new Untrusted('The signature is in a log that is not trusted.');
  if (!(await isSignedByLog(log, promised(entry), entry.promise)))
    throw new Untrusted('The log has not signed the entry and its time.');
  const root = rootOf(sha256(concatBytes(Uint8Array.of(0), entry.body)), entry.proof);
  if (!sameBytes(root, entry.proof.rootHash)) throw new Untrusted('The entry is not in the tree of the log.');
  await verifyCheckpoint(entry.proof, log);
  return log;
}

/** Returns the bytes that the log signed: canonical JSON (RFC 8785) of four members. */
function promised({ body, integratedTimeS, logId, logIndex }: LogEntry): Uint8Array {
  return utf8ToBytes(
    `{"body":"${base64.encode(body)}","integratedTime":${integratedTimeS},"logID":"${bytesToHex(logId)}","logIndex":${logIndex}}`,
  );
}

/**
 * Computes the tree's root from a leaf (RFC 9162, 2.1.3.2, for the tree of RFC 6962).
 *
 * @throws {Untrusted} for a proof of wrong length
 */
function rootOf(leaf: Uint8Array, { index, treeSize, hashes }: InclusionProof): Uint8Array {
  if (index >= treeSize) throw new Untrusted('The index of the entry is beyond the end of the log.');
  let [node, last, root] = [BigInt(index), BigInt(treeSize) - 1n, leaf];
  for (const hash of hashes) {
    if (hash.length !== HASH_BYTES || last === 0n)
      throw new Untrusted('The proof that the entry is in the log has a wrong length.');
    if ((node & 1n) === 1n || node === last) {
      root = parentOf(hash, root);
      while ((node & 1n) === 0n && node !== 0n) [node, last] = [node >> 1n, last >> 1n];
    } else {
      root = parentOf(root, hash);
    }
    [node, last] = [node >> 1n, last >> 1n];
  }
  if (last !== 0n) throw new Untrusted('The proof that the entry is in the log has a wrong length.');
  return root;
}

function parentOf(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(concatBytes(Uint8Array.of(1), left, right));
}

/**
 * Verifies the log's signature on a checkpoint (C2SP tlog-checkpoint). A checkpoint is a signed note (C2SP signed-note)
 * with origin, size and root.
 */
async function verifyCheckpoint({ checkpoint, treeSize, rootHash }: InclusionProof, log: TrustedLog): Promise<void> {
  const split = checkpoint.indexOf('\n\n');
  if (split < 0) throw new Malformed('The checkpoint of the log is not a signed note.');
  const text = checkpoint.slice(0, split + 1);
  const [origin = '', size, root] = text.split('\n');
  if (size !== String(treeSize) || root !== base64.encode(rootHash))
    throw new Untrusted('The checkpoint of the log and the proof belong to different trees.');
  for (const line of checkpoint.slice(split + 2).split('\n')) {
    const [, name, signature = ''] = SIGNATURE_LINE.exec(line) ?? [];
    const signed = bytesOf(signature);
    // Compares the unsigned key name of the signature line with the signed origin.
    if (
      name !== origin.split(' ')[0] ||
      !sameBytes(signed.subarray(0, KEY_HINT_BYTES), log.id.subarray(0, KEY_HINT_BYTES))
    )
      continue;
    if (await isSignedByLog(log, utf8ToBytes(text), signed.subarray(KEY_HINT_BYTES))) return;
  }
  throw new Untrusted('The log has not signed its checkpoint.');
}

async function isSignedByLog({ key }: TrustedLog, bytes: Uint8Array, signature: Uint8Array): Promise<boolean> {
  return isSignedBy(key, key.curve === 'P-256' ? 'ecdsa-sha256' : 'ecdsa-sha384', bytes, signature, 'der');
}

function bytesOf(text: string): Uint8Array {
  try {
    return base64.decode(text);
  } catch {
    return new Uint8Array();
  }
}
