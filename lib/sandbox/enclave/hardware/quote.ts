import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { pemOf } from './certificate-authority';
import { QE_ATTRIBUTES, QE_MR_SIGNER, QE_PRODUCT_ID, QE_SVN } from './collateral';
import { PLATFORM, type PlatformKeys } from './platform-keys';

export interface TrustDomain {
  mrTd: Uint8Array;
  mrConfigId: Uint8Array;
  rtMrs: readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  /** 64 bytes. */
  reportData: Uint8Array;
  /** 8 bytes. Default: the attributes of an honest domain. */
  attributes?: Uint8Array;
  /** Measurement of the bound service domain, 48 bytes, only in TDX 1.5 reports. Default: none. */
  mrServiceTd?: Uint8Array;
}

/** Quote formats: version 4, and version 5 with a TDX 1.0 or TDX 1.5 body. */
export type QuoteForm = '4' | '5-td10' | '5-td15';

interface QuoteSigners {
  attestation?: KeyObject;
  processor?: KeyObject;
}

const HONEST_ATTRIBUTES = Buffer.from('0000001000000000', 'hex');
const XFAM = Buffer.from('e702060000000000', 'hex');
const QE_VENDOR_ID = Buffer.from('939a7233f79c4ca9940a0db3957f0607', 'hex');
const QE_AUTH_DATA = Buffer.from([...Array(32).keys()]);
const CERTIFICATION_QE_REPORT = 6;
const CERTIFICATION_PCK_CHAIN = 5;

/** Makes a quote of a trust domain, signed by the simulated platform. */
export function makeQuote(
  keys: PlatformKeys,
  domain: TrustDomain,
  form: QuoteForm = '4',
  signers: QuoteSigners = {},
): Buffer {
  const attestation = signers.attestation ?? keys.privateKeys.attestation;
  const body = bodyOf(domain, form);
  const signed = Buffer.concat([
    header(form),
    form === '4' ? body : Buffer.concat([u16(form === '5-td10' ? 2 : 3), u32(body.length), body]),
  ]);
  const attestationKey = pointOf(attestation);
  const qeReport = qeReportOf(createHash('sha256').update(attestationKey).update(QE_AUTH_DATA).digest());
  const chain = Buffer.from(
    pemOf(keys.certificates.processor) + pemOf(keys.certificates.platformAuthority) + pemOf(keys.certificates.root),
  );
  const certification = Buffer.concat([
    qeReport,
    rawSignature(qeReport, signers.processor ?? keys.privateKeys.processor),
    u16(QE_AUTH_DATA.length),
    QE_AUTH_DATA,
    u16(CERTIFICATION_PCK_CHAIN),
    u32(chain.length),
    chain,
  ]);
  const signature = Buffer.concat([
    rawSignature(signed, attestation),
    attestationKey,
    u16(CERTIFICATION_QE_REPORT),
    u32(certification.length),
    certification,
  ]);
  return Buffer.concat([signed, u32(signature.length), signature]);
}

function header(form: QuoteForm): Buffer {
  return Buffer.concat([u16(form === '4' ? 4 : 5), u16(2), u32(0x81), u32(0), QE_VENDOR_ID, Buffer.alloc(20)]);
}

function bodyOf(
  { mrTd, mrConfigId, rtMrs, reportData, attributes = HONEST_ATTRIBUTES, mrServiceTd = Buffer.alloc(48) }: TrustDomain,
  form: QuoteForm,
): Buffer {
  const teeTcbSvn = Buffer.from(PLATFORM.teeTcbSvn);
  const mrSeam = createHash('sha384').update('SIMULATED TDX module').digest();
  const zeros = (count: number) => Buffer.alloc(count);
  const td10 = Buffer.concat([
    teeTcbSvn,
    mrSeam,
    zeros(48),
    zeros(8),
    attributes,
    XFAM,
    mrTd,
    mrConfigId,
    zeros(48),
    zeros(48),
    ...rtMrs,
    reportData,
  ]);
  return form === '5-td15' ? Buffer.concat([td10, teeTcbSvn, mrServiceTd]) : td10;
}

function qeReportOf(keyHash: Buffer): Buffer {
  const mrEnclave = createHash('sha256').update('SIMULATED quoting enclave').digest();
  const zeros = (count: number) => Buffer.alloc(count);
  return Buffer.concat([
    Buffer.from(PLATFORM.componentSvns),
    zeros(4),
    zeros(28),
    QE_ATTRIBUTES,
    mrEnclave,
    zeros(32),
    QE_MR_SIGNER,
    zeros(96),
    u16(QE_PRODUCT_ID),
    u16(QE_SVN),
    zeros(60),
    keyHash,
    zeros(32),
  ]);
}

function rawSignature(bytes: Buffer, key: KeyObject): Buffer {
  return sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' });
}

function pointOf(privateKey: KeyObject): Buffer {
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
