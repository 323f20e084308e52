import { bytesToHex } from '@noble/hashes/utils.js';
import { Malformed } from '../malformed';
import type { Certificate } from '../x509/certificate';
import { childrenOf, type DerElement, expectTag, oidOf, readDer, smallIntegerOf, TAG } from '../x509/der';

/** Platform data in a processor's PCK certificate (Intel SGX PCK Certificate and CRL Profile, 1.3.5). */
export interface PckPlatform {
  /** Family of processor and board, 6 bytes in upper-case hex. Intel publishes TCB info per FMSPC. */
  fmspc: string;
  /** Upper-case hex, 2 bytes. */
  pceId: string;
  /** Security versions of 16 processor components. */
  componentSvns: number[];
  pceSvn: number;
}

const SGX_EXTENSIONS = '1.2.840.113741.1.13.1';
const TCB = `${SGX_EXTENSIONS}.2`;
const PCE_ID = `${SGX_EXTENSIONS}.3`;
const FMSPC = `${SGX_EXTENSIONS}.4`;
const COMPONENTS = 16;
const PCE_SVN = `${TCB}.17`;
const SVN_MAX = 0xff;

/**
 * Parses the Intel extension of a PCK certificate.
 *
 * @throws {Malformed} if the extension is missing or incomplete
 */
export function readPckPlatform(certificate: Certificate): PckPlatform {
  const extension = certificate.extensions.get(SGX_EXTENSIONS);
  if (!extension) throw new Malformed('The certificate is not a processor certificate: it has no SGX extensions.');
  const fields = readPairs(readDer(extension.value));
  const tcb = readPairs(expectTag(fields.get(TCB), TAG.SEQUENCE));
  const componentSvns = Array.from({ length: COMPONENTS }, (_, index) =>
    smallIntegerOf(tcb.get(`${TCB}.${index + 1}`)),
  );
  if (componentSvns.some((svn) => svn > SVN_MAX))
    throw new Malformed('A security version of the certificate is too large.');
  return {
    fmspc: hexOf(fields.get(FMSPC), 6),
    pceId: hexOf(fields.get(PCE_ID), 2),
    componentSvns,
    pceSvn: smallIntegerOf(tcb.get(PCE_SVN)),
  };
}

function readPairs(sequence: DerElement): Map<string, DerElement> {
  const pairs = new Map<string, DerElement>();
  for (const item of childrenOf(sequence)) {
    const [id, value] = childrenOf(expectTag(item, TAG.SEQUENCE));
    const oid = oidOf(id);
    if (value === undefined || pairs.has(oid))
      throw new Malformed(`The field ${oid} of the certificate is malformed or occurs twice.`);
    pairs.set(oid, value);
  }
  return pairs;
}

function hexOf(element: DerElement | undefined, length: number): string {
  const { content } = expectTag(element, TAG.OCTET_STRING);
  if (content.length !== length) throw new Malformed('A field of the certificate has a wrong length.');
  return bytesToHex(content).toUpperCase();
}
