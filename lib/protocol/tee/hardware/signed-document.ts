import { utf8ToBytes } from '@noble/hashes/utils.js';
import { CheckFailed } from '../check-list';
import type { AttestationPolicy } from '../policy';
import { Untrusted, verifyEndEntity } from '../x509/chain';
import { isSignedBy } from '../x509/signature-algorithm';
import type { TrustedChain } from './trusted-chain';

interface DatedDocument {
  issueDateMs: number;
  nextUpdateMs: number;
  evaluationDataNumber: number;
}

interface SignedText {
  text: string;
  signature: Uint8Array;
  signer: TrustedChain;
  /** Root of the processor's chain. The document's signer must have the same root. */
  root: TrustedChain['root'];
}

/**
 * Verifies a document's signature, then parses it and checks its dates.
 *
 * @throws {Untrusted} if the issuer did not sign the document; {CheckFailed} if the document expired, is from the
 *   future, or has too low an evaluation number
 */
export async function readSignedDocument<T extends DatedDocument>(
  { text, signature, signer, root }: SignedText,
  parse: (text: string) => T,
  policy: AttestationPolicy,
  nowMs: number,
): Promise<T> {
  if (signer.root !== root) throw new Untrusted('The document and the processor have different certificate roots.');
  const { leaf } = signer;
  verifyEndEntity(leaf);
  if (!(await isSignedBy(leaf.publicKey, 'ecdsa-sha256', utf8ToBytes(text), signature, 'compact')))
    throw new Untrusted(`The document is not signed by ${leaf.subjectText}.`);
  const document = parse(text);
  const evidence = documentEvidence(document);
  if (nowMs < document.issueDateMs) throw new CheckFailed('The document is from the future.', evidence);
  if (nowMs > document.nextUpdateMs)
    throw new CheckFailed(`The document expired at ${new Date(document.nextUpdateMs).toISOString()}.`, evidence);
  if (document.evaluationDataNumber < policy.evaluationDataNumberMin)
    throw new CheckFailed('The document has an older evaluation number than is accepted.', evidence);
  return document;
}

export function documentEvidence({ issueDateMs, nextUpdateMs, evaluationDataNumber }: DatedDocument) {
  return {
    issued: new Date(issueDateMs).toISOString(),
    validUntil: new Date(nextUpdateMs).toISOString(),
    evaluationDataNumber,
  };
}
