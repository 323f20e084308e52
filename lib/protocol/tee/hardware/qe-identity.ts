import { bytesToHex } from '@noble/hashes/utils.js';
import { asArray, asCount, asHex, asObject, asTime, parseJsonObject } from '../json-shape';
import { Malformed } from '../malformed';
import type { EnclaveReport } from '../quote/quote';
import { readLevelVerdict, type TcbLevelVerdict } from './tcb-info';

/** Identity of the TDX quoting enclave, published by Intel. Byte strings are in upper-case hex. */
export interface QeIdentity {
  issueDateMs: number;
  nextUpdateMs: number;
  evaluationDataNumber: number;
  miscSelect: string;
  miscSelectMask: string;
  attributes: string;
  attributesMask: string;
  mrSigner: string;
  isvProdId: number;
  levels: (TcbLevelVerdict & { isvSvn: number })[];
}

const VERSION = 2;

/** Parses the signed text of a QE identity. @throws {Malformed} */
export function parseQeIdentity(text: string): QeIdentity {
  const json = parseJsonObject(text, 'qe_identity');
  if (json['id'] !== 'TD_QE' || json['version'] !== VERSION)
    throw new Malformed('The QE identity does not have version 2 for TDX.');
  const hex = (name: string, bytes: number) => asHex(json[name], `qe_identity.${name}`, bytes);
  const levels = asArray(json['tcbLevels'], 'qe_identity.tcbLevels').map((level) => ({
    ...readLevelVerdict(level, 'qe_identity.tcbLevels'),
    isvSvn: asCount(
      asObject(asObject(level, 'qe_identity')['tcb'], 'qe_identity')['isvsvn'],
      'qe_identity.tcbLevels.isvsvn',
    ),
  }));
  return {
    issueDateMs: asTime(json['issueDate'], 'qe_identity.issueDate'),
    nextUpdateMs: asTime(json['nextUpdate'], 'qe_identity.nextUpdate'),
    evaluationDataNumber: asCount(json['tcbEvaluationDataNumber'], 'qe_identity.tcbEvaluationDataNumber'),
    miscSelect: hex('miscselect', 4),
    miscSelectMask: hex('miscselectMask', 4),
    attributes: hex('attributes', 16),
    attributesMask: hex('attributesMask', 16),
    mrSigner: hex('mrsigner', 32),
    isvProdId: asCount(json['isvprodid'], 'qe_identity.isvprodid'),
    levels,
  };
}

const SGX_DEBUG = 0x02;

/** Returns why a quoting enclave does not match its identity, as a sentence; null if it matches. */
export function quotingEnclaveFault(identity: QeIdentity, report: EnclaveReport): string | null {
  if (bytesToHex(report.mrSigner).toUpperCase() !== identity.mrSigner)
    return 'The quoting enclave is not signed by Intel.';
  if (report.isvProdId !== identity.isvProdId) return 'The quoting enclave has the wrong product id.';
  if (((report.attributes[0] ?? 0) & SGX_DEBUG) !== 0) return 'The quoting enclave runs in debug mode.';
  if (!agree(report.miscSelect, identity.miscSelect, identity.miscSelectMask))
    return 'The quoting enclave has a wrong MISCSELECT.';
  if (!agree(report.attributes, identity.attributes, identity.attributesMask))
    return 'The quoting enclave has wrong attributes.';
  return null;
}

/** Returns the newest level that the quoting enclave reaches, or undefined. */
export function findQeLevel(identity: QeIdentity, report: EnclaveReport): TcbLevelVerdict | undefined {
  return identity.levels.find(({ isvSvn }) => report.isvSvn >= isvSvn);
}

function agree(actual: Uint8Array, expected: string, mask: string): boolean {
  const bits = BigInt(`0x${mask}`);
  return (BigInt(`0x${bytesToHex(actual)}`) & bits) === (BigInt(`0x${expected}`) & bits);
}
