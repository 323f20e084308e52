import { createHash, sign } from 'node:crypto';
import type { CollateralJson } from '@/lib/protocol/tee/hardware/collateral';
import { issueRevocationList, pemOf } from './certificate-authority';
import { NAMES, PLATFORM, type PlatformKeys } from './platform-keys';

const DAY_MS = 24 * 3_600_000;
/** Lifetime of Intel's published documents. */
const LIFETIME_MS = 30 * DAY_MS;

export const QE_MR_SIGNER = createHash('sha256').update('SIMULATED quoting enclave signer').digest();
export const QE_ATTRIBUTES = Buffer.from('15000000000000000000000000000000', 'hex');
export const QE_PRODUCT_ID = 2;
export const QE_SVN = 4;

export interface CollateralChanges {
  tcbInfo?: Readonly<Record<string, unknown>>;
  qeIdentity?: Readonly<Record<string, unknown>>;
  /** Serial numbers in hex. */
  revokedByRoot?: readonly string[];
  revokedByPlatformAuthority?: readonly string[];
}

/**
 * Issues the collateral that Intel would publish for the simulated platform, signed with the simulator's keys. The
 * collateral is valid for 30 days, starting one hour ago.
 */
export function issueCollateral(
  { privateKeys, certificates }: PlatformKeys,
  nowMs: number,
  changes: CollateralChanges = {},
): CollateralJson {
  const issuedMs = nowMs - DAY_MS / 24;
  const window = { thisUpdateMs: issuedMs, nextUpdateMs: issuedMs + LIFETIME_MS };
  const dates = {
    issueDate: isoSeconds(issuedMs),
    nextUpdate: isoSeconds(issuedMs + LIFETIME_MS),
    tcbEvaluationDataNumber: 17,
  };
  const tcbInfo = JSON.stringify({ ...tcbInfoOf(dates), ...changes.tcbInfo });
  const qeIdentity = JSON.stringify({ ...qeIdentityOf(dates), ...changes.qeIdentity });
  const signature = (document: string) =>
    sign('sha256', Buffer.from(document), { key: privateKeys.documentSigner, dsaEncoding: 'ieee-p1363' }).toString(
      'hex',
    );
  const list = (issuer: 'root' | 'platformAuthority', revoked: readonly string[] = []) =>
    issueRevocationList({
      issuer: { name: NAMES[issuer], privateKey: privateKeys[issuer] },
      ...window,
      revoked,
    }).toString('hex');
  const documentChain = pemOf(certificates.documentSigner) + pemOf(certificates.root);
  return {
    pck_crl_issuer_chain: pemOf(certificates.platformAuthority) + pemOf(certificates.root),
    root_ca_crl: list('root', changes.revokedByRoot),
    pck_crl: list('platformAuthority', changes.revokedByPlatformAuthority),
    tcb_info_issuer_chain: documentChain,
    tcb_info: tcbInfo,
    tcb_info_signature: signature(tcbInfo),
    qe_identity_issuer_chain: documentChain,
    qe_identity: qeIdentity,
    qe_identity_signature: signature(qeIdentity),
  };
}

type Dates = Readonly<Record<'issueDate' | 'nextUpdate', string>> & { tcbEvaluationDataNumber: number };

function tcbInfoOf(dates: Dates) {
  const identity = { mrsigner: '00'.repeat(48), attributes: '00'.repeat(8), attributesMask: 'FF'.repeat(8) };
  const tcbDate = '2026-01-01T00:00:00Z';
  const components = (svns: readonly number[]) => svns.map((svn) => ({ svn }));
  const { fmspc, pceId, pceSvn, componentSvns, teeTcbSvn } = PLATFORM;
  const level = (pcesvn: number, tcbStatus: string) => ({
    tcb: {
      sgxtcbcomponents: components(componentSvns),
      pcesvn,
      tdxtcbcomponents: components([teeTcbSvn[0], 0, ...teeTcbSvn.slice(2)]),
    },
    tcbDate,
    tcbStatus,
  });
  return {
    id: 'TDX',
    version: 3,
    ...dates,
    fmspc,
    pceId,
    tcbType: 0,
    tdxModule: identity,
    tdxModuleIdentities: [
      {
        id: 'TDX_01',
        ...identity,
        tcbLevels: [
          { tcb: { isvsvn: 4 }, tcbDate, tcbStatus: 'UpToDate' },
          { tcb: { isvsvn: 2 }, tcbDate, tcbStatus: 'OutOfDate' },
        ],
      },
    ],
    tcbLevels: [level(pceSvn, 'UpToDate'), level(5, 'OutOfDate')],
  };
}

function qeIdentityOf(dates: Dates) {
  return {
    id: 'TD_QE',
    version: 2,
    ...dates,
    miscselect: '00000000',
    miscselectMask: 'FFFFFFFF',
    attributes: '11000000000000000000000000000000',
    attributesMask: 'FBFFFFFFFFFFFFFF0000000000000000',
    mrsigner: QE_MR_SIGNER.toString('hex').toUpperCase(),
    isvprodid: QE_PRODUCT_ID,
    tcbLevels: [{ tcb: { isvsvn: QE_SVN }, tcbDate: '2026-01-01T00:00:00Z', tcbStatus: 'UpToDate' }],
  };
}

function isoSeconds(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
}
