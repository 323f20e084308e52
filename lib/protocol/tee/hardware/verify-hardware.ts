import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { CheckFailed, type CheckId, type CheckMaker, established } from '../check-list';
import type { AttestationPolicy } from '../policy';
import { parseQuote, type TdxQuote } from '../quote/quote';
import {
  sameBytes,
  Untrusted,
  verifyEndEntity,
  verifyNotRevoked,
  verifyRevocationList,
  verifyValidity,
} from '../x509/chain';
import { parseRevocationList, type RevocationList } from '../x509/revocation-list';
import { assertEcPublicKey, isSignedBy } from '../x509/signature-algorithm';
import type { Collateral } from './collateral';
import { type PckPlatform, readPckPlatform } from './pck-extension';
import { findQeLevel, parseQeIdentity, type QeIdentity, quotingEnclaveFault } from './qe-identity';
import { documentEvidence, readSignedDocument } from './signed-document';
import { isDebuggable, tdAttributesFault } from './td-attributes';
import { convergeTcbStatus, findModule, findPlatformLevel, parseTcbInfo, type TcbInfo } from './tcb-info';
import { followChain, pemChainReader, type TrustedChain } from './trusted-chain';

interface HardwareCheckInput {
  /** If it throws, the error is the outcome of the check `quote-format`. */
  quoteBytes: () => Uint8Array;
  /** If it throws, the error is the outcome of every check that reads the collateral. */
  collateral: () => Collateral;
  policy: AttestationPolicy;
  nowMs: number;
}

/** Results of the hardware checks. A result is undefined if its check did not pass. */
export interface HardwareFindings {
  quote: TdxQuote | undefined;
  chain: TrustedChain | undefined;
}

/** Number of certificates in the chain: PCK, its authority, and the root. */
const PCK_CHAIN_LENGTH = 3;
const INTEL_QE_VENDOR_ID = '939a7233f79c4ca9940a0db3957f0607';

/**
 * Checks that TDX hardware under a trusted root made the quote, and that the policy accepts its TCB state at `nowMs`.
 * Records its checks in `list`.
 */
export async function verifyHardware(
  request: HardwareCheckInput,
  list: CheckMaker<CheckId>,
): Promise<HardwareFindings> {
  const matter: Matter = { ...request, chainOf: pemChainReader(request.policy.roots) };
  const quote = await list.make('quote-format', 'The quote is complete and has the format of Intel TDX', () => {
    const parsed = parseQuote(request.quoteBytes());
    if (bytesToHex(parsed.qeVendorId) !== INTEL_QE_VENDOR_ID)
      throw new CheckFailed('The vendor of the quoting enclave is not Intel.');
    return { established: parsed, evidence: { version: parsed.version, bytes: parsed.bytes.length } };
  });
  const processor = await list.make('certificate-chain', 'The processor is certified under a trusted root', () =>
    checkProcessor(established(quote, 'quote'), request.policy),
  );
  // With a simulator's root, the titles of the checks must not name Intel.
  const maker = processor?.chain.root.isSimulated === true ? "the simulator's" : "Intel's";
  const ofMaker = processor?.chain.root.isSimulated === true ? "The simulator's" : "Intel's";
  await list.make('certificate-validity', 'Every certificate is valid at this time', () =>
    checkValidity(established(processor, 'certificate chain').chain, matter),
  );
  await list.make(
    'revocation',
    'The revocation lists are signed and current, and contain none of the certificates',
    () => checkRevocation(established(processor, 'certificate chain').chain, matter),
  );
  const tcbInfo = await list.make('tcb-info', `${ofMaker} list of firmware levels is signed and current`, () =>
    checkTcbInfo(established(processor, 'certificate chain'), matter),
  );
  const qeIdentity = await list.make(
    'qe-identity',
    `${ofMaker} identity of the quoting enclave is signed and current`,
    () => checkQeIdentity(established(processor, 'certificate chain').chain, matter),
  );

  const identity = () => established(qeIdentity, 'identity of the quoting enclave');
  const levels = () => established(tcbInfo, 'TCB info');
  await list.make(
    'quoting-enclave',
    `The quoting enclave is ${maker}, and the processor vouches for it and its key`,
    () =>
      checkQuotingEnclave(established(quote, 'quote'), established(processor, 'certificate chain').chain, identity()),
  );
  await list.make('quote-signature', 'The quoting enclave has signed the quote', () =>
    checkQuoteSignature(established(quote, 'quote')),
  );
  await list.make('tcb-status', 'Firmware and microcode are at a level that is accepted', () =>
    checkTcbStatus(
      established(quote, 'quote'),
      established(processor, 'certificate chain').platform,
      levels(),
      identity(),
      request.policy,
    ),
  );
  await list.make('tdx-module', `The TDX module is ${maker}`, () => checkModule(established(quote, 'quote'), levels()));
  await list.make('debug-off', 'The trust domain cannot be debugged', () =>
    checkAttributes(established(quote, 'quote')),
  );
  return { quote, chain: processor?.chain };
}

