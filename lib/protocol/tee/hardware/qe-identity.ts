import { bytesToHex } from '@noble/hashes/utils.js';
import { asArray, asCount, asHex, asObject, asTime, parseJsonObject } from '../json-shape';
import { Malformed } from '../malformed';
import type { EnclaveReport } from '../quote/enclave-report';
import { readLevelVerdict, type TcbLevelVerdict } from './tcb-level';

/** Intel's identity of the quoting enclave for TDX. Hex, upper case. */
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

/** Reads the signed text of a QE identity. @throws {Malformed} */
export function parseQeIdentity(text: string): QeIdentity {
  const json = parseJsonObject(text, 'qe_identity');
  if (json['id'] !== 'TD_QE' || json['version'] !== VERSION)
    throw new Malformed('The QE identity is not of version 2 for TDX.');
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

/** What speaks against a quoting enclave, in a sentence; null where nothing does. */
export function quotingEnclaveFault(identity: QeIdentity, report: EnclaveReport): string | null {
  if (bytesToHex(report.mrSigner).toUpperCase() !== identity.mrSigner)
    return 'The quoting enclave is signed by another than Intel.';
  if (report.isvProdId !== identity.isvProdId) return 'The quoting enclave is another product.';
  if (((report.attributes[0] ?? 0) & SGX_DEBUG) !== 0) return 'The quoting enclave runs in debug mode.';
  if (!agree(report.miscSelect, identity.miscSelect, identity.miscSelectMask))
    return 'The quoting enclave has another MISCSELECT.';
  if (!agree(report.attributes, identity.attributes, identity.attributesMask))
    return 'The quoting enclave has other attributes.';
  return null;
}

/** The level that the quoting enclave reaches; undefined where it reaches none. */
export function findQeLevel(identity: QeIdentity, report: EnclaveReport): TcbLevelVerdict | undefined {
  return identity.levels.find(({ isvSvn }) => report.isvSvn >= isvSvn);
}

function agree(actual: Uint8Array, expected: string, mask: string): boolean {
  const bits = BigInt(`0x${mask}`);
  return (BigInt(`0x${bytesToHex(actual)}`) & bits) === (BigInt(`0x${expected}`) & bits);
}
