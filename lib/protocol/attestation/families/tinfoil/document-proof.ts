import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { CheckFailed, NotCheckable } from '../../../tee/check-list';
import { asString, type JsonObject } from '../../../tee/json-shape';
import { Malformed } from '../../../tee/malformed';
import { Untrusted, verifyValidity } from '../../../tee/x509/chain';
import { parsePemCertificates } from '../../../tee/x509/pem';
import { isSignedBy } from '../../../tee/x509/signature-algorithm';
import type { OwnCheck } from '../../enclave';
import type { RawMembers } from './raw-members';

const SIGNATURE_CHARACTERS_MAX = 1_024;
const PEM_END = '-----END CERTIFICATE-----';
const SPACES: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

/**
 * Verifies the document's TLS certificate and ECDSA signature (SHA-256, DER). The signed bytes are the received
 * document with an empty `signature` and no line end. The hardware attests the TLS key's fingerprint.
 */
export function documentProof(json: JsonObject, raw: RawMembers, fingerprint: string): OwnCheck {
  return {
    id: 'certificate',
    title: 'The document is signed with the TLS key that the hardware proves',
    make: async ({ nowMs }) => {
      if (json['certificate'] == null || json['signature'] == null)
        throw new NotCheckable('The document has no certificate with a signature.');
      const [certificate] = parsePemCertificates(leafOf(asString(json['certificate'], 'certificate')));
      if (!certificate) throw new Malformed('The document has no certificate.');
      const found = bytesToHex(sha256(certificate.subjectPublicKeyInfo));
      const evidence = { certificate: certificate.subjectText, issuer: certificate.issuerText, key: found };
      if (found !== fingerprint)
        throw new CheckFailed('The key of the certificate is not the key in the report data.', {
          ...evidence,
          bound: fingerprint,
        });
      verifyValidity([certificate], nowMs);
      if (certificate.publicKey.curve === 'RSA')
        throw new NotCheckable('The document is signed with RSA, which is not supported.', evidence);
      if (!(await isSignedBy(certificate.publicKey, 'ecdsa-sha256', signedBytes(raw), signatureOf(json), 'der')))
        throw new Untrusted('The signature of the document is not valid.');
      return { established: true, evidence };
    },
  };
}

/** Returns the first certificate of the chain. Browsers check its issuer. */
function leafOf(pem: string): string {
  const end = pem.indexOf(PEM_END);
  return end < 0 ? pem : `${pem.slice(0, end + PEM_END.length)}\n`;
}

function signedBytes({ bytes, spans }: RawMembers): Uint8Array {
  const span = spans.get('signature');
  if (!span) throw new Malformed('The document has no signature.');
  let end = bytes.length;
  while (SPACES.includes(bytes[end - 1] as number)) end -= 1;
  return concatBytes(bytes.subarray(0, span.start), utf8ToBytes('""'), bytes.subarray(span.end, end));
}

function signatureOf(json: JsonObject): Uint8Array {
  const text = asString(json['signature'], 'signature');
  if (text.length > SIGNATURE_CHARACTERS_MAX) throw new Malformed('The signature of the document is too long.');
  try {
    return base64.decode(text);
  } catch {
    throw new Malformed('The signature of the document is not valid base64.');
  }
}