interface Matter extends HardwareCheckInput {
  chainOf: (pem: string) => Promise<TrustedChain>;
}

interface CertifiedProcessor {
  chain: TrustedChain;
  platform: PckPlatform;
}

async function checkProcessor({ pckChain }: TdxQuote, { roots }: AttestationPolicy) {
  const chain = await followChain(pckChain, roots, PCK_CHAIN_LENGTH);
  verifyEndEntity(chain.leaf);
  const platform = readPckPlatform(chain.leaf);
  const evidence = {
    root: chain.root.certificate.subjectText,
    authority: chain.leaf.issuerText,
    processor: chain.leaf.subjectText,
    fmspc: platform.fmspc,
    simulated: chain.root.isSimulated,
  };
  return { established: { chain, platform } satisfies CertifiedProcessor, evidence };
}

async function checkValidity(chain: TrustedChain, { collateral, chainOf, nowMs }: Matter) {
  const { tcbInfoIssuerChain, qeIdentityIssuerChain, pckCrlIssuerChain } = collateral();
  const certificates = [
    chain,
    await chainOf(tcbInfoIssuerChain),
    await chainOf(qeIdentityIssuerChain),
    await chainOf(pckCrlIssuerChain),
  ].flatMap((each) => each.certificates);
  verifyValidity(certificates, nowMs);
  return {
    established: true,
    evidence: {
      at: new Date(nowMs).toISOString(),
      validUntil: new Date(Math.min(...certificates.map(({ notAfterMs }) => notAfterMs))).toISOString(),
    },
  };
}

async function checkTcbInfo({ chain, platform }: CertifiedProcessor, { collateral, chainOf, policy, nowMs }: Matter) {
  const { tcbInfo: text, tcbInfoSignature: signature, tcbInfoIssuerChain } = collateral();
  const info = await readSignedDocument(
    { text, signature, signer: await chainOf(tcbInfoIssuerChain), root: chain.root },
    parseTcbInfo,
    policy,
    nowMs,
  );
  if (info.fmspc !== platform.fmspc || info.pceId !== platform.pceId)
    throw new CheckFailed('The TCB info is for another platform family.', { fmspc: info.fmspc, pceId: info.pceId });
  return { established: info, evidence: documentEvidence(info) };
}

async function checkQeIdentity(chain: TrustedChain, { collateral, chainOf, policy, nowMs }: Matter) {
  const { qeIdentity: text, qeIdentitySignature: signature, qeIdentityIssuerChain } = collateral();
  const identity = await readSignedDocument(
    { text, signature, signer: await chainOf(qeIdentityIssuerChain), root: chain.root },
    parseQeIdentity,
    policy,
    nowMs,
  );
  return { established: identity, evidence: documentEvidence(identity) };
}

async function checkQuoteSignature({ attestationKey, signedBytes, signature }: TdxQuote) {
  const key = assertEcPublicKey({ curve: 'P-256', point: concatBytes(Uint8Array.of(4), attestationKey) });
  if (!(await isSignedBy(key, 'ecdsa-sha256', signedBytes, signature, 'compact')))
    throw new Untrusted('The signature of the quote is not valid.');
  return { established: true, evidence: { signedBytes: signedBytes.length } };
}

function checkModule({ report }: TdxQuote, info: TcbInfo) {
  const { id, level, fault } = findModule(info, report);
  const evidence = { module: id, status: level?.status ?? null, mrSeam: bytesToHex(report.mrSeam) };
  if (fault !== null) throw new CheckFailed(fault, evidence);
  return { established: true, evidence };
}

function checkAttributes({ report }: TdxQuote) {
  const evidence = { tdAttributes: bytesToHex(report.tdAttributes) };
  if (isDebuggable(report))
    throw new CheckFailed('The trust domain runs in debug mode: its host can read its memory.', evidence);
  const fault = tdAttributesFault(report);
  if (fault !== null) throw new CheckFailed(fault, evidence);
  return { established: true, evidence };
}

async function checkRevocation({ certificates, root }: TrustedChain, { collateral, chainOf, nowMs }: Matter) {
  const given = collateral();
  const [processor, authority] = certificates;
  const listed = await chainOf(given.pckCrlIssuerChain);
  if (!processor || !authority || listed.root !== root || !sameBytes(listed.leaf.der, authority.der))
    throw new Untrusted("The processors' revocation list was not issued by the processor's authority.");
  const rootList = parseRevocationList(given.rootCaCrl);
  const processorList = parseRevocationList(given.pckCrl);
  await verifyRevocationList(rootList, root.certificate, nowMs);
  await verifyRevocationList(processorList, authority, nowMs);
  verifyNotRevoked(processor, processorList);
  for (const certificate of [
    authority,
    root.certificate,
    (await chainOf(given.tcbInfoIssuerChain)).leaf,
    (await chainOf(given.qeIdentityIssuerChain)).leaf,
  ])
    verifyNotRevoked(certificate, rootList);
  const summary = (list: RevocationList) =>
    `${list.revoked.size} revoked, until ${new Date(list.nextUpdateMs).toISOString()}`;
  return { established: true, evidence: { rootList: summary(rootList), processorList: summary(processorList) } };
}

async function checkQuotingEnclave(
  { qeReport, qeReportSignature, qeAuthData, attestationKey }: TdxQuote,
  { leaf }: TrustedChain,
  identity: QeIdentity,
) {
  if (
    leaf.publicKey.curve !== 'P-256' ||
    !(await isSignedBy(leaf.publicKey, 'ecdsa-sha256', qeReport.signedBytes, qeReportSignature, 'compact'))
  ) {
    throw new Untrusted('The report of the quoting enclave is not signed by the processor.');
  }
  const expected = concatBytes(sha256(concatBytes(attestationKey, qeAuthData)), new Uint8Array(32));
  if (!sameBytes(qeReport.reportData, expected))
    throw new CheckFailed('The quoting enclave did not certify the key of the quote.');
  const evidence = {
    mrSigner: bytesToHex(qeReport.mrSigner),
    mrEnclave: bytesToHex(qeReport.mrEnclave),
    isvSvn: qeReport.isvSvn,
  };
  const fault = quotingEnclaveFault(identity, qeReport);
  if (fault !== null) throw new CheckFailed(fault, evidence);
  return { established: true, evidence };
}

function checkTcbStatus(
  { report, qeReport }: TdxQuote,
  platform: PckPlatform,
  info: TcbInfo,
  identity: QeIdentity,
  { acceptedTcbStatuses }: AttestationPolicy,
) {
  const level = findPlatformLevel(info, platform, report);
  const qeLevel = findQeLevel(identity, qeReport);
  if (!level) throw new CheckFailed('The platform is below every level of the TCB info.');
  if (!qeLevel) throw new CheckFailed('The quoting enclave is below every level of its identity document.');
  const moduleLevel = findModule(info, report).level;
  const parts = moduleLevel ? [qeLevel, moduleLevel] : [qeLevel];
  const status = parts.reduce((converged, part) => convergeTcbStatus(converged, part.status), level.status);
  const advisories = [...new Set([level, ...parts].flatMap(({ advisoryIds }) => advisoryIds))];
  const evidence = {
    status,
    platform: level.status,
    quotingEnclave: qeLevel.status,
    module: moduleLevel?.status ?? null,
    tcbDate: new Date(level.tcbDateMs).toISOString().slice(0, 10),
    advisories,
  };
  if (!acceptedTcbStatuses.includes(status))
    throw new CheckFailed(
      `The TCB status of the platform is ${status}; accepted: ${acceptedTcbStatuses.join(', ')}.${advisories.length === 0 ? '' : ` Intel's advisories: ${advisories.join(', ')}.`}`,
      evidence,
    );
  return { established: status, evidence };
}
